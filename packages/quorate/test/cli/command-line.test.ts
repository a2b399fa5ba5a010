import { expect, test } from 'vitest'
import { fileText, flagsText, programName } from '../../src/cli/command-line.ts'

test('words come back as they would be typed', () => {
  const flags = new Map<string, string | true>([
    ['beta', '0.1'],
    ['json', true],
    ['beliefs', "it's"],
    ['unordered', true],
  ])
  expect(flagsText(flags, ['json'])).toBe(String.raw`--beta 0.1 --beliefs 'it'\''s' --unordered`)
  expect(fileText('my file.jsonl')).toBe("'my file.jsonl'")
  expect(fileText('-x.jsonl')).toBe('./-x.jsonl')
})

test('the repository runs it through npm', () => {
  expect(programName({ npm_lifecycle_event: 'quorate' })).toBe('npm run quorate --')
  expect(programName({})).toBe('quorate')
})
