import { describe, expect, test } from 'vitest'
import { CERTIFICATE_REASONS, DEFER_REASONS } from '../../src/record/decision.ts'
import { DEFER_WORDS, deferText } from '../../src/record/decision-words.ts'
import { verdictSentence } from '../../src/report/decision-sentences.ts'
import { verdictFigures } from '../../src/server/deciding/views/verdict-figures.ts'

const step = { round: 1, answer: 'A', threshold: 0.9, lower: 0.5, neighbours: 9, successes: 5, k: 9 } as const
const path = [{ ...step, mean: 0.6, envelope: 0, slack: 0.1 }]

describe.each(DEFER_REASONS)('the reason %s has one wording', (reason) => {
  test('in the app', () => expect(deferText(reason)).toBe(DEFER_WORDS[reason]))
  test('in the API', () => {
    expect(verdictFigures({ kind: 'defer', reason, path }, 0.9).reasonText).toBe(DEFER_WORDS[reason])
  })
})

test.each(CERTIFICATE_REASONS)('the terminal says %s in the same words, with its numbers behind them', (reason) => {
  const given = verdictSentence({ kind: 'defer', reason, path }, 0.9)
  expect(given.startsWith(`defer to a person (${reason}): ${DEFER_WORDS[reason]}`)).toBe(true)
})

test('a reason that does not defer has no such words', () => {
  const acted = { kind: 'act', round: 1, answer: 'A', bound: 0.95, path } as const
  expect([verdictFigures(acted, 0.9), verdictFigures({ kind: 'continue', path }, 0.9)]).toMatchObject([
    { reasonText: null },
    { reasonText: null },
  ])
})
