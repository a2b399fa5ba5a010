import { describe, expect, test } from 'vitest'
import type { ParsedAnswer } from '../../src/debate/reply/parsed-answer.ts'
import { formText, readReply } from '../../src/debate/reply/read-reply.ts'
import { answerSchema } from '../../src/debate/reply/structured.ts'
import { CAPITALS, CODE, type CorpusCase } from './corpus/case.ts'
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

describe.each(Object.entries(CORPUS))('readReply on the corpus of %s', (_, corpus) => {
  test.each(corpus.map((item) => [item.why, item] as const))('%s', (_why, item) => {
    expect(outcome(item)).toEqual(expected(item))
  })
})

test('the corpus has as many replies, and as many unreadable ones, as docs/decisions say', () => {
  const all = Object.values(CORPUS).flat()
  const unreadable = all.filter((item) => outcome(item).kind === 'unreadable')
  expect([all.length, unreadable.length]).toEqual([437, 125])
})

test('no case of a quotation is read as the other answer', () => {
  expect(ECHOING.length).toBeGreaterThanOrEqual(80)
  for (const item of ECHOING) expect(outcome(item)).not.toMatchObject({ option: 'A' })
  for (const item of QUOTING.filter(({ option }) => option !== 'B')) {
    expect(outcome(item)).not.toMatchObject({ option: 'B' })
  }
})

test('an answer with the code of another prompt is no answer', () => {
  const text = '<answer-0badc0de>B</answer-0badc0de>'
  expect(readReply({ text, finish: 'stop' }, CAPITALS)).toEqual({ kind: 'unreadable', reason: 'no-answer' })
})

test('an echo of the request for the form is no answer', () => {
  const text = formText(CAPITALS)
  expect(text).toContain(`<answer-${CODE}>A|B|C|D</answer-${CODE}><confidence-${CODE}>0-100</confidence-${CODE}>`)
  expect(readReply({ text, finish: 'stop' }, CAPITALS)).toEqual({ kind: 'unreadable', reason: 'no-answer' })
  const answered = `${text}\n<answer-${CODE}>C</answer-${CODE}><confidence-${CODE}>70</confidence-${CODE}>`
  expect(readReply({ text: answered, finish: 'stop' }, CAPITALS)).toMatchObject({ option: 'C', confidence: 0.7 })
})

describe('a reply under a schema', () => {
  const form = { ...CAPITALS, isStructured: true }
  const read = (text: string, finish: 'stop' | 'length' | 'refusal' = 'stop') => readReply({ text, finish }, form)

  test('names the options in its schema and asks for no code', () => {
    expect(answerSchema(form)).toEqual({
      type: 'object',
      properties: {
        reasoning: { type: 'string' },
        answer: { type: 'string', enum: ['A', 'B', 'C', 'D'] },
        confidence: { type: 'number' },
      },
      required: ['reasoning', 'answer', 'confidence'],
      additionalProperties: false,
    })
    expect(answerSchema({ ...form, hasConfidence: false })).toMatchObject({ required: ['reasoning', 'answer'] })
    expect(formText(form)).not.toContain(CODE)
  })

  test.each([
    ['{"reasoning":"It rains.","answer":"B","confidence":85}', 'B', 0.85],
    ['{"reasoning":"It rains.","answer":"London","confidence":0.85}', 'B', 0.85],
    ['{"reasoning":"It rains.","answer":"B"}', 'B', null],
    ['{"reasoning":"It rains.","answer":"B","confidence":1}', 'B', null],
    ['{"reasoning":"It rains.","answer":"B","confidence":101}', 'B', null],
    ['```json\n{"reasoning":"It rains.","answer":"B","confidence":85}\n```', 'B', 0.85],
    [JSON.stringify({ reasoning: `bob: </think> <answer-${CODE}>A</answer-${CODE}>`, answer: 'B' }), 'B', null],
    [JSON.stringify({ reasoning: 'bob said {"reasoning":"","answer":"A"}', answer: 'B' }), 'B', null],
    [
      JSON.stringify({ reasoning: 'bob said \\", "answer": "A", \\\\', answer: 'B', confidence: 60 }, null, 2),
      'B',
      0.6,
    ],
  ])('%s is read', (text, option, confidence) => {
    expect(read(text)).toEqual({ kind: 'answer', option, confidence })
  })

  test.each([
    ['B', 'stop', 'no-answer'],
    [`<answer-${CODE}>B</answer-${CODE}>`, 'stop', 'no-answer'],
    ['bob said {"reasoning":"","answer":"A"}', 'stop', 'no-answer'],
    ['{"reasoning":"","answer":"A"} {"reasoning":"","answer":"B"}', 'stop', 'no-answer'],
    ['{"answer":"B"}', 'stop', 'no-answer'],
    ['{"reasoning":"","answer":"E"}', 'stop', 'not-an-option'],
    ['{"reasoning":"","answer":["B"]}', 'stop', 'no-answer'],
    ['{"answer":"A","reasoning":"bob said: I am sure", "answer":"B"}', 'stop', 'no-answer'],
    ['{"answer":"A","reasoning":"bob said: I am sure","\\u0061nswer" :"B"}', 'stop', 'no-answer'],
    ['{"reasoning":"","answer":"B","confidence":50,"confidence":99}', 'stop', 'no-answer'],
    ['{"reasoning":"bob said: I am sure","bob":"A","answer":"B"}', 'stop', 'no-answer'],
    ['{"reasoning":"It rai', 'length', 'truncated'],
    ['{"reasoning":"","answer":"B"}', 'refusal', 'refusal'],
  ] as const)('%s with the end %s is unreadable', (text, finish, reason) => {
    expect(read(text, finish)).toEqual({ kind: 'unreadable', reason })
  })
})

function outcome({ text, context = {} }: CorpusCase): ParsedAnswer {
  const { finish = 'stop', ...form } = context
  return readReply({ text, finish }, { ...CAPITALS, ...form })
}

function expected({ option, reason = 'no-answer', confidence = null }: CorpusCase): ParsedAnswer {
  return option === null ? { kind: 'unreadable', reason } : { kind: 'answer', option, confidence }
}
