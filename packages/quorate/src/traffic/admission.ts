import type { Model } from '../model/model.ts'
import type { ModelErrorKind } from '../model/model-error.ts'
import type { Breaker } from './breaker.ts'
import { onAbort } from './on-abort.ts'
import {
  createProviderState,
  type ProviderOptions,
  type ProviderState,
  providerWaitMs,
  type TakenRates,
  takeRates,
} from './provider-state.ts'
import type { AttemptResult, Sleep, TrafficLoad } from './traffic.ts'
import type { ProviderLimits, TrafficLimits } from './traffic-limits.ts'

/** One attempt that waits for a slot or has one. */
export interface Attempt {
  readonly queue: ModelQueue
  /** Order of arrival. A repeated attempt keeps the place of its call. */
  readonly sequence: number
  readonly tokens: number
  startedAt: number
  rates: TakenRates
}

/** What the calls of one model share. */
export interface ModelQueue {
  readonly provider: ProviderState
  readonly breaker: Breaker
  /** Sorted by sequence. */
  readonly waiting: Waiting[]
  /** The error of the last attempt, without words about its question; null after a reply. */
  lastError: string | null
}

interface Waiting {
  readonly attempt: Attempt
  readonly resolve: (outcome: AdmissionOutcome) => void
}

/** `down`: the model keeps failing, and waiting is useless. */
export type AdmissionOutcome = 'admitted' | 'aborted' | 'down'

/**
 * Decides which attempts may be sent now, by the slots of the process and of the provider, rate limits, pauses and
 * circuit breakers.
 */
export interface Admission {
  newAttempt(model: Model, call: { readonly sequence: number; readonly tokens: number }): Attempt
  /** Resolves when the attempt has a slot or will never get one. */
  admit(attempt: Attempt, signal: AbortSignal): Promise<AdmissionOutcome>
  /** Frees the slot. The limits and the breaker learn from the result. */
  finish(attempt: Attempt, result: AttemptResult): void
  /** Frees the slot of an attempt that was not sent. */
  withdraw(attempt: Attempt): void
  load(): TrafficLoad
}

export interface AdmissionOptions {
  readonly share?: ProviderOptions['share']
  readonly limits: TrafficLimits
  readonly now: () => number
  readonly sleep: Sleep
  /** Creates the breaker of a model. */
  readonly newBreaker: (model: string) => Breaker
  /** Until when a provider asked for a pause, as other processes know it. */
  readonly pausedUntil?: ((provider: string) => number) | undefined
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { limits, now, sleep, newBreaker, share, pausedUntil } = options
  const providers = new Map<string, ProviderState>()
  const queues = new Map<string, ModelQueue>()
  let inFlight = 0
  const timer = wakeUp(now, sleep, pump)

  function queueOf(model: Model): ModelQueue {
    const known = queues.get(model.id)
    if (known !== undefined) return known
    const own: ProviderLimits = limits.providers[model.provider] ?? {}
    const provider =
      providers.get(model.provider) ?? createProviderState({ limits: own, concurrency: limits.concurrency, share })
    providers.set(model.provider, provider)
    const queue: ModelQueue = { provider, breaker: newBreaker(model.id), waiting: [], lastError: null }
    queues.set(model.id, queue)
    return queue
  }

  /** Admits every attempt that may start now, in order of arrival, and rejects those that wait in vain. */
  function pump(): void {
    const time = now()
    for (const [name, provider] of providers) {
      if (pausedUntil !== undefined) provider.pausedUntil = Math.max(provider.pausedUntil, pausedUntil(name))
    }
    for (let queue = firstToStart(time); queue !== undefined; queue = firstToStart(time)) startFirst(queue, time)
    for (const { breaker, waiting } of queues.values()) {
      if (waiting.length === 0 || !breaker.isDown() || breaker.state(time) === 'ready') continue
      for (const { resolve } of waiting.splice(0)) resolve('down')
    }
    timer.at(nextChange(time))
  }

  /** Of the queues whose first attempt may start, the one whose first attempt arrived first. */
  function firstToStart(time: number): ModelQueue | undefined {
    let first: ModelQueue | undefined
    let earliest = Number.POSITIVE_INFINITY
    for (const queue of inFlight < limits.concurrency ? queues.values() : []) {
      const next = queue.waiting[0]?.attempt
      // Asking a breaker may claim the only probe of all processes, so it is asked only if the probe would be used.
      if (next === undefined || next.sequence >= earliest || !mayStart(queue, next, time)) continue
      first = queue
      earliest = next.sequence
    }
    return first
  }

