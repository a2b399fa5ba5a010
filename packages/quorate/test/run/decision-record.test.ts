import { expect, test } from 'vitest'
import type { DebateTurn } from '../../src/debate/debate-record.ts'
import { bareDebate } from '../../src/run/decision-record.ts'

test('the record of a decision has every number of a turn and none of its texts', () => {
  const turn: DebateTurn = {
    agent: 'ada',
    answer: '1',
    answer_text: 'secret answer',
    beliefs: { 1: 0.8, other: 0.2 },
    conf: { verbal: 0.8 },
    samples: ['1', null],
    text: 'secret argument',
    usage: { inputTokens: 10, outputTokens: 2 },
    served: ['model-1'],
  }
  const debate = {
    quorate: 1 as const,
    id: 'q1',
    group: null,
    question: 'secret question',
    gold: null,
    gold_text: 'secret gold',
    options: { 1: 'secret option', other: '' },
    rounds: [[turn], [turn]],
  }
  const { answer_text: _, text: __, usage: ___, ...kept } = turn
  const bare = bareDebate(debate, 1)
  expect(bare).toEqual({ id: 'q1', group: null, options: ['1', 'other'], rounds: [[kept]] })
  expect(JSON.stringify(bare)).not.toContain('secret')
})
