import { canonicalJson } from '@quorate/certificate'
import type { AgentAnswer, AgentCall, Ask, EarlyStop } from '../../debate/ask.ts'
import { textDigest } from '../../debate/text-digest.ts'
import { haltReason } from '../../model/aborted-error.ts'
import { type Insistence, unacceptable } from '../../model/dropped-settings.ts'
import type { Model, ModelReply } from '../../model/model.ts'
import type { ModelErrorKind } from '../../model/model-error.ts'
import type { PriceTable } from '../../model/price-table.ts'
import { costMicroUsd, reserveMicroUsd } from '../../model/prices.ts'
import { replySchema } from '../../record/call.ts'
import { parseStored } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import type { CallOutcome, CallStore, Intent, Millis, StoredCall } from '../../store/store.ts'
import type { AttemptResult, HaltReason, OpenAttempt, Traffic } from '../../traffic/traffic.ts'
import type { EarlyWarning } from '../early-warning.ts'
import type { Reservation, SpendMeter } from '../spend-meter.ts'
import type { Notices } from './notices.ts'

/** What paying for a call needs of the store. A worker tries each of these again while its database is unavailable. */
export type PaidCallStore = Pick<CallStore, 'before' | 'open' | 'close'>

/** What the calls of one run share. */
export interface CallContext {
  readonly runId: string
  /** Token of this process. When another process resumes the run it takes a new one, and this process can no longer write. */
  readonly fence: string
  readonly calls: PaidCallStore
  readonly meter: SpendMeter
  readonly traffic: Traffic
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly prices: PriceTable
  /** What a call to a model without a known price counts as under the cap; null: nothing. */
  readonly unpricedMicroUsd?: number | null
  readonly now: () => Millis
  readonly newId: () => string
  /** Once it fires, nothing more is sent. Calls in flight may finish. */
  readonly stopping: AbortSignal
  readonly notices: Notices
  readonly warning?: EarlyWarning
}

export interface PaidModel {
  readonly model: Model
  /** Settings that must be honoured for an answer to count. */
  readonly insist: Insistence
}

/**
 * Asks so that nothing is paid for twice: a call that was answered in this run, or the same call in an earlier run, is not
 * sent again. An intent is committed before each attempt is sent, and its outcome before it is used. `signal` ends calls in
 * flight.
 */
export function payForCalls(context: CallContext, signal: AbortSignal): Ask {
  return async (call) => {
    const paid = context.models.get(call.agent)
    if (paid === undefined)
      throw new Error(`payForCalls: there is no model for the agent ${JSON.stringify(call.agent)}`)
    const place: PaidCall = { context, call, model: paid.model, cacheKey: cacheKey(paid.model, call) }
    const before = await context.calls.before(context.runId, call, place.cacheKey)
    if (before.answered !== null) return answer(readStoredReply(before.answered).reply, paid, context.notices)
    const attemptsMade = before.attempts
    const known = await fromCache(place, before.cached, attemptsMade + 1)
    if (known !== null) return answer(known, paid, context.notices)
    if (paid.model.replays !== undefined) return { kind: 'down', reason: notStored(paid.model, call) }
    return send(place, paid, attemptsMade, signal)
  }
}

interface PaidCall {
  readonly context: CallContext
  readonly call: AgentCall
  readonly model: Model
  readonly cacheKey: string
}

/** The reply, unless it was given under other settings than the config insists on. */
function answer(reply: ModelReply, { model, insist }: PaidModel, notices: Notices): AgentAnswer {
  for (const warning of reply.warnings) notices.add(`${model.id}: ${warning}`)
  const broken = unacceptable(insist, reply.warnings)
  if (broken.length === 0) return { kind: 'reply', reply }
  const next = 'Choose a model that has the setting, or take it out of insist'
  return {
    kind: 'down',
    reason: `${model.id}: the config insists on its settings, but the provider warns: ${broken.join('; ')}. ${next}`,
  }
}

