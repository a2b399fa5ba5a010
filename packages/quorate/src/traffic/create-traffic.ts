import type { Random } from '@quorate/certificate'
import { abortedError, haltReason } from '../model/aborted-error.ts'
import type { Model, ModelReply, ModelSettings } from '../model/model.ts'
import { ModelError } from '../model/model-error.ts'
import { mostInputTokens } from '../model/prices.ts'
import { turnToRead } from '../model/reply-turns.ts'
import { type Admission, type Attempt, createAdmission } from './admission.ts'
import { backOffMs, isRetryable } from './back-off.ts'
import { breaker } from './breaker.ts'
import { onAbort } from './on-abort.ts'
import type { SharedBreakers } from './shared-breakers.ts'
import type { AttemptResult, OpenAttempt, Sleep, Traffic, TrafficCall, TrafficOutcome } from './traffic.ts'
import { resolveLimits, type TrafficLimits } from './traffic-limits.ts'

export interface TrafficOptions {
  readonly limits: Partial<TrafficLimits>
  /** Milliseconds, monotonic. */
  readonly now: () => number
  readonly random: Random
  readonly sleep: Sleep
  /** State shared with other processes; absent: there are none. */
  readonly shared?: SharedTraffic
}

/** State shared with other processes. */
export interface SharedTraffic {
  readonly breakers: SharedBreakers
  /** This process's share of every rate limit, such as 1/4 beside three others; 0 while it is unknown. */
  readonly share: () => number
  /** Throws if this process lost its lease, so that others do its work by now. Nothing more may be sent. */
  readonly checkLease: () => void
}

/** Every call takes a slot, opens its intent, is sent, leaves the slot and closes its intent. */
export function createTraffic(options: TrafficOptions): Traffic {
  const limits = resolveLimits(options.limits)
  const { shared, now, sleep, random } = options
  const admission = createAdmission({
    limits,
    now,
    sleep,
    newBreaker: (model) => shared?.breakers.ofModel(model) ?? breaker(limits.breaker),
    share: shared?.share,
    pausedUntil: shared?.breakers.pausedUntil,
  })
  const sending: Sending = { admission, limits, sleep, shared, pace: createPace(limits, shared, now, sleep) }
  let calls = 0
  return {
    load: () => admission.load(),
    async send(model, call) {
      const sequence = calls++
      await model.load?.()
      const tokens = mostInputTokens(call) + call.settings.maxOutputTokens
      let blanks = 0
      for (let made = 1; ; made++) {
        const number = (call.attemptsMade ?? 0) + made
        const attempt: Attempting = { slot: admission.newAttempt(model, { sequence, tokens }), model, call, number }
        const opened = await openAttempt(sending, attempt)
        if (opened.kind !== 'opened') return opened
        const { messages, settings, place } = call
        // The intent is committed. If nothing may be sent any more, it is closed as an attempt that cost nothing.
        let ended = opened.unsent ?? unsendable(sending, attempt)
        if (ended === null) {
          const limit = timeLimited(sending, call)
          const reply = model.call({ messages, settings: reseeded(settings, blanks), signal: limit.signal, place })
          ended = await calledIn(limit, reply, model)
        }
        await closeAttempt(sending, attempt, { opened, ended })
        if (ended.result.kind === 'reply') return { ...ended.result, attempt: number }
        const { error } = ended.result
        if (error.kind === 'empty') blanks += 1
        if (call.signal.aborted) return halted(call.signal)
        if (!isRetryable(error.kind)) return { kind: 'down', reason: error.message, error }
        if (made >= limits.attempts) {
          return { kind: 'down', reason: `${made} attempts failed, the last with: ${error.message}`, error }
        }
        await sleep(backOffMs(made, error.retryAfterMs, { ...limits.backOff, random }), call.signal)
      }
    },
  }
}

/** A model that gave an empty reply would give it again with the same seed. */
function reseeded(settings: ModelSettings, blanks: number): ModelSettings {
  const { seed } = settings
  return seed === null || blanks === 0 ? settings : { ...settings, seed: (seed + blanks) % 2 ** 31 }
}

interface Sending {
  readonly admission: Admission
  readonly limits: TrafficLimits
  readonly sleep: Sleep
  readonly shared: SharedTraffic | undefined
  readonly pace: Pace
}

interface Attempting {
  readonly slot: Attempt
  readonly model: Model
  readonly call: TrafficCall
  readonly number: number
}

interface Opened {
  readonly kind: 'opened'
  readonly close: OpenAttempt['close']
  /** Why the request may not be sent any more; null: it may. */
  readonly unsent: Called | null
}

/** Waits for a slot, for the commit of the intent, and until the request may be sent. */
async function openAttempt(sending: Sending, attempt: Attempting): Promise<Opened | TrafficOutcome> {
  const { admission, shared, pace } = sending
  const { slot, model, call, number } = attempt
  const admitted = await admission.admit(slot, call.signal)
  if (admitted === 'aborted') return halted(call.signal)
  if (admitted === 'down') return down(attempt)
  const opened = await call.openAttempt(number).catch((error: unknown) => {
    admission.withdraw(slot)
    throw error
  })
  if (typeof opened === 'string') {
    admission.withdraw(slot)
    return { kind: 'halted', reason: opened }
  }
  try {
    if (shared !== undefined) await pace(model.provider, call.signal)
    return { kind: 'opened', close: opened.close, unsent: null }
  } catch (bug) {
    return { kind: 'opened', close: opened.close, unsent: { result: unsent(model), isUnsent: true, bug } }
  }
}

