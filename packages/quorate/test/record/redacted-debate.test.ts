import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactedDebate } from '../../src/record/debate.ts'

const redacted = (value: unknown) => JSON.parse(redactedDebate(JSON.stringify(value)))

test('names, answers and numbers stay in their order, texts become null', () => {
  const usage = { inputTokens: 1, outputTokens: 2 }
  const about = { agent: 'text', answer: 'A', beliefs: { A: 0.5, text: 0.5 }, conf: { verbal: 0.9 }, usage }
  const turn = { ...about, samples: ['A', null], served: ['model-1'] }
  const debate = {
    quorate: 1,
    id: 'q',
    question: 'secret',
    options: ['A', 'text'],
    rounds: [[{ ...turn, text: 'secret' }], [], [{ ...turn, text: null }]],
    failure: { agent: 'text', round: 2 },
  }
  const expected = {
    ...debate,
    question: null,
    rounds: [[{ ...turn, text: null }], [], [{ ...turn, text: null }]],
  }
  expect(redacted(debate)).toEqual(expected)
  expect(redactedDebate(JSON.stringify(debate))).toBe(JSON.stringify(expected))
})

test("options keep their names only, in the format's order", () => {
  expect(redacted({ options: { b: 'secret', a: 'secret' } })).toEqual({ options: ['a', 'b'] })
  expect(redacted({ options: [{ name: 'A', text: 'secret' }] })).toEqual({ options: ['A'] })
})

test('a redacted debate stays unchanged, and a debate without rounds is accepted', () => {
  const once = redactedDebate('{"id":"q","rounds":[[{"agent":"a","beliefs":{"__proto__":1},"text":"secret"}]]}')
  expect(redactedDebate(once)).toBe(once)
  expect(once).toContain('"beliefs":{"__proto__":1}')
  for (const text of ['{}', 'null', '{"rounds":[null]}']) expect(redactedDebate(text)).toBe(text)
  for (const text of ['[]', '"secret"']) expect(redactedDebate(text)).toBe('null')
})

test('an unknown field is removed, wherever it is and whatever its name', () => {
  const secrets = { 'prompt-2': 'secret', title: ['secret'], constructor: { deep: 'secret' }, number: 7 }
  const turn = { agent: 'a', answer: 'A', conf: { verbal: 0.5, ...secrets }, usage: { inputTokens: 1, ...secrets } }
  const debate = { id: 'q', ...secrets, rounds: [[{ ...turn, ...secrets }]], failure: { agent: 'a', ...secrets } }
  expect(redacted(debate)).toEqual({
    id: 'q',
    rounds: [[{ agent: 'a', answer: 'A', conf: { verbal: 0.5 }, usage: { inputTokens: 1 } }]],
    failure: { agent: 'a' },
  })
})

test('a known field of another type is not a place to keep text', () => {
  const note = { note: 'secret' }
  const turn = {
    agent: note,
    answer: [note],
    beliefs: { A: 'secret', B: 1 },
    conf: 'secret',
    samples: [note],
    served: 'secret',
  }
  const debate = {
    quorate: 'secret',
    id: note,
    group: [note],
    gold: note,
    failure: 'secret',
    rounds: [[turn], 'secret'],
  }
  expect(JSON.stringify(redacted({ ...debate, options: [note, 'A'] }))).not.toContain('secret')
})

test('nothing stays under a name that is not listed, in any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(redacted({ id: 'q', other: value, rounds: [[{ agent: 'a', other: value }]] })).toEqual({
        id: 'q',
        rounds: [[{ agent: 'a' }]],
      })
    }),
    { numRuns: 100, seed: 1 },
  )
})

test('options are ordered by code point', () => {
  expect(redacted({ options: { '\u{1F600}': 'x', '\uffff': 'y' } })).toEqual({ options: ['\uffff', '\u{1F600}'] })
})
