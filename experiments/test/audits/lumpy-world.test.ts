import { type ReadDebate, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { simulateLumpyWorld } from '../../src/audits/lumpy-world.ts'

const { debates } = readDebates(simulateLumpyWorld({ count: 4000, seed: 3 }))

function accuracy(meant: readonly ReadDebate[]): number {
  expect(meant.length).toBeGreaterThan(100)
  return meant.filter(({ record, rounds }) => rounds.at(-1)!.prediction === record.gold).length / meant.length
}

test('five states, and the surer, the more often right', () => {
  const levels = [...new Set(debates.flatMap(({ rounds }) => rounds.map(({ p1 }) => p1.toFixed(3))))].sort()
  expect(levels).toHaveLength(5)
  const found = levels.map((level) => accuracy(debates.filter(({ rounds }) => rounds.at(-1)!.p1.toFixed(3) === level)))
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(found.at(-1)).toBeCloseTo(0.98, 1)
})

test('at the same last state neither the history nor the group says more', () => {
  const sure = debates.filter(({ rounds }) => rounds.at(-1)!.p1 > 0.99)
  const [all, moved] = [accuracy(sure), accuracy(sure.filter(({ rounds }) => rounds[0]!.p1 < 0.99))]
  expect(Math.abs(moved - all)).toBeLessThan(0.04)
  for (const group of ['g0', 'g1', 'g2', 'g3']) {
    expect(Math.abs(accuracy(sure.filter(({ record }) => record.group === group)) - all)).toBeLessThan(0.04)
  }
})

test('a seed gives the same debates again, and another seed gives others', () => {
  const draw = (seed: number) => simulateLumpyWorld({ count: 20, seed })
  expect(draw(3)).toEqual(draw(3))
  expect(draw(3)).not.toEqual(draw(4))
})
