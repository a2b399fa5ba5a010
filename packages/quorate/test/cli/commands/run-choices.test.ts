import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { startFakeProvider } from '../../fake-provider/fake-provider.ts'
import { inForm } from '../../fake-provider/in-form.ts'
import { simulatedQuestions } from '../../run/run-world.ts'
import { commandFolder } from '../command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
const CONFIG = { panel: { agents: AGENTS, rounds: 2 }, budget: { beta: 0.3 }, review: { spotCheckRate: 0 } }

type Folder = ReturnType<typeof commandFolder>

/** Debates of labelled questions, a certificate from them, and new questions. */
async function calibrated(): Promise<Folder> {
  const folder = commandFolder(CONFIG)
  folder.ask('labelled.jsonl', simulatedQuestions(120))
  folder.ask('fresh.jsonl', simulatedQuestions(12, { from: 120 }))
  const { runId } = (await folder.run(['debate', 'labelled.jsonl', '--json'])).json()
  const made = await folder.run(['calibrate', '--run', runId, '--out', 'certificate.json'])
  expect(made.status, made.stderr).toBe(0)
  return folder
}

function linesOf(folder: Folder, name: string) {
  const lines = readFileSync(folder.at(name), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe('--resume', () => {
  test('continues the named run or the latest one, and refuses other questions or another config', async () => {
    const folder = commandFolder(CONFIG)
    folder.ask('one.jsonl', simulatedQuestions(4))
    folder.ask('two.jsonl', simulatedQuestions(4, { from: 4 }))
    const { runId } = (await folder.run(['debate', 'one.jsonl', '--json'])).json()
    for (const flag of [['--resume'], ['--resume', runId], [`--resume=${runId}`]]) {
      const again = await folder.run(['debate', 'one.jsonl', '--json', ...flag])
      expect(again.json(), again.stderr).toMatchObject({ runId, statuses: { done: 4 } })
    }
    const refusals = [
      [['debate', 'two.jsonl', '--resume'], 'no debate run has these questions and this config'],
      [['debate', 'two.jsonl', '--resume', runId], 'another file of questions'],
      [['debate', 'one.jsonl', '--resume', '--seed', '99'], 'no debate run has these questions and this config'],
      [['debate', 'one.jsonl', '--resume', runId, '--seed', '99'], 'another config'],
      [['debate', 'one.jsonl', '--resume=nothing'], 'no debate run has the id "nothing"'],
    ] as const
    for (const [args, words] of refusals) {
      expect(await folder.run(args)).toMatchObject({ status: 1, stderr: expect.stringContaining(words) })
    }
  })

  test('with --retry-errors repeats failed calls, but no answered ones', async () => {
    const fake = await startFakeProvider({ answer: ({ text }) => inForm(text, { answer: 'A' }) })
    const price = { inputUsdPerMillion: 10, outputUsdPerMillion: 10 }
    const agents = ['ann', 'bob'].map((name) => ({
      name,
      model: `openai-compatible/${name}`,
      baseURL: `${fake.url}/v1`,
    }))
    const prices = Object.fromEntries(agents.map(({ model }) => [model, price]))
    const folder = commandFolder({
      ...CONFIG,
      panel: { agents, rounds: 1 },
      limits: { attempts: 1, concurrency: 1 },
      prices,
    })
    folder.ask('one.jsonl', simulatedQuestions(1))
    // The first request is rejected permanently.
    fake.next({ status: 400, message: 'no' })
    const failed = await folder.run(['debate', 'one.jsonl', '--json'])
    expect(failed.json(), failed.stderr).toMatchObject({ statuses: { 'agent-failure': 1 } })
    expect(failed.status).toBe(1)
    const left = await folder.run(['debate', 'one.jsonl', '--json', '--resume'])
    expect(left).toMatchObject({ status: 1 })
    const before = fake.counts().requests
    const again = await folder.run(['debate', 'one.jsonl', '--json', '--retry-errors'])
    expect(again.json(), again.stderr).toMatchObject({ runId: failed.json().runId, statuses: { done: 1 } })
    expect(again.status).toBe(0)
    expect(fake.counts().requests - before).toBeLessThanOrEqual(1)
    await fake.close()
  })
})

describe('decide', () => {
  test('--shadow makes the same decisions, marks them and creates no review items', async () => {
    const folder = await calibrated()
    const decide = ['decide', 'fresh.jsonl', '--certificate', 'certificate.json', '--json']
    const shadow = await folder.run([...decide, '--shadow', '--out', 'shadow.jsonl'])
    expect(shadow.status, shadow.stderr).toBe(0)
    expect(await reviewsIn(folder)).toEqual([])
    const open = await folder.run([...decide, '--out', 'open.jsonl'])
    expect(open.json()).toMatchObject({ acted: shadow.json()['acted'], deferred: shadow.json()['deferred'] })
    const bounds = (name: string) => new Map(linesOf(folder, name).map(({ questionId, path }) => [questionId, path]))
    expect(bounds('shadow.jsonl')).toEqual(bounds('open.jsonl'))
    expect(linesOf(folder, 'shadow.jsonl').every(({ isShadow }) => isShadow)).toBe(true)
    const deferred = linesOf(folder, 'open.jsonl').filter(({ kind }) => kind === 'defer')
    expect((await reviewsIn(folder)).length).toBe(deferred.length)
    const mixed = await folder.run([...decide, '--resume', shadow.json().runId])
    expect(mixed).toMatchObject({ status: 1, stderr: expect.stringContaining('another setting of --shadow') })
  })

  test('a calibration question is refused before any call, and --allow-seen is recorded', async () => {
    const folder = await calibrated()
    folder.ask('seen.jsonl', simulatedQuestions(2, { from: 119 }))
    const decide = ['decide', 'seen.jsonl', '--certificate', 'certificate.json', '--json', '--out', 'decisions.jsonl']
    const refused = await folder.run(decide)
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('--allow-seen') })
    const allowed = await folder.run([...decide, '--allow-seen'])
    expect(allowed.status, allowed.stderr).toBe(0)
    const seen = linesOf(folder, 'decisions.jsonl').filter(({ isSeen }) => isSeen)
    expect(seen.map(({ questionId }) => questionId)).toEqual(['simulated-00120'])
    const store = openSqlite(folder.at('.quorate/quorate.db'), { now: () => 0 })
    const [opened] = await store.ledger.list(allowed.json().runId, { after: 0, limit: 1 })
    await store.close()
    expect(JSON.parse(opened?.line ?? '')).toMatchObject({ body: { seen: ['simulated-00120'] } })
  })

  test('--fail-on-defer exits with 10, and with 20 if the budget cannot be met', async () => {
    const folder = await calibrated()
    const decide = ['decide', 'fresh.jsonl', '--json', '--fail-on-defer', '--certificate']
    const low = ['--beta', '0.2', '--delta', '0.03', '--profile', 'cells']
    const strict = ['--beta', '0.0305', '--delta', '0.03', '--epsilon', '0']
    const { runId } = (await folder.run(['debate', 'labelled.jsonl', '--json', '--resume'])).json()
    const made = await folder.run(['calibrate', '--run', runId, '--out', 'strict.json', ...strict])
    expect(made.status, made.stderr).toBe(20)
    const none = await folder.run([...decide, 'strict.json', ...strict])
    expect(none.status, none.stderr).toBe(20)
    expect(none.json()).toMatchObject({ acted: 0, deferred: { 'too-few-labels': 12 } })
    const paper = [...strict, '--profile', 'paper']
    const spent = await folder.run(['calibrate', '--run', runId, '--out', 'paper.json', ...paper])
    expect(spent.status, spent.stderr).toBe(20)
    const never = await folder.run([...decide, 'paper.json', ...paper])
    expect(never.status, never.stderr).toBe(20)
    expect(never.json()).toMatchObject({ acted: 0, deferred: { 'budget-infeasible': 12 } })
    const lower = await folder.run(['calibrate', '--run', runId, '--out', 'low.json', ...low])
    expect(lower.status, lower.stderr).toBe(0)
    const deferred = await folder.run([...decide, 'low.json', ...low])
    expect(deferred.status, deferred.stderr).toBe(10)
  })
})

async function reviewsIn(folder: Folder) {
  const store = openSqlite(folder.at('.quorate/quorate.db'), { now: () => 0 })
  const reviews = await store.reviews.list({ after: null, limit: 100 })
  await store.close()
  return reviews
}
