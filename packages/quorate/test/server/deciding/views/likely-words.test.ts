import { expect, test } from 'vitest'
import { likelyWords } from '../../../../src/server/deciding/views/likely-words.ts'
import { editsBetween } from '../../../../src/text/nearest-name.ts'

const TEXTS = ['Charged twice for October', 'I was charged for two seats', 'Where is my parcel?']

test('a misspelt word is replaced by the nearest one that texts have', () => {
  expect(likelyWords('chargd', TEXTS)).toBe('charged')
  expect(likelyWords('charged twcie', TEXTS)).toBe('charged twice')
})

test('nothing is suggested for words that are known, too short or unlike all others', () => {
  expect(likelyWords('parcel', TEXTS)).toBeNull()
  expect(likelyWords('myy', TEXTS)).toBeNull()
  expect(likelyWords('subscription', TEXTS)).toBeNull()
})

test('a swap of neighbours is one edit', () => {
  expect(editsBetween('twcie', 'twice')).toBe(1)
  expect(editsBetween('kitten', 'sitting')).toBe(3)
  expect(editsBetween('', 'abc')).toBe(3)
})
