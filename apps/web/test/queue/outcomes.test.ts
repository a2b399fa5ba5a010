import type { ReviewItem, ReviewOutcome } from 'quorate/contract'
import { describe, expect, test } from 'vitest'
import { labelsWith } from '../../src/pages/queue/option-keys.ts'
import { graded, gradeOf, isComplete } from '../../src/pages/queue/session/outcomes.ts'

const candidates = ['x', 'y'].map((id) => ({ id, text: `answer ${id}`, alsoSaid: [] }))
// as: what the functions read of an item
const item = { asks: { kind: 'grades', form: null, candidates } } as unknown as ReviewItem

describe('grades of open answers', () => {
  test('can be submitted when every answer has one, in whatever order they were given', () => {
    const first = graded(item, null, { answer: 'y', right: null })
    expect(isComplete(item, first)).toBe(false)
    const both = graded(item, graded(item, first, { answer: 'x', right: false }), { answer: 'x', right: true })
    expect(both).toEqual({
      kind: 'grades',
      grades: [
        { answer: 'x', right: true },
        { answer: 'y', right: null },
      ],
    })
    expect(isComplete(item, both)).toBe(true)
    expect([gradeOf(first, 'x'), gradeOf(first, 'y')]).toEqual([undefined, null])
  })

  test('take the place of another outcome, and of an answer that is not shown nothing is kept', () => {
    const typed: ReviewOutcome = { kind: 'answer', text: ' ' }
    expect(isComplete(item, typed)).toBe(false)
    expect(graded(item, typed, { answer: 'gone', right: true })).toEqual({ kind: 'grades', grades: [] })
  })
})

describe('labels that are looked for', () => {
  const options = ['refund', 'bug', 'a refund', 'late'].map((name) => ({
    name,
    text: name === 'late' ? 'No REFUND' : null,
  }))
  const names = (words: string) => labelsWith(options, words).map(({ option, index }) => `${index} ${option.name}`)

  test('keep their places, begin with the words first, and are found by what they mean', () => {
    expect(names(' ')).toEqual(['0 refund', '1 bug', '2 a refund', '3 late'])
    expect(names('REF')).toEqual(['0 refund', '2 a refund', '3 late'])
    expect(names('zzz')).toEqual([])
  })
})
