import { expect, test } from 'vitest'
import { readOptions } from '../../src/reproduce/options.ts'

test('a table is named by its number in the paper or by its name; 18 repeats 2', () => {
  for (const [asked, name] of [
    ['1', 'main'],
    ['2', 'matched'],
    ['18', 'matched'],
    ['frontier', 'frontier'],
    ['23', 'decomposition'],
  ]) {
    expect(readOptions(['--table', asked!])).toMatchObject({ table: { name } })
  }
})

test('an impossible request is refused with a sentence', () => {
  expect(readOptions(['--table', '5'])).toBe('Table 5 of the paper has no numbers.')
  expect(readOptions(['--table', '99'])).toContain('no table 99')
  expect(readOptions(['--threads', '0'])).toContain('--threads')
  expect(readOptions(['--check', '--quick'])).toContain('--check')
  expect(readOptions(['--part', 'twin'])).toBe('--part: expected twins or recorded, got twin')
  expect(readOptions(['--fast'])).toContain('--fast')
})

test('without arguments it makes everything on all cores', () => {
  expect(readOptions([])).toMatchObject({ isQuick: false, table: null, out: null, isCheck: false, part: null })
})