  function mayStart({ provider, breaker }: ModelQueue, { tokens }: Attempt, time: number): boolean {
    if (provider.inFlight >= provider.adaptive.current()) return false
    if (providerWaitMs(provider, time, tokens) > 0) return false
    const state = breaker.state(time)
    return state !== 'resting' && state !== 'probing'
  }

  function startFirst({ provider, breaker, waiting }: ModelQueue, time: number): void {
    const first = waiting.shift()
    if (first === undefined) return
    const { attempt, resolve } = first
    if (breaker.state(time) === 'ready') breaker.probe()
    inFlight += 1
    provider.inFlight += 1
    attempt.startedAt = time
    attempt.rates = takeRates(provider, time, attempt.tokens)
    resolve('admitted')
  }

  /**
   * When a rate limit, a pause or a breaker will admit a waiting attempt. Attempts that wait for a slot are woken when
   * one is freed.
   */
  function nextChange(time: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { provider, breaker, waiting } of queues.values()) {
      const first = waiting[0]
      if (first === undefined) continue
      const wait = Math.max(providerWaitMs(provider, time, first.attempt.tokens), (breaker.readyAt() ?? time) - time)
      if (wait > 0) next = Math.min(next, time + wait)
    }
    return next
  }

  function free({ queue }: Attempt): void {
    inFlight -= 1
    queue.provider.inFlight -= 1
  }

  return {
    newAttempt: (model, call) => ({
      queue: queueOf(model),
      ...call,
      startedAt: Number.NaN,
      rates: { requests: null, tokens: null },
    }),
    async admit(attempt, signal) {
      if (signal.aborted) return 'aborted'
      const { waiting } = attempt.queue
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(own), 1)
          resolve('aborted')
          pump()
        }
        const own: Waiting = {
          attempt,
          resolve(outcome) {
            stopListening()
            resolve(outcome)
          },
        }
        insert(waiting, own)
        const stopListening = onAbort(signal, leave)
        pump()
      })
    },
    finish(attempt, result) {
      free(attempt)
      learn(attempt, result, now())
      pump()
    },
    withdraw(attempt) {
      const { queue, rates } = attempt
      free(attempt)
      queue.breaker.failed('aborted', now())
      if (rates.requests !== null) queue.provider.requests?.settle(rates.requests, 0)
      if (rates.tokens !== null) queue.provider.tokens?.settle(rates.tokens, 0)
      pump()
    },
    load() {
      const waiting = [...queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0)
      return { inFlight, waiting }
    },
  }
}

/** Keeps the order by sequence. A new call goes last. */
function insert(waiting: Waiting[], own: Waiting): void {
  const before = waiting.findLastIndex(({ attempt }) => attempt.sequence <= own.attempt.sequence)
  waiting.splice(before + 1, 0, own)
}

/** What the provider's limits and the model's breaker learn from an attempt. */
function learn({ queue, rates, startedAt }: Attempt, result: AttemptResult, time: number): void {
  const { provider, breaker } = queue
  if (result.kind === 'reply') {
    queue.lastError = null
    breaker.succeeded()
    provider.adaptive.succeeded()
    const { usage } = result.reply
    if (rates.tokens !== null && usage !== null) {
      provider.tokens?.settle(rates.tokens, usage.inputTokens + usage.outputTokens)
    }
    return
  }
  const { kind, retryAfterMs, charged } = result.error
  if (kind !== 'aborted') queue.lastError = ABOUT_THE_MODEL.has(kind) ? result.error.message : kind
  breaker.failed(kind, time)
  if (rates.tokens !== null && charged === 'no') provider.tokens?.settle(rates.tokens, 0)
  if (kind !== 'rate-limit' && kind !== 'overloaded') return
  provider.adaptive.rejected(startedAt, time)
  if (retryAfterMs !== null) provider.pausedUntil = Math.max(provider.pausedUntil, time + retryAfterMs)
}

/**
 * Errors whose words are about the model or the connection. Those of other errors may quote the request or the reply, and are
 * not repeated with other questions.
 */
const ABOUT_THE_MODEL: ReadonlySet<ModelErrorKind> = new Set(['network', 'time-out', 'rate-limit', 'overloaded', 'key'])

/** Keeps one sleep at a time, until the earliest time requested; none if that is infinite. */
function wakeUp(now: () => number, sleep: Sleep, wake: () => void): { at(time: number): void } {
  let set: { readonly time: number; readonly stop: AbortController } | null = null
  return {
    at(time) {
      if (set !== null && set.time <= time) return
      set?.stop.abort('earlier')
      set = null
      if (!Number.isFinite(time)) return
      const own = { time, stop: new AbortController() }
      set = own
      void sleep(Math.max(0, time - now()), own.stop.signal).then(() => {
        if (set !== own) return
        set = null
        wake()
      })
    },
  }
}
