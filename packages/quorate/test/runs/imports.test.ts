import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importDebates } from '../../src/runs/import-debates.ts'
import { importLabels } from '../../src/runs/import-labels.ts'
import { debatesOfFile, debatesOfRun } from '../../src/runs/recorded-debates.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { all, memoryStore } from './run-world.ts'

function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

function tools() {
  let id = 0
  return { now: () => 1, newId: () => `id ${++id}` }
}

describe('labels', () => {
  test('come from JSONL, or from CSV with columns of any name', async () => {
    const store = memoryStore()
    const lines = file('labels.jsonl', '{"id":"q1","gold":"A"}\n\n{"id":"q2","gold":"B"}\n')
    const table = file('labels.csv', 'Case,Verdict\nq3,"C"\n')
    const given = tools()
    expect(await importLabels(store, { path: lines }, given)).toBe(2)
    expect(await importLabels(store, { path: table, columns: { id: 'Case', gold: 'Verdict' } }, given)).toBe(1)
    const labels = await store.labels.list({ after: null, limit: 9 })
    expect(labels.map(({ questionId, gold, source }) => [questionId, gold, source])).toEqual([
      ['q1', 'A', 'import'],
      ['q2', 'B', 'import'],
      ['q3', 'C', 'import'],
    ])
  })

  test.each([
    ['labels.jsonl', '{"id":"q1"}\n', 'line 1: gold must be a text'],
    ['labels.jsonl', 'q1,A\n', 'line 1 must be one JSON object'],
    ['labels.csv', 'id,verdict\nq1,A\n', 'line 1: expected a column "gold"'],
  ])('of %s that say %j are refused: %s', async (name, text, words) => {
    await expect(importLabels(memoryStore(), { path: file(name, text) }, tools())).rejects.toThrow(words)
  })
})

describe('debates held elsewhere', () => {
  test('become a run that gives them back as they were', async () => {
    const store = memoryStore()
    const debates = simulatePanel({ seed: 2, count: 5 })
    const path = file('debates.jsonl', debates.map((debate) => `${JSON.stringify(debate)}\n`).join(''))
    const run = await importDebates(store, () => debatesOfFile(path), { ...tools(), where: 'debates.jsonl' })
    const back = await all(debatesOfRun(store, run))
    expect(back.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(debates)))
    expect(await store.runs.counts(run.id)).toMatchObject({ done: 5, pending: 0 })
  })

  test('are refused as a whole where one is wrong', async () => {
    const store = memoryStore()
    const path = file('debates.jsonl', '{"id":"q","options":["A"],"rounds":[]}\n')
    const given = { ...tools(), where: 'debates.jsonl' }
    await expect(importDebates(store, () => debatesOfFile(path), given)).rejects.toThrow('debates.jsonl: line 1')
    expect(await store.runs.list(9)).toEqual([])
  })
})
