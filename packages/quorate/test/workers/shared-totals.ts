import { expect } from 'vitest'
import type { Spend, Store, StoredCall } from '../../src/store/store.ts'
import { allCalls } from '../chaos/account.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'

export interface SharedTotals {
  readonly calls: Spend['calls']
  readonly committedMicroUsd: number
  readonly reservedMicroUsd: number
  /** That the provider saw. */
  readonly requests: number
  readonly faults: number
  /** Intents of workers that were killed or away: written before they asked, and not known to be answered. */
  readonly lostOpen: number
  /** Replies that the provider sent whole and nobody wrote: what is asked again. */
  readonly repliesLost: number
}

interface Disturbance {
  readonly fake: Pick<FakeProvider, 'counts'>
  /** Calls that those who were killed or frozen can have had open together. */
  readonly mostOpen: number
  /** And those who were frozen, or cut off from their database, can have been about to send. */
  readonly mostUnsent: number
}

/** How a call is lost that was open when somebody else took its question. */
const TAKEN_OVER = /process ended before it stored/
const UNSENT = /before it was sent/

/** What the store says it spent is the sum of its calls, and they are the provider's requests, but for open intents. */
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
  // An intent comes before its request. One without: its worker ended between the two, or saw that it had been away.
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
