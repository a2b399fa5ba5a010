import { describe, expect, test } from 'vitest'
import type { Question } from '../../../src/record/question.ts'
import { contentKey, contentOf, contentsOf, isAmong } from '../../../src/run/calibration/content-hash.ts'

type Options = readonly string[] | Readonly<Record<string, string>>

const CITIES = { A: 'Paris', B: 'Rome', C: 'Oslo' }

function question(text: string, options: Options): Question {
  const named = Array.isArray(options) ? options.map((name) => [name, name] as const) : Object.entries(options)
  return { id: 'new', question: text, options: named.map(([name, text]) => ({ name, text })), gold: null, group: null }
}

/** Whether a certificate from this record recognises the question. */
function isSeen(record: { question: string; options: Options }, asked: Question): boolean {
  const content = contentOf(record)
  return isAmong(contentsOf(content === null ? [] : [content]), asked)
}

describe('a question is recognised', () => {
  const text = 'Which of these is a capital of France?'

  test.each([
    ['as it was', text, CITIES, text, CITIES],
    ['with a line feed at its end', text, CITIES, `${text}\n`, CITIES],
    ['with other blanks inside', 'Which  of\tthese?', CITIES, 'Which of these?', CITIES],
    ['in another Unicode form', 'Café?', CITIES, 'Cafe\u0301?', CITIES],
    ['with its options in another order', text, CITIES, text, { A: 'Oslo', B: 'Paris', C: 'Rome' }],
    ['with options under other names', text, CITIES, text, ['Rome', 'Oslo', 'Paris']],
    ['in capital letters, without punctuation and blanks', text, CITIES, ` ${text.toUpperCase()} .`, CITIES],
    ['with other quotes and dashes', 'The “long-run” rate?', CITIES, 'the "long run" rate', CITIES],
    ['with options in other letters', text, CITIES, text, { A: 'PARIS.', B: 'rome', C: 'Oslo' }],
    ['in other letters where the record has letters only', text, ['A', 'B', 'C'], text.toLowerCase(), CITIES],
    ['where the record has letters only', text, ['A', 'B', 'C'], text, CITIES],
    [
      'where the record has letters only, of another style',
      text,
      ['(a)', '(b)', '(c)'],
      text,
      ['Rome', 'Oslo', 'Paris'],
    ],
    ['where the record has numbers only', text, ['1', '2', '3'], text, CITIES],
    ['where it has letters only itself', text, CITIES, text, ['C', 'A', 'B']],
    ['by names where a record lost their texts', text, ['yes', 'no'], text, { yes: 'It is.', no: 'It is not.' }],
  ])('%s', (_, recorded, options, asked, own) => {
    expect(isSeen({ question: recorded, options }, question(asked, own))).toBe(true)
  })
})

describe('a question is new', () => {
  const text = 'Which of these is true?'

  test.each([
    ['with another text', text, CITIES, 'Which of these is false?', CITIES],
    ['with another decimal point', 'Is it 1.5?', CITIES, 'Is it 15?', CITIES],
    ['with another sign', 'Is it -1?', CITIES, 'Is it 1?', CITIES],
    ['with another comparison', 'Is a < b?', CITIES, 'Is a > b?', CITIES],
    ['with other digits between blanks', 'Is it 1 2?', CITIES, 'Is it 12?', CITIES],
    ['with other signs for options', text, ['?', '!'], text, ['.', ',']],
    ['with other options under the same letters', text, CITIES, text, { A: 'Ink is dry', B: 'Fire is cold', C: 'No' }],
    ['with other options under names of their own', text, ['Ink is dry', 'Fire is cold'], text, ['Rain', 'Snow']],
    ['with other numbers for options', text, ['12', '15'], text, ['21', '25']],
    ['with other numbers under the same letters', text, { A: '1', B: '2' }, text, { A: '2', B: '4' }],
    ['with another number of options, where the record has letters only', text, ['A', 'B'], text, CITIES],
  ])('%s', (_, recorded, options, asked, own) => {
    expect(isSeen({ question: recorded, options }, question(asked, own))).toBe(false)
  })
})

test('a record without a text or without options has no content', () => {
  for (const record of [{}, { question: 7, options: ['A'] }, { question: 'q' }, { question: 'q', options: null }]) {
    expect(contentOf(record)).toBeNull()
  }
})

test('debates of the same question share a key', () => {
  const keyOf = (text: string, options: Options) => {
    const content = contentOf({ question: text, options })
    return content === null ? null : contentKey(content)
  }
  expect(keyOf('q ', ['A', 'B'])).toBe(keyOf('q', ['B', 'A']))
  expect(keyOf('q', { A: 'x', B: 'y' })).toBe(keyOf('q', { A: 'y', B: 'x' }))
  expect(keyOf('q', { A: 'x', B: 'y' })).not.toBe(keyOf('q', { A: 'x', B: 'z' }))
})

test('a certificate without folded digests recognises its questions as they were written', () => {
  const content = contentOf({ question: 'Is it so?', options: CITIES })
  if (content?.whole == null) throw new Error('it has options')
  const contents = { ...contentsOf([]), whole: new Set([content.whole]), asked: new Set([content.asked]) }
  expect(isAmong(contents, question('Is it  so?', CITIES))).toBe(true)
  expect(isAmong(contents, question('IS IT SO?', CITIES))).toBe(false)
})
