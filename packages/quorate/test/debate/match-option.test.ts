import { describe, expect, test } from 'vitest'
import { optionMatcher } from '../../src/debate/match-option.ts'
import { readReply } from '../../src/debate/reply/read-reply.ts'
import { CAPITALS, coded, named } from './corpus/case.ts'

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
    '- "B"',
    '- > B',
    '- ~~B~~',
    '**“B”**',
    '＂B＂',
    '＇B＇',
    '｢B｣',
    '｀B｀',
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

describe('an option with its reason', () => {
  test.each([
    'B, because it rains.',
    'B because it rains',
    'London, because it rains there!',
    'The answer is (B) because B has rain',
    '**B**, because it rains',
  ])('%s is read', (words) => {
    expect(LETTERS.stated(words)).toEqual({ kind: 'option', index: 1 })
  })

  test.each([
    ['B, because C is wrong', 'the reason names another option'],
    ['B because Rome is dry.', 'the reason names the text of another'],
    ['B because it is a port', 'the article could be the option A'],
    ['B because it rains. No, the third.', 'a second sentence could take it back'],
    ['B because it rains? No', 'so could the words after a question'],
    ['B because it rains, no, the third', 'so could a word after a comma'],
    ['B because it rains, but I am not sure', 'so could a doubt'],
    ['B because it rains: the third is better', 'so could words after a colon'],
    ['B because it rains - that is wrong', 'so could words after a dash'],
    ['B because it rains… wrong', 'so could words after an ellipsis'],
    ['not B, because it rains', 'a negation'],
    ['B or C, because it rains', 'two options'],
    ['A cat because it purrs', 'an article is no letter'],
    ['B, it rains', 'a comma alone may also begin a list'],
    ['B since 1990', 'since may be about time'],
    ['B - it rains', 'a dash may be part of a word'],
    ['because B', 'no option before the reason'],
    ['B because ', 'no reason'],
  ])('%s is not read: %s', (words) => {
    expect(LETTERS.stated(words)).toEqual({ kind: 'none' })
  })

  test('is not read if an option has a reason itself', () => {
    const { stated } = optionMatcher(named('it rains', 'it rains because of wind').options)
    expect(stated('it rains because of wind')).toEqual({ kind: 'option', index: 1 })
    expect(stated('it rains because of the wind')).toEqual({ kind: 'none' })
  })

  test('is read between tags only, because a longer reply without them could be a quotation', () => {
    const read = (text: string) => readReply({ text, finish: 'stop' }, CAPITALS).kind
    expect(read('B, because it rains.')).toBe('unreadable')
    expect(read(coded('<answer#>B, because it rains.</answer#>'))).toBe('answer')
  })
})

describe('a sign or a point before a number', () => {
  const numbers = (...texts: string[]) => optionMatcher(texts.map((text, index) => ({ name: `${'AB'[index]}`, text })))

  test.each([
    ['The answer is -1', ['1', '-1'], 1],
    ['The answer is -1.', ['1', '-1'], 1],
    ['Answer -1', ['1', '-1'], 1],
    ['The answer is .5', ['5', '.5'], 1],
    ['Option - Paris', ['Paris', 'Rome'], 0],
    ['The answer is: 1', ['1', '-1'], 0],
    ['- Paris', ['Paris', 'Rome'], 0],
    ['- 1', ['1', '2'], 0],
  ] as const)('%j is read with %j as the option %i', (words, texts, index) => {
    expect(numbers(...texts).whole(words)).toEqual({ kind: 'option', index })
  })

  test.each([
    ['-1', ['1', '2']],
    ['The answer is -1', ['1', '2']],
    ['>1', ['1', '2']],
  ] as const)('%j is none of %j', (words, texts) => {
    expect(numbers(...texts).whole(words)).toEqual({ kind: 'none' })
  })
})
