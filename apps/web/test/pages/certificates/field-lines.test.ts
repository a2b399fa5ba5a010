import { expect, test } from 'vitest'
import { fieldLines } from '../../../src/pages/certificates/field-lines.ts'

test('an unknown value has no lines', () => {
  expect(fieldLines(null)).toBeNull()
  expect(fieldLines(undefined)).toBeNull()
})

test('records are sorted by name, equal rounds are one line, counts have their commas', () => {
  expect(fieldLines({ b: 'y', a: 'x' })).toEqual(['a: x', 'b: y'])
  expect(fieldLines([['p', 'q'], ['p', 'q'], ['p']])).toEqual(['1–2: p, q', '3: p'])
  expect(fieldLines(4812)).toEqual(['4,812'])
  expect(fieldLines(0.07)).toEqual(['0.07'])
})
