import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { debatesOfFile, debatesOfRun } from '../../../src/run/calibration/recorded-debates.ts'
import { importDebates } from '../../../src/run/exchange/import-debates.ts'
import { importLabels } from '../../../src/run/exchange/import-labels.ts'
import { findRun } from '../../../src/run/find-run.ts'
import { readStoredQuestion } from '../../../src/run/stored-question.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import type { Store } from '../../../src/store/store.ts'
import { timeOrderedIds } from '../../../src/store/time-ordered-id.ts'
import { newStore } from '../../store/store-under-test.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { all } from '../run-world.ts'

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
    await importDebated(store, ['q1', 'q2', 'q3'])
    const lines = file('labels.jsonl', '{"id":"q1","gold":"A"}\n\n{"id":"q2","gold":"B"}\n')
    const table = file('labels.csv', 'Case,Verdict\nq3,"C"\n')
    const given = tools()
    expect(await importLabels(store, { path: lines }, given)).toEqual({ labels: 2, unknown: 0 })
    expect(await importLabels(store, { path: table, columns: { id: 'Case', gold: 'Verdict' } }, given)).toEqual({
      labels: 1,
      unknown: 0,
    })
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
    ['labels.csv', 'id,gold\nq1,A\nq2\n', 'line 3, column 2: the row must be of 2 cells like the header'],
    ['labels.csv', '', 'expected labels, one per line, got none'],
    ['labels.jsonl', 'q1,A\n', 'line 1 must be one JSON object'],
    ['labels.csv', 'id,verdict\nq1,A\n', 'line 1: the column of gold must be a column of the header'],
  ])('of %s that say %j are refused: %s', async (name, text, words) => {
    const store = await newStore()
    await expect(importLabels(store, { path: file(name, text) }, tools())).rejects.toThrow(words)
    expect(await store.labels.list({ after: null, limit: 9 })).toEqual([])
  })
})

/** Debates without the right option, of options A, B and C, in a run of their own. */
async function importDebated(
  store: Store,
  ids: readonly string[],
  gold: string | null = null,
  options: readonly string[] = ['A', 'B', 'C'],
): Promise<void> {
  const rounds = [[{ agent: 'ann', answer: options[0] }]]
  const lines = ids.map((id) => JSON.stringify({ id, options, gold, rounds }))
  const path = file('imported.jsonl', `${lines.join('\n')}\n`)
  let made = 0
  const given = { now: () => 1, newId: () => `run ${++made} of ${ids.join()}`, where: 'imported.jsonl' }
  await importDebates(store, () => debatesOfFile(path), given)
}

describe('labels that cannot be right are refused, all of the file:', () => {
  test.each([
    [
      'no run has the question',
      'q9,A',
      'line 3: no run has a question "q9". Correct the id, or leave such labels out with --skip-unknown',
    ],
    ['no option of the question', 'q2,D', 'line 3: gold must be one of "A", "B", "C", got "D"'],
    ['the same question twice', 'q1,A', 'line 3: id must be a unique question'],
    [
      'another label was there',
      'q3,A',
      'line 3: gold must be "B" as an earlier label says, or come with --replace, got "A"',
    ],
    ['the question says otherwise', 'q4,A', 'line 3: gold must be "C" as the question itself says'],
  ])('%s', async (_claim, row, words) => {
    const store = await newStore()
    const given = tools()
    await importDebated(store, ['q1', 'q2', 'q3'])
    await importDebated(store, ['q4'], 'C')
    await importLabels(store, { path: file('labels.csv', 'id,gold\nq3,B\n') }, given)
    await expect(importLabels(store, { path: file('labels.csv', `id,gold\nq1,B\n${row}\n`) }, given)).rejects.toThrow(
      words,
    )
    expect(await store.labels.list({ after: null, limit: 9 })).toHaveLength(1)
  })

  test('the number 1 as the right answer is not read as class 1 of open answers', async () => {
    const store = await newStore()
    await importDebated(store, ['q1'], null, ['1', '2', 'other'])
    const path = file('labels.csv', 'id,gold\nq1,1\n')
    await expect(importLabels(store, { path }, tools())).rejects.toThrow('where answers are open')
    expect(await store.labels.list({ after: null, limit: 9 })).toEqual([])
  })

  test('one that contradicts an earlier one is imported on demand, and one that agrees always', async () => {
    const store = await newStore()
    const given = tools()
    await importDebated(store, ['q1'])
    const labelled = (gold: string, isReplacing = false) =>
      importLabels(store, { path: file('labels.csv', `id,gold\nq1,${gold}\n`), isReplacing }, given).then(
        ({ labels }) => labels,
      )
    expect([await labelled('B'), await labelled('B'), await labelled('A', true)]).toEqual([1, 1, 1])
    expect((await store.labels.of('q1')).map(({ gold }) => gold)).toEqual(['B', 'B', 'A'])
  })

  test('of a question that no run has is refused, or left out and counted on demand', async () => {
    const store = await newStore()
    await importDebated(store, ['q1'])
    const path = file('labels.csv', 'id,gold\nq1,B\nq99,A\n')
    await expect(importLabels(store, { path }, tools())).rejects.toThrow('no run has a question "q99"')
    expect(await importLabels(store, { path, skipsUnknown: true }, tools())).toEqual({ labels: 1, unknown: 1 })
  })

  test('one that replaces another counts, even if the clock was an hour ahead when the other one was imported', async () => {
    const store = await newStore()
    await importDebated(store, ['q1'])
    const labelled = (gold: string, time: number) => {
      const now = () => time
      const given = { now, newId: timeOrderedIds({ now, random: seededRandom(time % 1000) }) }
      return importLabels(store, { path: file('labels.csv', `id,gold\nq1,${gold}\n`), isReplacing: true }, given)
    }
    await labelled('B', 1_790_003_600_007)
    await labelled('C', 1_790_000_000_008)
    expect((await store.labels.of('q1')).map(({ gold }) => gold)).toEqual(['B', 'C'])
    expect((await store.labels.ofAll(['q1'])).at(-1)).toMatchObject({ gold: 'C' })
    const [listed] = await store.debates.latest({ after: null, limit: 9, now: 0 })
    expect(listed?.label).toMatchObject({ gold: 'C' })
    const [run] = await store.runs.list(1)
    if (run === undefined) throw new Error('the run is gone')
    expect((await all(debatesOfRun(store, run))).map(({ value }) => value)).toMatchObject([{ gold: 'C' }])
    const before = await store.monitor.position()
    await labelled('A', 1_790_000_000_001)
    expect(await store.monitor.position(), 'what was made of the labels is made anew').not.toBe(before)
  })
})

