import { expect } from 'vitest'
import type { Spend, Store, StoredCall } from '../../src/store/store.ts'
import { allCalls } from '../chaos/account.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'

export interface SharedTotals {
  readonly calls: Spend['calls']
  readonly committedMicroUsd: number
  readonly reservedMicroUsd: number
  /** Requests that the provider received. */
  readonly requests: number
  readonly faults: number
  /** Intents of workers that were killed or away: written before the request, without a known answer. */
  readonly lostOpen: number
  /** Complete replies of the provider that were never written, so their calls are sent again. */
  readonly repliesLost: number
}

interface Disturbance {
  readonly fake: Pick<FakeProvider, 'counts'>
  /** The most calls that killed or frozen workers can have had open. */
  readonly mostOpen: number
  /** The most calls that frozen or disconnected workers can have been about to send. */
  readonly mostUnsent: number
}

/** The error of a call that was open when another worker took its question. */
const TAKEN_OVER = /process ended before it stored/
const UNSENT = /before it was sent/

/** The spend of the store is the sum of its calls, and except for open intents they are the provider's requests. */
export async function checkTotals(
  store: Store,
  runId: string,
  { fake, mostOpen, mostUnsent }: Disturbance,
): Promise<SharedTotals> {
  const calls = await allCalls(store, runId)
  const spend = await store.calls.spend(runId)
  const inState = (state: StoredCall['state']) => calls.filter((call) => call.state === state)
  const [answered, refused, lost] = [inState('answered'), inState('refused'), inState('lost')]
  expect(spend.calls).toEqual({ open: 0, answered: answered.length, refused: refused.length, lost: lost.length })
  expect(spend.committedMicroUsd).toBe(sum(calls, ({ costMicroUsd }) => costMicroUsd))
  const unpaid = lost.filter(({ costMicroUsd }) => costMicroUsd === null)
  expect(spend.reservedMicroUsd).toBe(sum(unpaid, ({ reservedMicroUsd }) => reservedMicroUsd))

  const lostOpen = lost.filter(({ error }) => TAKEN_OVER.test(error ?? '')).length
  expect(lostOpen).toBeLessThanOrEqual(mostOpen)
  const { requests, answered: sent, faults } = fake.counts()
  // An intent precedes its request. If the request is missing, the worker ended in between or noticed that it was away.
  const givenUp = refused.filter(({ error }) => UNSENT.test(error ?? '')).length
  expect(givenUp).toBeLessThanOrEqual(mostUnsent)
  const unsent = calls.length - requests
  expect(unsent).toBeGreaterThanOrEqual(givenUp)
  expect(unsent).toBeLessThanOrEqual(givenUp + lostOpen)
  const repliesLost = sent.requests - answered.length
  expect(repliesLost).toBeLessThanOrEqual(lost.length)
  const { committedMicroUsd, reservedMicroUsd } = spend
  const money = { committedMicroUsd, reservedMicroUsd }
  return { calls: spend.calls, ...money, requests, faults: total(faults), lostOpen, repliesLost }
}

function sum(calls: readonly StoredCall[], part: (call: StoredCall) => number | null): number {
  return calls.reduce((all, call) => all + (part(call) ?? 0), 0)
}

function total(faults: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(faults).reduce<number>((all, count) => all + (count ?? 0), 0)
}