function notStored({ id }: Model, { questionId, agent, round, repeat, isReminder }: AgentCall): string {
  const which = `${repeat === 0 ? '' : `, sample ${repeat + 1}`}${isReminder ? ', the reminder' : ''}`
  const place = `question ${JSON.stringify(questionId)}, agent ${JSON.stringify(agent)}, round ${round}${which}`
  return (
    `${id}: no answer is stored to ${place}. A replay needs the store, seed, prompts, agents and settings of the run ` +
    'that it repeats, and a baseURL where the model had one'
  )
}

/** Uses the answer of any run to the same call, and records it as free. A refusal is asked again, unless this is a replay. */
async function fromCache(place: PaidCall, found: StoredCall | null, attempt: number): Promise<ModelReply | null> {
  const { context } = place
  if (found === null) return null
  const { reply, cachedFrom } = readStoredReply(found)
  if (reply.finish === 'refusal' && place.model.replays === undefined) return null
  const intent = intentOf(place, attempt, 0)
  await context.calls.open(intent)
  const written = writeReply(reply, cachedFrom ?? found.id)
  await close(context, intent, { state: 'answered', reply: written, tokens: null, cost: 0, error: null })
  context.meter.countCached()
  return reply
}

async function send(place: PaidCall, paid: PaidModel, attemptsMade: number, signal: AbortSignal): Promise<AgentAnswer> {
  const { context, call, model } = place
  const { messages, settings } = call
  const reserved = reserveMicroUsd(model.id, { messages, settings }, context.prices) ?? context.unpricedMicroUsd ?? null
  const outcome = await context.traffic.send(model, {
    messages,
    settings,
    signal,
    attemptsMade,
    place: placeOf(context.runId, call),
    // A person may take as long as the debate lasts.
    ...(model.provider === 'manual' ? { timeoutMs: null } : {}),
    openAttempt: (attempt) => openAttempt(place, attempt, reserved, signal),
  })
  if (outcome.kind === 'reply') return answer(outcome.reply, paid, context.notices)
  if (outcome.kind === 'halted') return { kind: 'halted', reason: haltedBy(context, signal, outcome.reason) }
  const { warning } = context
  if (outcome.error !== null && isFinal(outcome.error.kind)) warning?.refused(outcome.reason)
  else warning?.failed(model.id)
  // Once the run has stopped early, calls that fail behind a circuit breaker are tried again after it is resumed.
  const found = warning?.found()?.kind
  if (found === 'refused' || found === 'unreachable') return { kind: 'halted', reason: found }
  return { kind: 'down', reason: outcome.reason }
}

/** A warning stops calls like an interruption, but no later process resumes the questions of a server. They are deferred. */
function haltedBy({ stopping, warning }: CallContext, signal: AbortSignal, reason: HaltReason): HaltReason | EarlyStop {
  if (reason !== 'interrupted' || stopping.aborted || signal.aborted) return reason
  return warning?.found()?.kind ?? reason
}

function placeOf(runId: string, { questionId, agent, round, repeat, isReminder }: AgentCall): string {
  return JSON.stringify([runId, questionId, agent, round, repeat, isReminder])
}

/** Whether the provider would refuse the request for every question. */
function isFinal(kind: ModelErrorKind): boolean {
  return kind === 'key' || kind === 'model'
}

async function openAttempt(
  place: PaidCall,
  attempt: number,
  reserved: number | null,
  signal: AbortSignal,
): Promise<OpenAttempt | HaltReason> {
  const { context } = place
  if (context.stopping.aborted || context.warning?.found()) return 'interrupted'
  const intent = intentOf(place, attempt, reserved)
  for (;;) {
    const reservation = await context.meter.reserve(reserved)
    if (reservation === null) return 'spend-cap'
    try {
      if ((await context.calls.open(intent)) === 'opened') {
        return { close: (result) => closeAttempt(place, intent, reservation, result) }
      }
    } catch (error) {
      reservation.refused()
      throw error
    }
    reservation.refused()
    if (!(await context.meter.waitForRoom())) return 'spend-cap'
    if (signal.aborted) return haltReason(signal)
    if (context.stopping.aborted) return 'interrupted'
  }
}

