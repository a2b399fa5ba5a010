import { expect, test } from 'vitest'
import { resolveLimits } from '../../src/traffic/traffic-limits.ts'
import { newStore } from '../store/store-under-test.ts'
import { countedModels, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'

test('a process that is replaced while it works ends as taken over, the other continues, and no answer is paid twice', async () => {
  const store = await newStore()
  const plain = samplePlan()
  const plan = { ...plain, limits: { ...plain.limits, traffic: resolveLimits({ concurrency: 4 }) } }
  const questions = simulatedQuestions(6)
  const later = countedModels()
  const second: ReturnType<typeof runWorld>[] = []
  const first = countedModels(async (_, call) => {
    if (call < 10) return
    if (second.length === 0)
      second.push(runWorld({ store, plan, questions, models: later.models, resume: { kind: 'latest' } }))
    // Answers wait until the other process works, so they come back too late.
    while (later.asked.length < 3) await new Promise(setImmediate)
  })
  await expect(runWorld({ store, plan, questions, models: first.models })).rejects.toMatchObject({
    kind: 'fenced',
    message: expect.stringContaining('was taken over by another process'),
  })
  const [result] = await Promise.all(second)
  expect(result).toMatchObject({ halt: null, tally: { statuses: { done: 6, pending: 0 } } })
  const calls = await store.calls.list(result?.runId ?? '', { after: null, limit: 1000 })
  const answered = calls.filter(({ state }) => state === 'answered')
  const places = answered.map((call) => [call.questionId, call.agent, call.round, call.isReminder].join(' '))
  expect(new Set(places).size).toBe(places.length)
  // Only calls that were in flight, or about to be, when the run was taken over are asked again.
  const lost = calls.filter(({ state }) => state === 'lost')
  expect(lost.length).toBeLessThanOrEqual(8)
  expect(first.asked.length + later.asked.length).toBeLessThanOrEqual(places.length + lost.length)
  expect(new Set(lost.map(({ fence }) => fence)).size).toBe(1)
})
