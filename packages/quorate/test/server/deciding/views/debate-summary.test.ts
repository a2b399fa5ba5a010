import { expect, test } from 'vitest'
import type { DebateRow } from '../../../../src/contract/debates.ts'
import { debateRow } from '../../../../src/server/deciding/views/debate-row.ts'
import { bestScore, summaryOf } from '../../../../src/server/deciding/views/debate-summary.ts'
import type { ListedDebate } from '../../../../src/store/runs/listed-debates.ts'
import { sampleDebate, sampleDecision } from '../../../store/samples.ts'

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

test('an action on an open answer is wrong only if the answer was compared with the right one and differs', () => {
  const rounds = [[{ agent: 'ada', answer: '1', answer_text: 'Paris', text: null }]]
  const row = (correct: readonly string[] | undefined, label: ListedDebate['label'] = null) => {
    const debate = { quorate: 1, id: 'q1', options: ['1', '2', 'other'], gold_text: 'Paris, France', correct, rounds }
    const decision = sampleDecision(1, 'q1', { kind: 'act', answer: '1', reason: null })
    const about = { question: null, group: null, isSpotCheck: false, isHidden: false, isWaiting: false }
    return debateRow({ ...sampleDebate('q1'), ...about, decision, label, debate: JSON.stringify(debate) }, null)
  }
  const wrong = (listed: DebateRow) => summaryOf([listed]).wrong
  const cannotTell: ListedDebate['label'] = { verdict: 'cannot-tell', gold: null, source: 'spot-check', at: 1 }
  expect([row(['1']), row(['2']), row([]), row(undefined), row(['1'], cannotTell)].map(wrong)).toEqual([0, 1, 1, 0, 1])
  expect(row(['1'])).toMatchObject({ gold: '1', answer: '1', goldText: 'Paris', isLabelled: true })
  expect(row(undefined)).toMatchObject({ gold: null, goldText: 'Paris, France', isLabelled: false })
})
