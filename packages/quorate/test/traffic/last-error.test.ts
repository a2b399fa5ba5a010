import { expect, test } from 'vitest'
import { ModelError } from '../../src/model/model-error.ts'
import { callOf, timedModel, trafficOnFakeTime } from './fake-traffic.ts'

test.each([
  ['malformed', 'JSON parsing failed: Text: Wolfhart carries it', 'malformed'],
  ['server', '500 cannot process "Wolfhart"', 'server'],
  ['network', 'connect ECONNREFUSED', 'connect ECONNREFUSED'],
  ['time-out', 'no answer within 2 s', 'no answer within 2 s'],
] as const)('a model is reported as down without words about another request: %s', async (kind, words, reported) => {
  const breaker = { failures: 1, restMs: 1000, mostRestMs: 1000, probes: 1 }
  const { clock, traffic } = trafficOnFakeTime({ attempts: 1, breaker })
  const model = timedModel(clock, {}, () => new ModelError(kind, `fake/one: ${words}`, { charged: 'no' }))
  const send = () => clock.run(traffic.send(model, callOf()))
  // The words of a call stay with it, which is erased with its question.
  for (const outcome of [await send(), await send()]) {
    expect(outcome).toMatchObject({ reason: expect.stringContaining(words), error: { kind } })
  }
  const reason = `fake/one: Circuit breaker open after repeated failures. Last error: ${reported}`
  expect(await send()).toEqual({ kind: 'down', reason, error: null })
})
