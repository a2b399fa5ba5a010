import { describe, expect, test } from 'vitest'
import { optionMatcher } from '../../src/debate/match-option.ts'
import { readReply } from '../../src/debate/reply/read-reply.ts'
import { CAPITALS, named } from './corpus/case.ts'

const LETTERS = optionMatcher(CAPITALS.options)

describe('a short statement that is the whole reply', () => {
  test.each([
    'I choose B.',
    'I now select London',
    'I go with (B) London.',
    'So the answer is **B**.',
    'Therefore, my final answer is B!',
    'Thus $\\boxed{B}$',
    'Respuesta: B',
    '答案：B。',
  ])('%s is read', (text) => {
    expect(readReply({ text, finish: 'stop' }, CAPITALS)).toMatchObject({ option: 'B' })
  })

  test.each([
    'I could choose B.',
    'I would choose B if it rained.',
    'I do not choose B.',
    'I choose not B.',
    'I never pick B.',
    'I choose B or C.',
    'I choose neither.',
    'bob: I choose B.',
    'I choose B. I choose C.',
    'I choose B, because it rains.',
    'You choose B.',
    'So B',
    '"I choose B."',
    '> I choose B.',
    'Antwort B',
    'Antwort: nicht B',
  ])('%s is not read, because it says something else or could be part of a quotation', (text) => {
    expect(readReply({ text, finish: 'stop' }, CAPITALS)).toEqual({ kind: 'unreadable', reason: 'no-answer' })
  })

  test('is not read if it was cut and could have become another option', () => {
    const form = { ...CAPITALS, ...named('approve', 'approve with changes', 'reject') }
    const read = (text: string) => readReply({ text, finish: 'length' }, form)
    expect(read('I vote for approve')).toEqual({ kind: 'unreadable', reason: 'truncated' })
    expect(read('I vote for reject')).toMatchObject({ option: 'reject' })
  })

  test('never hides an option that looks like one', () => {
    const { whole } = optionMatcher(named('I choose B', 'B').options)
    expect(whole('I choose B')).toEqual({ kind: 'option', index: 0 })
    expect(whole('I pick B')).toEqual({ kind: 'option', index: 1 })
    expect(LETTERS.whole('So far')).toEqual({ kind: 'none' })
  })
})
