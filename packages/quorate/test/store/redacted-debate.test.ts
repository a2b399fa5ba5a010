import { expect, test } from 'vitest'
import { redactedDebate } from '../../src/store/redacted-debate.ts'

const redacted = (value: unknown) => JSON.parse(redactedDebate(JSON.stringify(value)))

test('texts of the debate and of its turns become null, everything else stays in its order', () => {
  const turn = { agent: 'text', answer: 'A', beliefs: { A: 0.5, text: 0.5 }, conf: { verbal: 0.9 }, usage: { n: 1 } }
  const debate = {
    quorate: 1,
    id: 'q',
    question: 'secret',
    options: ['A', 'text'],
    rounds: [[{ ...turn, text: 'secret', reasoning: 'secret' }], [], [{ ...turn, text: null }]],
    status: 'done',
  }
  const expected = {
    ...debate,
    question: null,
    rounds: [[{ ...turn, text: null, reasoning: null }], [], [{ ...turn, text: null }]],
  }
  expect(redacted(debate)).toEqual(expected)
  expect(redactedDebate(JSON.stringify(debate))).toBe(JSON.stringify(expected))
})

test("options keep their names only, in the format's order", () => {
  expect(redacted({ options: { b: 'secret', a: 'secret' } })).toEqual({ options: ['a', 'b'] })
  expect(redacted({ options: [{ name: 'A', text: 'secret' }] })).toEqual({ options: [{ name: 'A', text: null }] })
})

test('what is redacted stays as it is, and what has no rounds is no problem', () => {
  const once = redactedDebate('{"id":"q","rounds":[[{"agent":"a","text":"secret"}]],"__proto__":{"x":1}}')
  expect(redactedDebate(once)).toBe(once)
  expect(once).toContain('"__proto__":{"x":1}')
  for (const text of ['{}', '[]', 'null', '{"rounds":[null]}']) expect(redactedDebate(text)).toBe(text)
})
