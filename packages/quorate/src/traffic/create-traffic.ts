import type { Random } from '@quorate/certificate'
import { abortedError, haltReason } from '../model/aborted-error.ts'
import type { Model, ModelReply, ModelSettings } from '../model/model.ts'
import { ModelError } from '../model/model-error.ts'
import { mostInputTokens } from '../model/prices.ts'
import { backOffMs, isWorthAnother } from './back-off.ts'
import { resolveLimits, type TrafficLimits } from './limits.ts'
import type { Passage, Ticket } from './line.ts'
import { onAbort } from './on-abort.ts'
import { patience } from './patience.ts'
import { createSchedule, type Schedule } from './schedule.ts'
import { enterTogether, learnTogether, type SharedTraffic, withoutRates } from './shared-traffic.ts'
import type { AttemptResult, HaltReason, Sleep, Traffic, TrafficCall, TrafficOutcome } from './traffic.ts'

export interface TrafficOptions {
  readonly limits: Partial<TrafficLimits>
  /** Milliseconds, never going back. */
  readonly now: () => number
  readonly random: Random
  readonly sleep: Sleep
  /** What is kept together with other processes; absent: there are none. */
  readonly shared?: SharedTraffic
}

export function createTraffic(options: TrafficOptions): Traffic {
  const limits = resolveLimits(options.limits)
  const { shared, now, sleep: rest } = options
  // Rates that all processes keep are kept where all of them can see them.
  const own = shared === undefined ? limits : { ...limits, providers: withoutRates(limits.providers) }
  const newBreaker = shared && ((model: string) => shared.breakers.ofModel(model))
  const schedule = createSchedule({ limits: own, now, sleep: rest, ...(newBreaker && { newBreaker }) })
  let calls = 0
  return {
    load: () => schedule.load(),
    async send(model, call) {
      const sequence = calls++
      await model.load?.()
      const tokens = mostInputTokens(call) + call.settings.maxOutputTokens
      let blanks = 0
      for (let made = 1; ; made++) {
        const ticket = schedule.newTicket(model, { sequence, tokens })
        const attempt = (call.attemptsMade ?? 0) + made
        const tried = await tryOnce({
          ...{ schedule, ticket, model, attempt, limits, now, sleep: rest, ...(shared && { shared }) },
          call: { ...call, settings: reseeded(call.settings, blanks) },
        })
        if (tried.kind !== 'error') return tried
        const { error } = tried
        if (error.kind === 'empty') blanks += 1
        if (call.signal.aborted) return halted(call.signal)
        if (!isWorthAnother(error.kind)) return { kind: 'down', reason: error.message, error }
        if (made >= limits.attempts) {
          return { kind: 'down', reason: `${made} attempts failed, the last with: ${error.message}`, error }
        }
        const { random } = options
        await rest(backOffMs(made, error.retryAfterMs, { ...limits.backOff, random }), call.signal)
      }
    },
  }
}

/** A model that was blank would be blank again under the same seed. */
function reseeded(settings: ModelSettings, blanks: number): ModelSettings {
  const { seed } = settings
  return seed === null || blanks === 0 ? settings : { ...settings, seed: (seed + blanks) % 2 ** 31 }
}

interface Try {
  readonly schedule: Schedule
  readonly ticket: Ticket
  readonly model: Model
  readonly call: TrafficCall
  readonly attempt: number
  readonly limits: TrafficLimits
  readonly now: () => number
  readonly sleep: Sleep
  readonly shared?: SharedTraffic
}

async function tryOnce(one: Try): Promise<TrafficOutcome | Extract<AttemptResult, { kind: 'error' }>> {
  const { schedule, ticket, model, call, attempt } = one
  const first = await schedule.announce(ticket, call.signal)
  if (first.kind !== 'go') return stopped(first, one)
  const halt = await announced(one)
  if (halt !== undefined) return { kind: 'halted', reason: halt }
  const second = await schedule.start(ticket, call.signal)
  if (second.kind !== 'go') {
    await call.afterAttempt(attempt, unsent(model))
    return stopped(second, one)
  }
  const { result, bug } = await called(one)
  schedule.finish(ticket, result)
  await call.afterAttempt(attempt, result)
  if (bug !== undefined) throw bug
  return result.kind === 'reply' ? { ...result, attempt } : result
}

interface Called {
  readonly result: AttemptResult
  readonly bug?: unknown
}

function unsent({ id }: Model): AttemptResult {
  const error = new ModelError('aborted', `${id}: given up before it was sent`, { charged: 'no' })
  return { kind: 'error', error }
}

/** Where there are other processes, when all of them together may send one more. */
async function called(one: Try): Promise<Called> {
  const { shared, model, call, ticket, now, sleep } = one
  if (shared === undefined) return callModel(one)
  const entry = { provider: model.provider, tokens: ticket.tokens, signal: call.signal, now, sleep }
  try {
    if (!(await enterTogether(shared, entry))) return { result: unsent(model) }
  } catch (error) {
    return { result: unsent(model), bug: error }
  }
  const ended = await callModel(one)
  learnTogether(shared, entry, ended.result)
  return ended
}

/** The intent is committed, or nothing is sent. */
async function announced({ schedule, ticket, call, attempt }: Try): Promise<HaltReason | undefined> {
  try {
    const halt = await call.beforeAttempt(attempt)
    if (halt !== undefined) schedule.withdraw(ticket)
    return halt
  } catch (error) {
    schedule.withdraw(ticket)
    throw error
  }
}

function stopped(passage: Passage, { model, call, ticket }: Try): TrafficOutcome {
  if (passage.kind === 'aborted') return halted(call.signal)
  const last = ticket.line.lastError
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

/** One call with its time-out. It ends when the signal says so, even if the model does not listen. */
async function callModel({ model, call, limits, sleep }: Try): Promise<Called> {
  const stop = new AbortController()
  const done = new AbortController()
  const stopListening = onAbort(call.signal, () => stop.abort(call.signal.reason))
  const timeoutMs = call.timeoutMs === undefined ? limits.timeoutMs : call.timeoutMs
  if (timeoutMs !== null) {
    void patience(timeoutMs, sleep, done.signal).then(() => {
      if (!done.signal.aborted) stop.abort(new DOMException('no reply in time', 'TimeoutError'))
    })
  }
  try {
    const { messages, settings } = call
    const reply = await unlessStopped(model.call({ messages, settings, signal: stop.signal }), stop.signal, model)
    return { result: { kind: 'reply', reply } }
  } catch (error) {
    if (error instanceof ModelError) return { result: { kind: 'error', error } }
    // Models throw nothing else: the attempt is recorded, then the defect is reported as one.
    const unknown = new ModelError('request', `${model.id}: failed unexpectedly`, { charged: 'unknown', cause: error })
    return { result: { kind: 'error', error: unknown }, bug: error }
  } finally {
    // Without a reason an error would be made for each call.
    done.abort('done')
    stopListening()
  }
}

function unlessStopped(reply: Promise<ModelReply>, signal: AbortSignal, model: Model): Promise<ModelReply> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortedError(model.id, signal))
    reply.then(resolve, reject)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
