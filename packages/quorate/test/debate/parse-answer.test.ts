import { describe, expect, test } from 'vitest'
import { type ParsedAnswer, parseAnswer } from '../../src/debate/parse-answer.ts'
import { CAPITALS, type CorpusCase } from './corpus/case.ts'
import { ECHOING } from './corpus/echoing.ts'
import { FAILURES } from './corpus/failures.ts'
import { OPTIONS } from './corpus/options.ts'
import { QUOTING } from './corpus/quoting.ts'
import { TAGS } from './corpus/tags.ts'
import { UNICODE } from './corpus/unicode.ts'

const CORPUS = {
  quoting: QUOTING,
  echoing: ECHOING,
  tags: TAGS,
  unicode: UNICODE,
  failures: FAILURES,
  options: OPTIONS,
}

describe.each(Object.entries(CORPUS))('parseAnswer on the corpus of %s', (_, corpus) => {
  test.each(corpus.map((item) => [item.why, item] as const))('%s', (_why, item) => {
    expect(outcome(item)).toEqual(expected(item))
  })
})

test('the corpus holds at least 200 cases', () => {
  expect(Object.values(CORPUS).flat().length).toBeGreaterThanOrEqual(200)
})

test('no hostile case of a known quotation is read as the other answer', () => {
  const hostile = ECHOING.filter(({ option }) => option !== 'A')
  expect(hostile.length).toBeGreaterThanOrEqual(60)
  for (const item of hostile) expect(outcome(item)).not.toMatchObject({ option: 'A' })
})

function outcome({ text, context }: CorpusCase): ParsedAnswer {
  return parseAnswer(text, { ...CAPITALS, ...context })
}

function expected({ option, reason = 'no-answer', confidence = null }: CorpusCase): ParsedAnswer {
  return option === null ? { kind: 'unreadable', reason } : { kind: 'answer', option, confidence }
}
