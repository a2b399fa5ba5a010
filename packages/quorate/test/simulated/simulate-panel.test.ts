import { parseDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { ROUNDS } from '../../src/simulated/panel.ts'
import type { SimulatedDebate } from '../../src/simulated/simulate-debate.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { solve } from './questions/solve.ts'

const debates = simulatePanel({ seed: 20260101, count: 6000 })

describe('a simulated panel', () => {
  test('is the same for the same seed and another for another seed', () => {
    expect(simulatePanel({ seed: 5, count: 50 })).toEqual(simulatePanel({ seed: 5, count: 50 }))
    expect(simulatePanel({ seed: 5, count: 50 })).not.toEqual(simulatePanel({ seed: 6, count: 50 }))
  })

  test('does not depend on how many debates follow', () => {
    expect(simulatePanel({ seed: 5, count: 80 }).slice(0, 50)).toEqual(simulatePanel({ seed: 5, count: 50 }))
  })

  test('writes debates that the certificate reads, each question and id once', () => {
    expect(parseDebates(debates)).toHaveLength(6000)
    expect(new Set(debates.map(({ question }) => question)).size).toBe(6000)
  })

  test('labels each question with the letter of its right answer', () => {
    for (const { question, options, gold } of debates) expect(options[gold]).toBe(solve(question))
  })

  test('gives every letter about a quarter of the right answers', () => {
    for (const letter of ['A', 'B', 'C', 'D']) {
      expect(share(debates, ({ gold }) => gold === letter)).toBeCloseTo(0.25, 1)
    }
  })

  test('debates four rounds of three agents with confidences in steps of five per cent', () => {
    for (const { rounds } of debates) {
      expect(rounds.map((turns) => turns.map(({ agent }) => agent))).toEqual(Array(ROUNDS).fill(['ada', 'bob', 'cleo']))
    }
    const stated = debates.flatMap(({ rounds }) => rounds.flat().flatMap(({ conf }) => conf?.verbal ?? []))
    expect(
      stated.every((value) => value >= 0.25 && value <= 1 && Math.abs(value * 20 - Math.round(value * 20)) < 1e-9),
    ).toBe(true)
  })

  test('abstains sometimes', () => {
    const turns = debates.flatMap(({ rounds }) => rounds.flat())
    expect(turns.filter(({ answer }) => answer === null).length / turns.length).toSatisfy(within(0.01, 0.04))
  })
})

describe('agents', () => {
  test('differ in skill', () => {
    const [ada, bob, cleo] = ['ada', 'bob', 'cleo'].map((name) => accuracy(name))
    expect(ada).toBeGreaterThan(bob ?? 1)
    expect(bob).toBeGreaterThan(cleo ?? 1)
  })

  test('differ in candour: bob claims more than he gets right, cleo does not', () => {
    expect(claimed('bob') - accuracy('bob')).toBeGreaterThan(0.05)
    expect(claimed('cleo') - accuracy('cleo')).toBeLessThan(0.03)
  })
})

test('most agents are right in the end in 84 to 90 per cent of the debates, more than at first', () => {
  const first = share(debates, (debate) => mostAreRight(debate, 0))
  const last = share(debates, (debate) => mostAreRight(debate, ROUNDS - 1))
  expect(last).toSatisfy(within(0.84, 0.9))
  expect(last).toBeGreaterThan(first + 0.02)
})

test('answers that become unanimous later are right less often (the survivor effect)', () => {
  const right = Array.from({ length: ROUNDS }, (_, round) => {
    const agreed = debates.filter((debate) => firstUnanimous(debate) === round)
    return share(agreed, ({ rounds, gold }) => rounds[round]?.[0]?.answer === gold)
  })
  expect(right[0]).toSatisfy(within(0.9, 0.96))
  expect(right[ROUNDS - 1]).toSatisfy(within(0.6, 0.8))
  expect(right).toEqual(right.toSorted((a, b) => b - a))
})

function within(low: number, high: number): (value: number) => boolean {
  return (value) => value >= low && value <= high
}

function share(items: readonly SimulatedDebate[], holds: (debate: SimulatedDebate) => boolean): number {
  return items.filter(holds).length / items.length
}

function mostAreRight({ rounds, gold }: SimulatedDebate, round: number): boolean {
  return (rounds[round] ?? []).filter(({ answer }) => answer === gold).length >= 2
}

function firstUnanimous({ rounds }: SimulatedDebate): number {
  return rounds.findIndex((turns) => turns.every(({ answer }) => answer !== null && answer === turns[0]?.answer))
}

function answersOf(name: string) {
  return debates.flatMap(({ rounds, gold }) => {
    const turn = rounds[0]?.find(({ agent }) => agent === name)
    return turn?.answer ? [{ isRight: turn.answer === gold, stated: turn.conf?.verbal ?? Number.NaN }] : []
  })
}

function accuracy(name: string): number {
  const answers = answersOf(name)
  return answers.filter(({ isRight }) => isRight).length / answers.length
}

function claimed(name: string): number {
  const answers = answersOf(name)
  return answers.reduce((sum, { stated }) => sum + stated, 0) / answers.length
}
