import { expect, test } from 'vitest'
import { beliefText, readingOf } from '../../src/parts/belief-text.ts'

const TURN = { agent: 'ann', answer: 'A', beliefs: null, confidence: null, text: null }

test('the confidence of an agent is worded by how it was elicited', () => {
  expect(beliefText({ ...TURN, samples: ['A', null, 'A', 'B'] })).toBe('2 of 4 answers')
  expect(beliefText({ ...TURN, beliefs: { A: 0.8, B: 0.2 } })).toBe('gives it 80.0 %')
  expect(beliefText({ ...TURN, confidence: 0.7 })).toBe('states 70.0 %')
  expect(beliefText(TURN)).toBeNull()
  expect(beliefText({ ...TURN, answer: null, samples: ['A', 'B'] })).toBeNull()
})

test('a debate shows how its beliefs were elicited, unless it has no turns', () => {
  expect(readingOf([])).toBeNull()
  expect(readingOf([[TURN]])).toBe('vote')
  expect(readingOf([[TURN], [{ ...TURN, confidence: 0.7 }]])).toBe('stated')
  expect(readingOf([[{ ...TURN, beliefs: { A: 1 } }]])).toBe('given')
  expect(readingOf([[{ ...TURN, samples: ['A'] }]])).toBe('samples')
})
