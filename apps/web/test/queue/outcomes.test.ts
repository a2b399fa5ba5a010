import type { ReviewItem, ReviewOutcome } from 'quorate/contract'
import { describe, expect, test } from 'vitest'
import { labelsWith } from '../../src/pages/queue/option-keys.ts'
import { graded, gradeOf, isComplete } from '../../src/pages/queue/session/outcomes.ts'

const candidates = ['x', 'y'].map((id) => ({ id, text: `answer ${id}`, alsoSaid: [] }))
// as: only the fields that the functions read
const item = { asks: { kind: 'grades', form: null, candidates } } as unknown as ReviewItem

describe('grades of open answers', () => {
  test('can be submitted when every answer has one, in any order', () => {
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

  test('replace another outcome, and those of answers that are not shown are dropped', () => {
    const typed: ReviewOutcome = { kind: 'answer', text: ' ' }
    expect(isComplete(item, typed)).toBe(false)
    expect(graded(item, typed, { answer: 'gone', right: true })).toEqual({ kind: 'grades', grades: [] })
  })
})

describe('the search for labels', () => {
  const options = ['refund', 'bug', 'a refund', 'late'].map((name) => ({
    name,
    text: name === 'late' ? 'No REFUND' : null,
  }))
  const names = (words: string) => labelsWith(options, words).map(({ option, index }) => `${index} ${option.name}`)

  test('keeps indexes, lists labels that begin with the words first, and searches their texts', () => {
    expect(names(' ')).toEqual(['0 refund', '1 bug', '2 a refund', '3 late'])
    expect(names('REF')).toEqual(['0 refund', '2 a refund', '3 late'])
    expect(names('zzz')).toEqual([])
  })
})
