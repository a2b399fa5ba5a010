import { clopperPearsonInterval } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { operatingPoint, type SplitOutcome } from '../../src/evaluation/operating-point.ts'

const NEVER = Number.NaN

function split(questions: number[], actedAt: number[], chance: number[], rounds = 2): SplitOutcome {
  return {
    rounds,
    line: 0.9,
    questions: Uint32Array.from(questions),
    actedAt: Uint8Array.from(actedAt),
    chance: Float64Array.from(chance),
  }
}

/** Acts on 3 of 4 (one wrong), then on 1 of 4 (wrong). */
const FIRST = split([0, 1, 2, 3], [1, 1, 2, 0], [1, 0, 1, NEVER])
const SECOND = split([0, 1, 4, 5], [0, 1, 0, 0], [NEVER, 0, NEVER, NEVER])

describe('operatingPoint', () => {
  const point = operatingPoint([FIRST, SECOND], 0.5)

  test('averages Act over splits and keeps the extremes', () => {
    expect(point.act).toEqual({ mean: 0.5, min: 0.25, max: 0.75 })
  })

  test('counts accuracy over all actions of all splits', () => {
    expect(point.accuracy).toBe(2 / 4)
  })

  test('counts wrong actions over all questions, as a share of beta', () => {
    expect(point.budgetUsed).toEqual({ mean: 0.5, min: 0.5, max: 0.5 })
  })

  test('lets a deferral use all rounds', () => {
    expect(point.meanRounds).toBe(((1 + 1 + 2 + 2) / 4 + (2 + 1 + 2 + 2) / 4) / 2)
  })

  test('counts a question that two splits acted on once', () => {
    // Round 1: question 0 once, question 1 twice. (1 + 2)^2 / (1 + 4) = 1.8.
    const [first, second] = point.perRound
    expect(first).toMatchObject({ round: 1, share: 3 / 8, accuracy: 1 / 3, effectiveActions: 2 })
    expect(second).toMatchObject({ round: 2, share: 1 / 8, accuracy: 1, effectiveActions: 1, high: 1 })
    const { lower, upper } = clopperPearsonInterval(1, 2, 1 - 0.05 / 2)
    expect(first).toMatchObject({ low: lower, high: upper })
  })

  test('the interval of one split counts every action', () => {
    expect(operatingPoint([FIRST], 0.5).perRound[0]).toMatchObject({ effectiveActions: 2 })
  })

  test('has no accuracy and no interval where nothing was acted on', () => {
    const none = operatingPoint([split([0, 1], [0, 0], [NEVER, NEVER])], 0.1)
    expect(none).toMatchObject({ accuracy: null, meanRounds: 2, act: { max: 0 }, budgetUsed: { max: 0 } })
    expect(none.perRound[0]).toEqual({ round: 1, share: 0, accuracy: null, effectiveActions: 0, low: null, high: null })
  })

  test('accepts known chances in place of labels', () => {
    const known = operatingPoint([split([0, 1], [1, 1], [0.9, 0.7], 1)], 0.2)
    expect(known.accuracy).toBeCloseTo(0.8, 12)
    expect(known.budgetUsed.mean).toBeCloseTo(1, 12)
  })
})
