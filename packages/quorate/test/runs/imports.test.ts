import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foundRun } from '../../src/runs/found-run.ts'
import { importDebates } from '../../src/runs/import-debates.ts'
import { importLabels } from '../../src/runs/import-labels.ts'
import { debatesOfFile, debatesOfRun } from '../../src/runs/recorded-debates.ts'
import { readStoredQuestion } from '../../src/runs/stored-question.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../store/store-under-test.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { all } from './run-world.ts'

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
    const store = await newStore()
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
    ['labels.jsonl', '{"id":"q1"}\n', 'line 1: gold must be a text that is not blank, got nothing'],
    [
      'labels.jsonl',
      '{"id":"q1","gold":"A"}\n{"id":"q2","gold":7}\n',
      'line 2: gold must be a text that is not blank, got 7',
    ],
    ['labels.jsonl', '3\n', 'line 1: the line must be an object {"id": ..., "gold": ...}, got 3'],
    ['labels.csv', 'id,gold\nq1,A\nq2\n', 'line 3: the row must be of 2 cells like the header'],
    ['labels.csv', '', 'expected labels, one a line, got none'],
    ['labels.jsonl', 'q1,A\n', 'line 1 must be one JSON object'],
    ['labels.csv', 'id,verdict\nq1,A\n', 'line 1: the column of gold must be a column of the header'],
  ])('of %s that say %j are refused: %s', async (name, text, words) => {
    const store = await newStore()
    await expect(importLabels(store, { path: file(name, text) }, tools())).rejects.toThrow(words)
    expect(await store.labels.list({ after: null, limit: 9 })).toEqual([])
  })
})

describe('debates held elsewhere', () => {
  test('become a run that gives them back as they were', async () => {
    const store = await newStore()
    const debates = simulatePanel({ seed: 2, count: 5 })
    const path = file('debates.jsonl', debates.map((debate) => `${JSON.stringify(debate)}\n`).join(''))
    const run = await importDebates(store, () => debatesOfFile(path), { ...tools(), where: 'debates.jsonl' })
    const back = await all(debatesOfRun(store, run))
    expect(back.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(debates)))
    expect(await store.runs.counts(run.id)).toMatchObject({ done: 5, pending: 0 })
  })

  test.each([
    ['no rounds', '{"id":"r","options":["A"],"rounds":[]}', 'debates.jsonl: line 2.rounds must be'],
    [
      'an id that was there',
      '{"id":"q","options":["A"],"rounds":[[{"agent":"x","answer":"A"}]]}',
      'line 1 has the same',
    ],
    ['no JSON', 'q,A', 'line 2 must be one JSON object'],
  ])('are refused as a whole where one has %s', async (_, line, words) => {
    const store = await newStore()
    const path = file('debates.jsonl', `{"id":"q","options":["A"],"rounds":[[{"agent":"x","answer":"A"}]]}\n${line}\n`)
    const given = { ...tools(), where: 'debates.jsonl' }
    await expect(importDebates(store, () => debatesOfFile(path), given)).rejects.toThrow(words)
    expect(await store.runs.list(9)).toEqual([])
  })

  test('of options that objects have by themselves keep their names', async () => {
    const store = await newStore()
    const debate = { id: 'q', options: ['__proto__', 'constructor'], rounds: [[{ agent: 'x', answer: '__proto__' }]] }
    const path = file('debates.jsonl', `${JSON.stringify(debate)}\n`)
    const run = await importDebates(store, () => debatesOfFile(path), { ...tools(), where: 'x' })
    const [row] = await store.runs.questions(run.id, { after: -1, limit: 1 })
    expect(readStoredQuestion(row?.question ?? '').options.map(({ text }) => text)).toEqual(debate.options)
  })

  test.each(['debates', 'ledger', 'runs'] as const)(
    'that were cut off while %s were written are no run to use, until the same file is imported again',
    async (place) => {
      const store = await newStore()
      const debates = simulatePanel({ seed: 2, count: 230 })
      const path = file('debates.jsonl', debates.map((debate) => `${JSON.stringify(debate)}\n`).join(''))
      const read = () => debatesOfFile(path)
      const given = { ...tools(), where: 'debates.jsonl' }
      await expect(importDebates(dying(store, place), read, given)).rejects.toThrow('killed')
      const [half] = await store.runs.list(9)
      await expect(foundRun(store, half?.id ?? '')).rejects.toThrow('import the file again, it goes on')
      const run = await importDebates(store, read, given)
      expect(run.id).toBe(half?.id)
      expect((await store.runs.list(9)).map(({ status }) => status)).toEqual(['done'])
      expect((await all(debatesOfRun(store, await foundRun(store, run.id)))).length).toBe(230)
      const kinds = (await store.ledger.list(run.id, { after: 0, limit: 9 })).map(({ line }) => JSON.parse(line).kind)
      expect(kinds).toEqual(['run-opened', 'run-closed'])
    },
  )
})

/** A process that ends at its 150th debate, before its last ledger row, or before it calls the run finished. */
function dying(store: Store, place: 'debates' | 'ledger' | 'runs'): Store {
  const killed = () => Promise.reject(new Error('killed'))
  let saved = 0
  const save: Store['debates']['save'] = (debate) => (++saved > 150 ? killed() : store.debates.save(debate))
  const append: Store['ledger']['append'] = (entry) =>
    entry.kind === 'run-closed' ? killed() : store.ledger.append(entry)
  if (place === 'debates') return { ...store, debates: { ...store.debates, save } }
  if (place === 'ledger') return { ...store, ledger: { ...store.ledger, append } }
  return { ...store, runs: { ...store.runs, finish: killed } }
}
