import { beforeAll, describe, expect, test } from 'vitest'
import { type Cache, NO_CACHE } from '../../src/reproduce/cache.ts'
import { twinDocument } from '../../src/reproduce/document.ts'
import { measureAll } from '../../src/reproduce/measure-all.ts'
import { takeByWorld } from '../../src/reproduce/run-tasks.ts'
import { fullTable } from '../../src/reproduce/tables/full-table.ts'
import type { Measurements, Task } from '../../src/reproduce/tasks.ts'

/** Two small twins with one split, so that a whole run takes seconds. */
const SMALL = { seeds: [7], twins: ['arc', 'bbh'], recorded: [], real: [], twinCount: 320 } as const

function memoryCache(): Cache & { readonly stored: Map<string, unknown> } {
  const stored = new Map<string, unknown>()
  return {
    stored,
    get: (task) => stored.get(JSON.stringify(task)),
    set: (task, result) => void stored.set(JSON.stringify(task), JSON.parse(JSON.stringify(result))),
  }
}

describe('a small run', () => {
  let single: Measurements
  beforeAll(async () => {
    single = await measureAll({ ...SMALL, threads: 1, cache: NO_CACHE })
  })

  test('gives the same results with two threads, and again from the cache', async () => {
    const cache = memoryCache()
    const double = await measureAll({ ...SMALL, threads: 2, cache })
    expect(double).toEqual(single)
    const reported: string[] = []
    const again = await measureAll({ ...SMALL, threads: 2, cache, report: (_, __, task) => reported.push(task.kind) })
    expect(again).toEqual(single)
    expect(reported).toEqual([])
    expect(cache.stored.size).toBe(6)
  })

  test('makes a table with its numbers, without the twins that were left out', () => {
    const text = fullTable.text(single)
    expect(text).toContain('### ARC')
    expect(text).not.toContain('### MMLU-Pro')
    const oracle = text.split('\n').find((line) => line.startsWith('| Oracle'))!
    expect(oracle).toMatch(/96\.3 \/ \d+\.\d \(/)
    expect(twinDocument(single)).not.toMatch(/NaN|undefined/)
  })

  test('counts every policy on the test half', () => {
    for (const { splits } of single.twins.values()) {
      for (const policy of splits[0]!.policies) {
        if (policy.kind !== 'ran') continue
        for (const { outcome } of policy.five) expect(outcome.debates).toBe(160)
      }
    }
  })
})

test('a thread stays with its world, then takes a world of its own, and only then helps another thread', () => {
  const task = (name: 'arc' | 'bbh', seed: number): Task => ({
    kind: 'sweep',
    world: { kind: 'twin', name, draw: 7 },
    seed,
  })
  const tasks = [task('arc', 1), task('arc', 2), task('arc', 3), task('bbh', 1), task('bbh', 2)]
  const queue = takeByWorld(tasks, [...tasks.keys()])
  expect(queue(undefined)).toBe(0)
  expect(queue(undefined)).toBe(3)
  expect(queue('arc')).toBe(1)
  expect(queue('bbh')).toBe(4)
  expect(queue('bbh')).toBe(2)
  expect(queue('arc')).toBeUndefined()
})
