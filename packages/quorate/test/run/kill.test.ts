import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'
import { FAULTS } from '../fake-provider/faults.ts'
import { PLANTED_KEY, providerFolder, startCommand } from './provider-folder.ts'

const QUESTIONS = sized({ short: 18, full: 25 })
const KILLS = sized({ short: 3, full: 4 })
const DEBATE = ['debate', 'questions.jsonl', '--trust-config', '--json']

test('killed at random moments, a run loses no committed answer, asks none twice and accounts for every charge', async () => {
  const faults = FAULTS.filter((fault) => fault !== 'hang')
  const fake = await startFakeProvider({ seed: 3, faultRate: 0.1, faults, latencyMs: 20, echoesKey: true })
  const folder = providerFolder(fake.url, { questions: QUESTIONS })
  const random = seededRandom(11)
  let output = ''
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, output: read } = startCommand(folder, kill === 0 ? DEBATE : [...DEBATE, '--resume'])
    const until = fake.counts().requests + 5 + Math.floor(random() * 40)
    while (fake.counts().requests < until && child.exitCode === null) await new Promise((next) => setTimeout(next, 2))
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    output += read()
  }
  const last = startCommand(folder, [...DEBATE, '--resume'])
  const [code] = await once(last.child, 'exit')
  output += last.output()
  expect(code, output).toBe(0)

  const store = openSqlite(join(folder, '.quorate/quorate.db'), { now: () => 0 })
  const runs = await store.runs.list(10)
  expect(runs).toHaveLength(1)
  const runId = runs[0]?.id ?? ''
  expect(await store.runs.counts(runId)).toMatchObject({ done: QUESTIONS, pending: 0 })
  const calls = await store.calls.list(runId, { after: null, limit: 10_000 })
  const answered = calls.filter(({ state }) => state === 'answered')
  const places = answered.map((call) => JSON.stringify([call.questionId, call.agent, call.round, call.isReminder]))
  expect(new Set(places).size).toBe(places.length)
  expect(places.length).toBeGreaterThanOrEqual(QUESTIONS * 9)
  const spend = await store.calls.spend(runId)
  const { charged } = fake.counts()
  expect(spend.calls.open).toBe(0)
  expect(spend.inputTokens).toBe(answered.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0))
  expect(spend.committedMicroUsd + spend.reservedMicroUsd).toBeGreaterThanOrEqual(
    10 * (charged.inputTokens + charged.outputTokens),
  )
  await store.close()
  await fake.close()

  expect(output).not.toContain(PLANTED_KEY)
  for (const file of readdirSync(join(folder, '.quorate'))) {
    expect(readFileSync(join(folder, '.quorate', file)).includes(PLANTED_KEY), file).toBe(false)
  }
})
