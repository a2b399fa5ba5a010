import { expect } from 'vitest'
import type { Spend, Store, StoredCall } from '../../src/store/store.ts'
import { isCharged, type LoggedRequest } from '../fake-provider/counts.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'
import { taggedReplies } from '../fake-provider/reply-tag.ts'
import { CHAOS_AGENTS } from './chaos-panel.ts'

/** What the account needs from the provider. */
export type ProviderBooks = Pick<FakeProvider, 'log'>

/**
 * Checks that provider and store agree on every answer and its cost, reply by reply, identified by the tag in each reply.
 * Returns the answered calls.
 */
export async function checkAccount(
  store: Store,
  runId: string,
  books: ProviderBooks,
  { mostLate = 0 }: Stops = {},
): Promise<readonly StoredCall[]> {
  const calls = await allCalls(store, runId)
  const answered = calls.filter(({ state }) => state === 'answered')
  expect(calls.filter(({ state }) => state === 'open')).toEqual([])
  expect(new Set(answered.map(placeOf)).size).toBe(answered.length)
  const committed = new Map(answered.map((call) => [serialOf(call), call]))
  expect(committed.size).toBe(answered.length)
  const sides = { committed, log: books.log() }
  checkReplies(sides)
  checkNoneAskedAgain(calls, sides, mostLate)
  checkQuotes(sides)
  checkEveryPlace(calls, sides)
  checkSpend(await store.calls.spend(runId), sides)
  return answered
}

interface Stops {
  /**
   * How many requests may come after the place was answered: one for each process that was stopped and continued. No check can
   * be the very last step before a request is written, so a process that is stopped in between sends a single request when it
   * continues (`stopped-while-sending.test.ts`). Its intent is older than the answered one and counts as lost.
   */
  readonly mostLate?: number
}

interface Sides {
  /** Answered calls, by the serial number of the request that their reply answers. */
  readonly committed: ReadonlyMap<number, StoredCall>
  readonly log: readonly LoggedRequest[]
}

export async function allCalls(store: Store, runId: string): Promise<readonly StoredCall[]> {
  const calls: StoredCall[] = []
  for (let after: string | null = null; ; after = calls.at(-1)?.id ?? null) {
    const page = await store.calls.list(runId, { after, limit: 2000 })
    if (page.length === 0) return calls
    calls.push(...page)
  }
}

function serialOf({ id, reply }: StoredCall): number {
  const [serial, ...others] = taggedReplies(reply ?? '')
  if (serial === undefined || others.length > 0) throw new Error(`call ${id}: expected one tagged reply, got ${reply}`)
  return serial
}

function placeOf({ questionId, agent, round, repeat, isReminder }: StoredCall): string {
  return [questionId, agent, round, repeat, isReminder].join(' ')
}

/** Each committed reply was sent completely, by this model, and has the provider's counts of tokens and cost. */
function checkReplies({ committed, log }: Sides): void {
  const wrong = [...committed].filter(([serial, call]) => {
    const request = log[serial]
    if (request === undefined) return true
    const { end, inputTokens, outputTokens, model } = request
    const isSame = call.inputTokens === inputTokens && call.outputTokens === outputTokens
    const cost = Math.ceil(billOf(request))
    return end !== 'answered' || !isSame || !call.model.endsWith(`/${model}`) || call.costMicroUsd !== cost
  })
  expect(wrong).toEqual([])
}

/** A place with a committed reply has no later intent, and after its request only late requests came. */
function checkNoneAskedAgain(calls: readonly StoredCall[], { committed, log }: Sides, mostLate: number): void {
  const intents = grouped(calls, placeOf)
  const lastAsked = new Map(log.map(({ key }, serial) => [key, serial]))
  const again = [...committed].flatMap(([serial, call]) => {
    const key = log[serial]?.key ?? ''
    const attempts = intents.get(placeOf(call)) ?? []
    const isIntended = attempts.some(({ attempt }) => attempt > call.attempt)
    if (!isIntended && lastAsked.get(key) === serial) return []
    const requests = log.flatMap((request, own) => (request.key === key ? { serial: own, ...request } : []))
    return { place: placeOf(call), answeredBy: serial, requests, attempts: attempts.map(shown), isIntended }
  })
  expect(again.filter(({ isIntended }) => isIntended)).toEqual([])
  const late = again.flatMap(({ requests, answeredBy }) => requests.filter(({ serial }) => serial > answeredBy))
  expect(late.length, JSON.stringify(again)).toBeLessThanOrEqual(mostLate)
}

/** Identifies an attempt at a place. */
function shown({ attempt, state, fence, openedAt, at, error }: StoredCall) {
  return { attempt, state, fence, openedAt, at, error }
}

/** No reply was used before it was committed: whatever prompts repeat is in the store. */
function checkQuotes({ committed, log }: Sides): void {
  const quoted = log.flatMap((request) => request.quoted)
  expect(quoted.length).toBeGreaterThan(0)
  expect(quoted.filter((serial) => !committed.has(serial))).toEqual([])
}

/** Each request had an intent of its own, and each place covers what may be billed for it. */
function checkEveryPlace(calls: readonly StoredCall[], { committed, log }: Sides): void {
  const intents = grouped(calls, placeOf)
  const requests = grouped(log, ({ key }) => key)
  const places = new Map([...committed].map(([serial, call]) => [log[serial]?.key ?? '', placeOf(call)]))
  const wrong = [...requests].filter(([key, sent]) => {
    const opened = intents.get(places.get(key) ?? '') ?? []
    const charged = sent.filter(({ end }) => isCharged(end))
    const payable = opened.filter(({ state }) => state !== 'refused')
    const setAside = payable.reduce((sum, call) => sum + (call.costMicroUsd ?? call.reservedMicroUsd ?? 0), 0)
    return sent.length > opened.length || charged.length > payable.length || total(charged, billOf) > setAside
  })
  expect(wrong).toEqual([])
}

function checkSpend(spend: Spend, { committed, log }: Sides): void {
  const paid = [...committed.keys()].flatMap((serial) => log[serial] ?? [])
  expect(spend).toMatchObject({
    inputTokens: total(paid, ({ inputTokens }) => inputTokens),
    outputTokens: total(paid, ({ outputTokens }) => outputTokens),
    committedMicroUsd: total(paid, (request) => Math.ceil(billOf(request))),
    unpricedCalls: 0,
  })
  const charged = log.filter(({ end }) => isCharged(end))
  expect(spend.committedMicroUsd + spend.reservedMicroUsd).toBeGreaterThanOrEqual(total(charged, billOf))
}

function total(requests: readonly LoggedRequest[], part: (request: LoggedRequest) => number): number {
  return requests.reduce((sum, request) => sum + part(request), 0)
}

/** Micro-dollars, not rounded. */
function billOf({ model, inputTokens, outputTokens }: LoggedRequest): number {
  const agent = CHAOS_AGENTS.find((one) => one.model.endsWith(`/${model}`))
  if (agent === undefined) throw new Error(`the provider was asked for ${model}, which no agent is`)
  return (inputTokens * agent.input + outputTokens * agent.output) / 1_000_000
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
