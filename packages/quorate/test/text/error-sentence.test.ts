import { expect, test } from 'vitest'
import { errorSentence, joinSentences } from '../../src/text/error-sentence.ts'

test('an error is followed by its causes', () => {
  const cause = new Error('no such file', { cause: 'gone' })
  expect(errorSentence(new Error('cannot read x', { cause }))).toBe('cannot read x: no such file: gone')
})

test('a cause that the error quotes is not repeated', () => {
  const cause = new Error('disk I/O error')
  expect(errorSentence(new Error('store x (SQLite: disk I/O error)', { cause }))).toBe(
    'store x (SQLite: disk I/O error)',
  )
})

test('the usual system errors have plain words', () => {
  const cause = Object.assign(new Error("ENOENT: no such file or directory, open 'x'"), { code: 'ENOENT' })
  expect(errorSentence(new Error('cannot read x', { cause }))).toBe('cannot read x: there is no such file or folder')
})

test('no cause can control the terminal or forge a line', () => {
  const hostile = '\u001bc\u001b[2J\rquorate: ok\n\u001b]0;owned\u0007'
  for (const error of [new Error(hostile), new Error('a', { cause: new Error(hostile) }), hostile]) {
    expect(errorSentence(error)).not.toMatch(/\p{C}/u)
  }
})

test('parts become sentences, whether or not they end with a full stop', () => {
  expect(joinSentences(['The server is shutting down.', '', 'Retry in a moment.'])).toBe(
    'The server is shutting down. Retry in a moment.',
  )
  expect(joinSentences(['the key is wrong', 'Check it'])).toBe('the key is wrong. Check it')
})
