import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { firstDifference, isSameLine } from '../../src/reproduce/compare-results.ts'

test('a number may differ by two units of its last digit or by 1 %', () => {
  expect(isSameLine('| ARC | 75.5 / 71.2 (-4.3) |', '| ARC  | 75.5 / 71.0 (-4.5) |')).toBe(true)
  expect(isSameLine('Act 71.2', 'Act 72.0')).toBe(false)
  expect(isSameLine('lambda 2.40', 'lambda 2.42')).toBe(true)
  expect(isSameLine('gap +.01', 'gap -.01')).toBe(true)
  expect(isSameLine('gap .01', 'gap -.02')).toBe(false)
})

test('words, counts and verdicts are exact', () => {
  expect(isSameLine('10 claims: 7 hold', '10 claims: 6 hold')).toBe(false)
  expect(isSameLine('| holds | 1.0 |', '| does not hold | 1.0 |')).toBe(false)
  expect(isSameLine('no evidence', '1.0')).toBe(false)
})

test('a missing line is a difference, and so is a missing file', () => {
  expect(firstDifference('a\nb', 'a\nb')).toBeNull()
  expect(firstDifference('a\nb', 'a')).toContain('line 2')
  expect(firstDifference('', 'a')).toContain('line 1')
})

test('a check that has nothing to compare fails', async () => {
  const main = resolve(import.meta.dirname, '../../src/reproduce/main.ts')
  const args = ['--conditions=quorate-source', main, '--check', '--part', 'recorded']
  const env = { ...process.env, QUORATE_DATA: resolve(import.meta.dirname, 'no-such-folder') }
  await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was made or checked'),
  })
})