describe('debates of another tool', () => {
  test('that are nested too deeply are refused with file and line', async () => {
    const store = await newStore()
    const debate = { id: 'q1', options: ['A', 'B'], gold: 'A', rounds: [[{ agent: 'a', answer: 'A' }]] }
    const deep = (levels: number) =>
      `{"id":"q2","x":${'['.repeat(levels)}${']'.repeat(levels)},${JSON.stringify({ ...debate, id: undefined }).slice(1)}`
    const imported = (levels: number) => {
      const path = file('debates.jsonl', `${JSON.stringify(debate)}\n${deep(levels)}\n`)
      return importDebates(store, () => debatesOfFile(path), { ...tools(), where: 'debates.jsonl' })
    }
    for (const levels of [100, 200_000]) {
      await expect(imported(levels)).rejects.toThrow(/debates\.jsonl: line 2 must be nested 100 levels deep at most/)
    }
    expect(await store.runs.list(9)).toEqual([])
    await imported(99)
  })

  test('keep no unknown field once their question is redacted, and no hash of its text', async () => {
    const hashOf = async (text: string) => {
      const store = await newStore()
      const turn = { agent: 'a', answer: 'A', thoughts: text, meta: { note: text } }
      const debate = { id: 'q', question: 'Is it?', options: ['A', 'B'], title: text, rounds: [[turn]] }
      const path = file('debates.jsonl', JSON.stringify(debate))
      const run = await importDebates(store, () => debatesOfFile(path), { ...tools(), where: 'debates.jsonl' })
      await store.redact('q')
      expect(JSON.stringify(await store.debates.find(run.id, 'q'))).not.toContain(text)
      return run.questionsHash
    }
    expect(await hashOf('one secret')).toBe(await hashOf('another one'))
  })

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
  ])('are refused as a whole if one has %s', async (_, line, words) => {
    const store = await newStore()
    const path = file('debates.jsonl', `{"id":"q","options":["A"],"rounds":[[{"agent":"x","answer":"A"}]]}\n${line}\n`)
    const given = { ...tools(), where: 'debates.jsonl' }
    await expect(importDebates(store, () => debatesOfFile(path), given)).rejects.toThrow(words)
    expect(await store.runs.list(9)).toEqual([])
  })

  test('with options named like members of objects keep their names', async () => {
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
      await expect(findRun(store, half?.id ?? '')).rejects.toThrow('import the file again to continue it')
      const run = await importDebates(store, read, given)
      expect(run.id).toBe(half?.id)
      expect((await store.runs.list(9)).map(({ status }) => status)).toEqual(['done'])
      expect((await all(debatesOfRun(store, await findRun(store, run.id)))).length).toBe(230)
      const kinds = (await store.ledger.list(run.id, { after: 0, limit: 9 })).map(({ line }) => JSON.parse(line).kind)
      expect(kinds).toEqual(['run-opened', 'run-closed'])
    },
  )
})

/** A process that ends at its 150th debate, before its last ledger row, or before it marks the run as done. */
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
