import { expect, test } from 'vitest'
import { errorText } from '../../src/parts/error-text.ts'

test('an error ends with one full stop, whether its message comes from the server or the browser', () => {
  expect(errorText(new Error('The store cannot be used at the moment.'))).toBe(
    'The store cannot be used at the moment.',
  )
  expect(errorText(new Error('the server cannot be reached'))).toBe('the server cannot be reached.')
})