/** Checked in the same turn of the event loop in which the request is sent. Null: it may be sent. */
function unsendable({ shared }: Sending, { model, call }: Attempting): Called | null {
  try {
    shared?.checkLease()
    return call.signal.aborted ? { result: unsent(model), isUnsent: true } : null
  } catch (bug) {
    return { result: unsent(model), isUnsent: true, bug }
  }
}

/** Frees the slot, then commits the outcome. */
async function closeAttempt(
  { admission, shared }: Sending,
  { slot, model }: Attempting,
  { opened, ended: { result, isUnsent = false, bug } }: { readonly opened: Opened; readonly ended: Called },
): Promise<void> {
  if (isUnsent) {
    admission.withdraw(slot)
  } else {
    admission.finish(slot, result)
    reportPause(shared, model, result)
  }
  await opened.close(result)
  if (bug !== undefined) throw bug
}

function unsent({ id }: Model): AttemptResult {
  const error = new ModelError('aborted', `${id}: given up before it was sent`, { charged: 'no' })
  return { kind: 'error', error }
}

/** Shares a pause that a provider asked for with all processes. */
function reportPause(shared: SharedTraffic | undefined, { provider }: Model, result: AttemptResult): void {
  if (shared === undefined || result.kind === 'reply') return
  const { kind, retryAfterMs } = result.error
  if (retryAfterMs !== null && (kind === 'rate-limit' || kind === 'overloaded')) {
    shared.breakers.pause(provider, retryAfterMs)
  }
}

function down({ model, slot }: Attempting): TrafficOutcome {
  const last = slot.queue.lastError
  const cause = last === null ? '' : ` Last error: ${last.replace(`${model.id}: `, '')}`
  return {
    kind: 'down',
    reason: `${model.id}: Circuit breaker open after repeated failures.${cause}`,
    error: null,
  }
}

function halted(signal: AbortSignal): TrafficOutcome {
  return { kind: 'halted', reason: haltReason(signal) }
}

/** Resolves when the next request to the provider may leave this process, or when the signal aborts. */
type Pace = (provider: string, signal: AbortSignal) => Promise<void>

/**
 * Requests whose intents were committed late would all be sent at once. Under a shared rate limit they are sent one by
 * one, as far apart as this process's share requires.
 */
function createPace(limits: TrafficLimits, shared: SharedTraffic | undefined, now: () => number, sleep: Sleep): Pace {
  const nextAt = new Map<string, number>()
  return async (provider, signal) => {
    const { requestsPerMinute } = limits.providers[provider] ?? {}
    if (requestsPerMinute === undefined || shared === undefined) return
    while (!signal.aborted) {
      const share = shared.share()
      const wait = share > 0 ? (nextAt.get(provider) ?? 0) - now() : SOON_MS
      if (wait <= 0) {
        nextAt.set(provider, now() + MINUTE_MS / (requestsPerMinute * share))
        return
      }
      await sleep(wait, signal)
    }
  }
}

const MINUTE_MS = 60_000
const SOON_MS = 250

interface Called {
  readonly result: AttemptResult
  readonly isUnsent?: boolean
  readonly bug?: unknown
}

/** The outcome of a call that was sent. Never rejects. */
function calledIn(limit: ReturnType<typeof timeLimited>, reply: Promise<ModelReply>, model: Model): Promise<Called> {
  return unlessStopped(reply, limit.signal, model)
    .then(
      (reply): Called => ({ result: { kind: 'reply', reply } }),
      (error: unknown) => failedWith(error, model),
    )
    .finally(limit.end)
}

function failedWith(error: unknown, { id }: Model): Called {
  if (error instanceof ModelError) return { result: { kind: 'error', error } }
  // Models throw nothing else. The attempt is recorded first, then the error is thrown as the bug that it is.
  const unknown = new ModelError('request', `${id}: failed unexpectedly`, { charged: 'unknown', cause: error })
  return { result: { kind: 'error', error: unknown }, bug: error }
}

/** The signal of one call. It aborts with the signal of the caller, and after the time-out. */
function timeLimited({ limits, sleep }: Sending, call: TrafficCall) {
  const stop = new AbortController()
  const done = new AbortController()
  const stopListening = onAbort(call.signal, () => stop.abort(call.signal.reason))
  const timeoutMs = call.timeoutMs === undefined ? limits.timeoutMs : call.timeoutMs
  if (timeoutMs !== null) {
    void timeLimit(timeoutMs, sleep, done.signal).then(async () => {
      // Replies that have arrived are read first.
      if (!done.signal.aborted) await turnToRead()
      if (!done.signal.aborted) stop.abort(new DOMException('no reply in time', 'TimeoutError'))
    })
  }
  return {
    signal: stop.signal,
    end() {
      // Without a reason, an error object would be created for each call.
      done.abort('done')
      stopListening()
    },
  }
}

/** Rejects when the signal aborts, even if the model ignores it. */
function unlessStopped(reply: Promise<ModelReply>, signal: AbortSignal, model: Model): Promise<ModelReply> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortedError(model.id, signal))
    reply.then(resolve, reject)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

const MOST_PARTS = 10
const LEAST_PART_MS = 10

/**
 * Resolves when so many milliseconds have passed, or the signal aborts. The time is counted in parts. A part that took longer
 * because this process was busy still counts as one, so a reply that arrived meanwhile is read before it is called late.
 */
export async function timeLimit(milliseconds: number, sleep: Sleep, signal: AbortSignal): Promise<void> {
  const parts = Math.max(1, Math.min(MOST_PARTS, Math.floor(milliseconds / LEAST_PART_MS)))
  for (let part = 0; part < parts && !signal.aborted; part++) await sleep(milliseconds / parts, signal)
}
