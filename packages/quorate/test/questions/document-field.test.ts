import { expect, test } from 'vitest'
import { fieldId, isFieldOf } from '../../src/questions/document-field.ts'

test('a field belongs to its document alone, also where the ID of another document begins with the same words', () => {
  for (const name of ['total', 'Größe_2', '7']) expect(isFieldOf('inv', fieldId('inv', name))).toBe(true)
  expect(isFieldOf('inv#2', 'inv#2#total')).toBe(true)
  for (const other of ['inv', 'inv#', 'inv2#total', 'inv#2#total', 'inv#a b', `inv#${'x'.repeat(65)}`]) {
    expect(isFieldOf('inv', other)).toBe(false)
  }
})