async function closeAttempt(
  { context, model }: PaidCall,
  intent: Intent,
  reservation: Reservation,
  result: AttemptResult,
) {
  const closing = closingOf(result, model, context.prices)
  try {
    await close(context, intent, closing)
  } catch (error) {
    // The outcome was not written, so the call may have been charged. Closing the reservation wakes calls that wait for room.
    reservation.lost()
    throw error
  }
  context.warning?.attempted(model.id, unreachedBy(result))
  if (closing.state === 'answered') reservation.answered(closing.cost, closing.tokens)
  else reservation[closing.state]()
}

/** Why the model could not be reached; null if it was, or may have been. */
function unreachedBy(result: AttemptResult): string | null {
  if (result.kind !== 'error') return null
  const { kind, charged, message } = result.error
  return kind === 'network' && charged === 'no' ? message : null
}

function closingOf(result: AttemptResult, model: Model, prices: PriceTable): ClosedCall {
  if (result.kind === 'error') {
    const { charged, message } = result.error
    return { state: charged === 'no' ? 'refused' : 'lost', reply: null, tokens: null, cost: null, error: message }
  }
  const { usage } = result.reply
  const cost = costMicroUsd(model.id, usage, prices)
  return { state: 'answered', reply: writeReply(result.reply), tokens: usage, cost, error: null }
}

interface ClosedCall extends Pick<CallOutcome, 'reply' | 'error'> {
  readonly state: 'answered' | 'refused' | 'lost'
  readonly tokens: ModelReply['usage']
  readonly cost: number | null
}

async function close(context: CallContext, intent: Intent, { state, reply, tokens, cost, error }: ClosedCall) {
  const outcome: CallOutcome = {
    at: context.now(),
    reply,
    inputTokens: tokens?.inputTokens ?? null,
    outputTokens: tokens?.outputTokens ?? null,
    costMicroUsd: cost,
    error,
  }
  if (await context.calls.close(intent, state, outcome)) return
  throw new StoreError('fenced', `run ${context.runId} was taken over by another process. This one stops`)
}

function intentOf(
  { context, call, model, cacheKey: shared }: PaidCall,
  attempt: number,
  reserved: number | null,
): Intent {
  const { questionId, agent, round, repeat, isReminder } = call
  return {
    id: context.newId(),
    cacheKey: shared,
    runId: context.runId,
    questionId,
    agent,
    round,
    repeat,
    isReminder,
    attempt,
    model: model.id,
    reservedMicroUsd: reserved,
    fence: context.fence,
    openedAt: context.now(),
  }
}

/**
 * Equal for calls that may share an answer: same model, hosts, messages and settings. Unless a call is identified by its
 * content alone, the agent, the round and the repeat must be the same too.
 */
export function cacheKey(model: Model, call: AgentCall): string {
  const { id, hosts, variant } = model.replays ?? model
  const { agent, round, repeat, messages, settings } = call
  const what = { model: id, hosts, ...(variant === undefined ? {} : { variant }) }
  if (call.isByContent === true) return textDigest(canonicalJson({ ...what, messages, settings }))
  return textDigest(canonicalJson({ ...what, messages, settings, agent, round, repeat }))
}

export interface StoredReply {
  readonly reply: ModelReply
  readonly cachedFrom: string | null
}

function writeReply(reply: ModelReply, cachedFrom: string | null = null): string {
  // JSON has no infinity, which some providers return for an impossible token.
  const logprobs = reply.logprobs?.map((place) => place.map(finiteToken)) ?? null
  return JSON.stringify({ ...reply, logprobs, ...(cachedFrom === null ? {} : { cachedFrom }) })
}

function readStoredReply({ id, reply }: StoredCall): StoredReply {
  const { cachedFrom = null, ...stored } = parseStored(replySchema, reply ?? 'null', `the reply of call ${id}`)
  return { reply: stored, cachedFrom }
}

const LEAST_LOGPROB = -1e9

function finiteToken({ token, logprob }: { readonly token: string; readonly logprob: number }) {
  return { token, logprob: Number.isFinite(logprob) ? logprob : LEAST_LOGPROB }
}
