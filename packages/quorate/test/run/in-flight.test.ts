import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { resolveLimits } from '../../src/traffic/traffic-limits.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { AGENTS, memoryStore, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'
import { wavingModels } from './waves.ts'

const CONCURRENCY = 64
const LIMITS = { maxCostUsd: null, debateTimeoutMs: 600_000, traffic: resolveLimits({ concurrency: CONCURRENCY }) }
const PLAN = samplePlan({ limits: LIMITS })

test('6,000 calls take at most 1.10 times as long as with 64 slots that are always full', async () => {
  const { models, sizes } = wavingModels(AGENTS)
  const questions = simulatedQuestions(500)
  const { spend } = await runWorld({ store: memoryStore(), plan: PLAN, questions, models })
  expect(spend.calls.answered).toBe(6000)
  expect(Math.max(...sizes)).toBe(CONCURRENCY)
  expect(sizes.length).toBeLessThanOrEqual((1.1 * 6000) / CONCURRENCY)
  // Not only on average: slots are empty only in the last waves, about as many as two debates take.
  expect(sizes.slice(0, -8).every((size) => size === CONCURRENCY)).toBe(true)
})

test('the measure detects empty slots: ten debates of three agents cannot fill 64', async () => {
  const { models, sizes } = wavingModels(AGENTS)
  await runWorld({ store: memoryStore(), plan: PLAN, questions: simulatedQuestions(10), models })
  expect(sizes).toEqual([30, 30, 30, 30])
})

test('calls share commits: on a busy loop there are at least ten writes per sync of the disk', async () => {
  let commits = 0
  const connect = (file: string) => countingCommits(new DatabaseSync(file), () => commits++)
  const store = openSqlite(join(temporaryFolder(), 'quorate.db'), { now: () => 0, connect })
  onTestFinished(() => store.close())
  const { models } = wavingModels(AGENTS)
  const { spend } = await runWorld({ store, plan: PLAN, questions: simulatedQuestions(100), models })
  expect(spend.calls.answered).toBe(1200)
  // Each call has an intent and a reply.
  expect(commits).toBeLessThanOrEqual((2 * 1200) / 10)
})

function countingCommits(database: DatabaseSync, count: () => void): DatabaseSync {
  const prepare = database.prepare.bind(database)
  database.prepare = (sql, ...options) => {
    const statement = prepare(sql, ...options)
    if (sql !== 'commit') return statement
    const run = statement.run.bind(statement)
    statement.run = () => {
      count()
      return run()
    }
    return statement
  }
  return database
}
