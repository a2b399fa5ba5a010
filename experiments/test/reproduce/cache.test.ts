import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fileCache, hashOfFiles, keyOf, measuringSources } from '../../src/reproduce/cache.ts'
import type { Task } from '../../src/reproduce/tasks.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const TASK: Task = { kind: 'sweep', world: { kind: 'twin', name: 'arc', draw: 7 }, seed: 7 }
const bytes = (text: string) => new TextEncoder().encode(text)

test('the key changes with the task, with the code and with the recorded file', () => {
  const keys = [
    keyOf(TASK, 'code', 'data'),
    keyOf({ ...TASK, seed: 11 }, 'code', 'data'),
    keyOf({ ...TASK, world: { kind: 'twin', name: 'arc', draw: 7, count: 100 } }, 'code', 'data'),
    keyOf(TASK, 'other code', 'data'),
    keyOf(TASK, 'code', 'other data'),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(keyOf({ ...TASK }, 'code', 'data')).toBe(keys[0])
})

test('the hash of the code changes with a byte, with a name and with a file, but not with the order', () => {
  const files = new Map([
    ['a.ts', bytes('one')],
    ['b.ts', bytes('two')],
  ])
  const changed = [
    new Map([...files, ['b.ts', bytes('tw0')]] as const),
    new Map([...files, ['c.ts', bytes('')]] as const),
    new Map([
      ['a.ts', bytes('onet')],
      ['b.ts', bytes('wo')],
    ]),
  ]
  for (const other of changed) expect(hashOfFiles(other)).not.toBe(hashOfFiles(files))
  expect(hashOfFiles(new Map([...files].reverse()))).toBe(hashOfFiles(files))
})

test('what a thread can import is part of the code', () => {
  const sources = measuringSources(ROOT)
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const text = new TextDecoder().decode(sources.get(file) ?? bytes(''))
    for (const [, path] of text.matchAll(/(?:from|import) '(\.[^']+)'/g))
      visit(join(file, '..', path!).replaceAll('\\', '/'))
  }
  visit('experiments/src/reproduce/task-worker.ts')
  expect(seen.size).toBeGreaterThan(15)
  expect([...seen].filter((file) => !sources.has(file))).toEqual([])
})

test('a stored result comes back, another task finds none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reproduce-'))
  const cache = fileCache(folder)
  cache.set(TASK, { trainError: 0.25 })
  expect(fileCache(folder).get(TASK)).toEqual({ trainError: 0.25 })
  expect(cache.get({ ...TASK, seed: 11 })).toBeUndefined()
  rmSync(folder, { recursive: true })
})
