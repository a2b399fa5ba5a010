import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import type { Model } from '../../src/model/model.ts'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { callOf } from '../traffic/fake-traffic.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { drawFault, FAULTS } from './faults.ts'

function modelsOn({ url }: Pick<FakeProvider, 'url'>): readonly Model[] {
  const env = { ANTHROPIC_API_KEY: 'sk-fake-0000000000', OPENAI_API_KEY: 'sk-fake-0000000000' }
  const options = { env, baseURL: `${url}/v1`, trustConfig: true, now: () => 0 }
  return ['anthropic/claude-haiku-4-5', 'openai/gpt-4.1-mini', 'openai-compatible/qwen'].map((id) =>
    createModel(id, options),
  )
}

function trafficOf(concurrency: number) {
  return createTraffic({
    limits: { concurrency, timeoutMs: 30_000, backOff: { firstMs: 5, mostMs: 50 } },
    now: () => performance.now(),
    random: seededRandom(1),
    sleep: timerSleep,
  })
}

test('faults follow from the seed and the request, at the rate that was asked for, each kind in turn', () => {
  const draws = Array.from({ length: 9000 }, (_, index) =>
    drawFault({ seed: 1, rate: 0.1, key: `request ${index}`, seen: 0, faults: FAULTS }),
  )
  const drawn = draws.filter((fault) => fault !== null)
  expect(drawn.length / draws.length).toBeCloseTo(0.1, 1)
  expect(new Set(drawn).size).toBe(FAULTS.length)
  expect(drawFault({ seed: 1, rate: 1, key: 'x', seen: 0, faults: FAULTS })).toBe(
    drawFault({ seed: 1, rate: 1, key: 'x', seen: 0, faults: FAULTS }),
  )
})

describe('three providers with faults in every tenth request', () => {
  test('answer every call in the end, each once, and charge what was answered or lost on the way', async () => {
    const fake = await startFakeProvider({
      seed: 7,
      faultRate: 0.1,
      faults: FAULTS.filter((fault) => fault !== 'hang'),
    })
    const models = modelsOn(fake)
    const traffic = trafficOf(16)
    const sums = { inputTokens: 0, outputTokens: 0 }
    const sends = Array.from({ length: 180 }, async (_, index) => {
      const model = models[index % models.length]
      const outcome = await traffic.send(model as Model, callOf(`question ${index}`)) // the index is within the list
      if (outcome.kind !== 'reply') throw new Error(JSON.stringify(outcome))
      sums.inputTokens += outcome.reply.usage?.inputTokens ?? Number.NaN
      sums.outputTokens += outcome.reply.usage?.outputTokens ?? Number.NaN
    })
    await Promise.all(sends)
    const { answered, charged, requests, faults, mostInFlight } = fake.counts()
    expect(answered).toEqual({ requests: 180, ...sums })
    expect([...fake.byRequest().values()].every((request) => request.answered === 1)).toBe(true)
    const failed = Object.values(faults).reduce((sum, count) => sum + count, 0)
    expect(requests).toBe(180 + failed)
    expect(charged.requests).toBeGreaterThan(answered.requests)
    expect(mostInFlight).toBeLessThanOrEqual(16)
    await fake.close()
  })
})

test('runs as a process of its own and says what it charged', async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(child.stdout, 'data')
    const { url } = JSON.parse(String(line))
    const [model] = modelsOn({ url })
    expect((await trafficOf(1).send(model as Model, callOf())).kind).toBe('reply') // the list has three
    const counts = await (await fetch(`${url}/counts`)).json()
    expect(counts).toMatchObject({ requests: 1, answered: { requests: 1 }, charged: { requests: 1 } })
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
