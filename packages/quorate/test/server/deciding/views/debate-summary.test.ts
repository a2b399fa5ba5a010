import { expect, test } from 'vitest'
import type { DebateRow } from '../../../../src/contract/debates.ts'
import { bestScore, summaryOf } from '../../../../src/server/deciding/views/debate-summary.ts'

const STEP = { answer: 'A', threshold: 0.8, lower: null, cut: 0.8 } as const
const FIGURES = { kind: 'defer', answer: null, reason: 'bound-low', reasonText: null, bound: null } as const

test('the score of a deferral is that of the nearest round which may act: its reason says that none met the threshold', () => {
  const path = [
    { ...STEP, round: 1, score: 0.6, reason: 'score-low' as const },
    { ...STEP, round: 2, score: 0.7, reason: 'score-low' as const },
    { ...STEP, round: 3, score: 0.9, reason: 'no-news' as const },
  ]
  const of = (steps: typeof path) => bestScore({ ...FIGURES, threshold: 0.8, round: 3, path: steps })
  expect(of(path)).toEqual({ score: 0.7, needs: 0.8, scoreRound: 2 })
  expect(of(path.slice(2))).toEqual({ score: null, needs: null, scoreRound: null })
})

test('an action that a reviewer could not judge counts as wrong, as it does in the monitor', () => {
  const acted = { kind: 'act', answer: 'A', gold: null, score: null, needs: null, isHidden: false } as DebateRow // the rest does not count
  const wrong = (isLabelled: boolean, gold: string | null) => summaryOf([{ ...acted, isLabelled, gold }]).wrong
  expect([wrong(true, null), wrong(true, 'B'), wrong(true, 'A'), wrong(false, null)]).toEqual([1, 1, 0, 0])
})
