import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { PLANTED_KEY, startCommand } from './provider-folder.ts'

const QUESTIONS = 12
const ROUNDS = 2
const PRICE = 10
const DEBATE = ['debate', 'questions.jsonl', '--batch', '--poll', '0.05', '--trust-config', '--json']

/** Two agents of OpenAI and one of Anthropic behind the fake provider. */
async function world() {
  const fake = await startFakeProvider()
  onTestFinished(() => fake.close())
  const folder = temporaryFolder()
  const lines = Array.from({ length: QUESTIONS }, (_, index) =>
    JSON.stringify({ id: `q${index}`, question: `Which of four is number ${index}?`, options: ['A', 'B', 'C', 'D'] }),
  )
  writeFileSync(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`)
  const place = { baseURL: `${fake.url}/v1`, apiKeyEnv: 'FAKE_KEY', maxOutputTokens: 64 }
  const agents = [
    { name: 'ann', model: 'openai/gpt-4.1', ...place },
    { name: 'bob', model: 'openai/gpt-4.1-mini', ...place },
    { name: 'cy', model: 'anthropic/claude-haiku-4-5', ...place },
  ]
  const price = { inputUsdPerMillion: PRICE, outputUsdPerMillion: PRICE }
  const prices = Object.fromEntries(agents.map(({ model }) => [model, price]))
  const limits = { concurrency: 2, maxCostUsd: null }
  const config = { panel: { rounds: ROUNDS, agents }, budget: { beta: 0.2 }, limits, prices }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  return { fake, folder }
}

async function run(folder: string, args: readonly string[]) {
  const { child, output } = startCommand(folder, args)
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

async function stored(folder: string) {
  const store = openSqlite(join(folder, '.quorate/quorate.db'), { now: () => 0 })
  const [run] = await store.runs.list(10)
  const runId = run?.id ?? ''
  const found = {
    counts: await store.runs.counts(runId),
    calls: await store.calls.list(runId, { after: null, limit: 10_000 }),
    spend: await store.calls.spend(runId),
    batches: await store.batches.list(),
  }
  await store.close()
  return found
}

function askedTwice({ byRequest }: FakeProvider): number {
  return [...byRequest().values()].filter(({ answered }) => answered > 1).length
}

/** Requests over all batches, because the number of batches per round depends on how busy the machine is. */
function sentInBatches({ batches }: FakeProvider): number {
  return batches.list().reduce((sum, { requests }) => sum + requests, 0)
}

test('a debate in batches sends each request once, at half the price, and keeps no batch', async () => {
  const { fake, folder } = await world()
  const { code, output } = await run(folder, DEBATE)
  expect(code, output).toBe(0)
  const { counts, calls, spend, batches } = await stored(folder)
  expect(counts).toMatchObject({ done: QUESTIONS, pending: 0 })
  const kinds = new Set(fake.batches.list().map(({ id }) => id.split('_')[0]))
  expect(kinds).toEqual(new Set(['batch', 'msgbatch']))
  expect(sentInBatches(fake)).toBe(3 * QUESTIONS * ROUNDS)
  expect(calls.filter(({ state }) => state === 'answered')).toHaveLength(3 * QUESTIONS * ROUNDS)
  const { inputTokens, outputTokens } = fake.counts().charged
  const full = PRICE * (inputTokens + outputTokens)
  // Each call is rounded up to a whole micro-dollar.
  expect(spend.committedMicroUsd).toBeGreaterThanOrEqual(full / 2)
  expect(spend.committedMicroUsd).toBeLessThanOrEqual(full / 2 + calls.length)
  expect(batches).toEqual([])
})

test.each([
  { when: 'while its batches wait', created: 2 },
  { when: 'in the second round', created: 4 },
])('killed $when, a resumed debate asks no answered request again', async ({ created }) => {
  const { fake, folder } = await world()
  if (created === 2) fake.batches.pause()
  const first = startCommand(folder, DEBATE)
  const atKill = fake.batches.created(created)
  if (created === 4) {
    await fake.batches.created(2)
    // The first round is answered, and the next requests wait.
    await fake.reached(3 * QUESTIONS)
    fake.batches.pause()
  }
  await atKill
  first.child.kill('SIGKILL')
  await once(first.child, 'close')
  fake.batches.release()
  if (created === 2) {
    const single = await run(folder, ['debate', 'questions.jsonl', '--resume', '--trust-config', '--json'])
    expect(single.code).toBe(2)
    expect(single.output).toMatch(/contain \d+ calls .* Repeat this with --batch/u)
  }
  const { code, output } = await run(folder, [...DEBATE, '--resume'])
  expect(code, output).toBe(0)
  const { counts, calls, spend } = await stored(folder)
  expect(counts).toMatchObject({ done: QUESTIONS, pending: 0 })
  expect(sentInBatches(fake)).toBe(3 * QUESTIONS * ROUNDS)
  expect(fake.counts().requests).toBe(3 * QUESTIONS * ROUNDS)
  expect(askedTwice(fake)).toBe(0)
  expect(calls.filter(({ state }) => state === 'answered')).toHaveLength(3 * QUESTIONS * ROUNDS)
  const { inputTokens, outputTokens } = fake.counts().charged
  expect(spend.committedMicroUsd + spend.reservedMicroUsd).toBeGreaterThanOrEqual(
    (PRICE * (inputTokens + outputTokens)) / 2,
  )
  expect(first.output() + output).not.toContain(PLANTED_KEY)
})
