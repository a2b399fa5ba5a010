import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8').split('\n')
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

test('the record on defaults quotes the mean rows of the results', () => {
  const record = read('docs/decisions/2026-11-16-total-is-the-default.md')
  const means = read('experiments/RECORDED.md').filter((line) => line.startsWith('| **mean Act, all kinds**'))
  expect(means).toHaveLength(4)
  for (const line of means) {
    const [, , policy, ...figures] = cellsOf(line)
    const quoted = record.find((each) => each.startsWith(`| ${policy} |`))
    expect(cellsOf(quoted ?? '').slice(2), policy).toEqual(figures)
  }
})
