import { seededRandom } from '@quorate/certificate'
import type { Model, ModelReply } from '../../src/model/model.ts'
import { ModelError, type ModelErrorKind } from '../../src/model/model-error.ts'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import type { TrafficCall } from '../../src/traffic/traffic.ts'
import type { TrafficLimits } from '../../src/traffic/traffic-limits.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

export function trafficOnFakeTime(limits: Partial<TrafficLimits>, seed = 1) {
  const clock = createFakeClock()
  const traffic = createTraffic({ limits, now: clock.now, random: seededRandom(seed), sleep: clock.sleep })
  return { clock, traffic }
}

export interface Timed extends Model {
  /** When each attempt was sent. */
  readonly sentAt: number[]
  /** First word of the message of each attempt, in order. */
  readonly order: string[]
  /** Most attempts that were in flight together. */
  most(): number
}

/** A model on fake time: how long each call takes, and the reply to the n-th call, from 0. Null never ends. */
export function timedModel(
  clock: FakeClock,
  { name = 'one', provider = 'fake', latencyMs = 100 }: { name?: string; provider?: string; latencyMs?: number } = {},
  answer: (call: number) => ModelReply | ModelError | null = () => replyOf('yes'),
): Timed {
  const sentAt: number[] = []
  const order: string[] = []
  let inFlight = 0
  let most = 0
  return {
    id: `${provider}/${name}`,
    provider,
    hosts: [],
    sentAt,
    order,
    most: () => most,
    async call({ messages, signal }) {
      const given = answer(sentAt.length)
      sentAt.push(clock.now())
      order.push(messages[0]?.content ?? '')
      most = Math.max(most, ++inFlight)
      // Null ignores the signal as well, like a process that hangs.
      if (given === null) return new Promise(() => undefined)
      await clock.sleep(latencyMs, signal)
      inFlight -= 1
      if (given instanceof ModelError) throw given
      return given
    },
  }
}

export function replyOf(text: string, tokens = 10): ModelReply {
  const usage = { inputTokens: tokens, outputTokens: 0 }
  return { text, finish: 'stop', usage, servedModel: null, logprobs: null, warnings: [] }
}

export function failure(kind: ModelErrorKind, retryAfterMs: number | null = null): ModelError {
  return new ModelError(kind, `it is ${kind}`, { charged: 'no', retryAfterMs })
}

export function callOf(text = 'hello', more: Partial<TrafficCall> = {}): TrafficCall {
  return {
    messages: [{ role: 'user', content: text }],
    settings: { temperature: null, maxOutputTokens: 10, seed: null, topLogprobs: null, schema: null },
    signal: new AbortController().signal,
    openAttempt: async () => ({ close: async () => undefined }),
    ...more,
  }
}
