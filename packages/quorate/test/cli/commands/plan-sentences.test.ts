import { type LabelsOutlook, type Plan, plan, readDebates } from '@quorate/certificate'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  betaText,
  failureSentence,
  finalRoundSentence,
  floorSentence,
  labelsSentence,
  moreLabelsSentence,
} from '../../../src/report/plan-sentences.ts'
import { planLines } from '../../../src/report/plan-table.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { styleFor } from '../../../src/text/style.ts'

let made: Plan

beforeAll(() => {
  const read = readDebates(simulatePanel({ seed: 7, count: 400 }))
  made = plan(read, { profile: 'cells', budget: { beta: 0.1, delta: 0.03, epsilon: 0 }, seeds: [7, 11, 13] })
})

const printed = (labels: LabelsOutlook, more: Partial<Plan> = {}) => labelsSentence({ ...made, ...more, labels })
const page = (more: Partial<Plan>) =>
  planLines(
    { ...made, ...more },
    {
      style: styleFor({ color: false }),
      width: 80,
      program: 'quorate',
      path: 'a.jsonl',
      leftOut: { unlabelled: 0, failed: 0 },
      reading: { beliefs: 'vote', answered: 0, missing: 0, renormalised: 0, questions: made.n, unjudged: 0 },
    },
  )
    .join(' ')
    .replace(/\s+/g, ' ')

test('a failed test gives its counts over all splits and in each one', () => {
  const failure = { test: 'total', largestKind: null, splits: 3, rows: 42, wrong: 0, limit: 0.1, labels: null } as const
  expect(failureSentence(failure, made)).toContain(
    'wrong on 0 of 42 (about 14 in each split), which is not clearly below 10.0 %.',
  )
})

describe('what more labels would gain, and what the next attempt costs', () => {
  const figure = (mean: number) => ({ mean, min: mean, max: mean, low: mean, high: mean })
  function compared({ first, second, now, more }: Record<'first' | 'second' | 'now' | 'more', number>) {
    const moreLabels = { added: 300, now, withMore: more }
    const total = { moreLabels, nextAttempt: { attempt: 2, act: figure(second) } } as unknown as Plan['total'] // the sentence reads only these
    const atBeta = { act: figure(first) } as unknown as Plan['atBeta'] // the sentence reads only this
    return moreLabelsSentence({ ...made, n: 600, total, atBeta })
  }

  test('are compared with the present', () => {
    expect(compared({ first: 0.666, second: 0.641, now: 0.66, more: 0.7 })).toBe(
      'By the learning curve 600 labels act on about 66.0 %, 300 more on about 70.0 %. As attempt 2 on the same labels, ' +
        'which is tested at a smaller delta, certificates act on 64.1 % instead of 66.6 %.',
    )
  })

  test('are not compared if both shares read the same', () => {
    expect(compared({ first: 0.6661, second: 0.6659, now: 0.6601, more: 0.6602 })).toBe(
      'By the learning curve 600 labels act on about 66.0 %, 300 more would change that by less than 0.1 points. As ' +
        'attempt 2 on the same labels, which is tested at a smaller delta, certificates still act on 66.6 %.',
    )
  })
})

test('a smaller beta is advised only if this one is within reach', () => {
  const finalRound = { ...made.finalRound, meetsBudget: true }
  expect(finalRoundSentence({ ...made, finalRound, feasible: true })).toContain('Choose a smaller beta')
  expect(finalRoundSentence({ ...made, finalRound, feasible: false })).toMatch(
    /always acting would meet this budget\.$/,
  )
})

test('always acting has no floor, whether or not a class of the plan reaches it', () => {
  const promise = { kind: 'pac', beta: 0.3, delta: 0.05, floor: 0.7, answers: [], isJudged: false, attempt: 1 } as const
  const finalRound = { ...made.finalRound, meetsBudget: true }
  for (const feasible of [true, false]) {
    const sentence = finalRoundSentence({ ...made, finalRound, promise, feasible })
    expect(sentence).toContain('always acting would meet this budget, but it promises no floor.')
  }
})

describe('the sentence about labels', () => {
  test('never gives a count that was already tried, or one below the floor, as the smallest sufficient one', () => {
    const text = printed({ kind: 'missing', needed: 1900, low: 805, high: null, least: 801, missing: 300 }, { n: 1600 })
    expect(text).toContain('About 1,900 labels in all (801 or more, range over resampled halves of this file; another')
    expect(text).toContain('file of this size may fall outside')
  })

  test('never excludes a beta with certainty: it reports only what the curve suggests, with its range', () => {
    const limit = { value: 0.12, low: 0.11, high: 0.13 }
    const text = printed({ kind: 'unreachable', reason: 'panel', limit })
    expect(text).toContain('By this curve probably no number of labels alone will reach it')
    expect(text).toContain('0.120 (0.110–0.130)')
    expect(text).not.toContain('wrong too often')
    expect(printed({ kind: 'unreachable', reason: 'panel', limit: { ...limit, high: null } })).toContain(
      '0.110 or more',
    )
  })

  test('mentions the change of score, before and after it', () => {
    expect(printed({ kind: 'score-changes', at: 2000 }, { calibration: 750 })).toContain(
      'so the curve may change there',
    )
    expect(printed({ kind: 'score-changes', at: 2000 }, { calibration: 2200 })).toContain('too few sizes beyond that')
  })

  test('gives no number of labels that nobody could collect', () => {
    const read = readDebates(simulatePanel({ seed: 7, count: 400 }))
    const budget = { beta: 0.1, delta: 0.03, epsilon: 0, total: { floor: 1 - 2 ** -53 } }
    const strict = plan(read, { profile: 'total', budget, seeds: [7, 11, 13] })
    expect(strict.labels).toEqual({ kind: 'far', moreThan: 8000 })
    expect(floorSentence(strict)).toBe('Even a perfect panel needs more than a trillion labels.')
  })

  test('reports that no curve can be drawn without claiming that there are too few labels', () => {
    expect(printed({ kind: 'no-curve' })).not.toMatch(/labels are too few/)
  })
})

test('a beta that was tried is printed with all its digits', () => {
  expect([0.1, 0.053, 0.0525, 0.1234567].map(betaText)).toEqual(['0.100', '0.053', '0.0525', '0.1234567'])
})

test.each([
  [{ median: 0.02, min: 0.01, max: 0.03 }, 'more may bring more'],
  [{ median: 0.02, min: -0.01, max: 0.03 }, 'too varied to tell'],
  [{ median: -0.02, min: -0.03, max: 0 }, 'no gain seen'],
])('a doubling that changed the share by %o: %s', (act, words) => {
  const labels = { kind: 'enough', lastDoubling: { from: 100, to: 200, act: { ...act, splits: 3 } } } as const
  expect(page({ labels })).toContain(words)
})

test('another delta is advised only for labels not used here', () => {
  const smallestBeta = { beta: 0.05, min: 0.04, max: 0.06, splits: 3 }
  const text = page({ feasible: false, otherSplit: { delta: 0.01, epsilon: 0, smallestBeta, reaches: true } })
  expect(text.match(/only for labels not used here/g)?.length).toBeGreaterThanOrEqual(2)
})
