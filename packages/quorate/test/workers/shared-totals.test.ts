import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { CallOutcome, StoredCall } from '../../src/store/store.ts'
import type { Counts } from '../fake-provider/counts.ts'
import { createRun, sampleIntent, sampleOutcome } from '../store/samples.ts'
import { checkTotals } from './shared-totals.ts'

const NOTHING = { reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null }
const TAKEN_OVER = 'the process ended before it stored the reply'
const CALLS: readonly (readonly [Exclude<StoredCall['state'], 'open'>, Partial<CallOutcome>])[] = [
  ['answered', {}],
  ['refused', { ...NOTHING, error: 'status 429' }],
  ['refused', { ...NOTHING, error: 'm: given up before it was sent' }],
  ['lost', { ...NOTHING, error: 'cut off' }],
  ['lost', { ...NOTHING, error: TAKEN_OVER }],
  ['lost', { ...NOTHING, error: TAKEN_OVER }],
]
/** One answer, one refusal, one broken reply, and one of the two calls that were open when their worker died. */
const REQUESTS = 4

test('only intents that were open when a worker died are in the store but not at the provider', async () => {
  const { store, runId } = await bookedStore()
  const totals = await checkTotals(store, runId, { fake: provider(REQUESTS, 2), mostOpen: 2, mostUnsent: 1 })
  expect(totals).toMatchObject({ calls: { answered: 1, refused: 2, lost: 3 }, lostOpen: 2, repliesLost: 1 })
})

const DISHONEST = [
  ['a request without an intent', CALLS.length + 1, 1, 2, 1],
  ['an intent that was neither sent nor given up, of a worker that lived', 2, 1, 2, 1],
  ['a request that is said not to have been sent', CALLS.length, 1, 2, 1],
  ['more lost calls than those who died can have had open', REQUESTS, 1, 1, 1],
  ['more calls given up than those who were away can have been about to send', REQUESTS, 1, 2, 0],
  ['more replies that nobody wrote than calls that were lost', REQUESTS, 5, 2, 1],
] as const

test.each(DISHONEST)('%s is found', async (_, requests, answered, mostOpen, mostUnsent) => {
  const { store, runId } = await bookedStore()
  const disturbance = { fake: provider(requests, answered), mostOpen, mostUnsent }
  await expect(checkTotals(store, runId, disturbance)).rejects.toThrow()
})

function provider(requests: number, answered: number) {
  const charge = { requests: answered, inputTokens: 0, outputTokens: 0 }
  const counts: Counts = {
    requests,
    answered: charge,
    charged: charge,
    faults: { reset: 1 },
    gone: 0,
    mostInFlight: 1,
    spanMs: 1,
    openMs: 1,
  }
  return { counts: () => counts }
}

async function bookedStore() {
  const store = openSqlite(':memory:', { now: () => 0 })
  onTestFinished(() => store.close())
  const { id: runId } = await createRun(store)
  for (const [number, [state, outcome]] of CALLS.entries()) {
    const intent = sampleIntent(number, { attempt: number + 1 })
    await store.calls.open(intent)
    await store.calls.close(intent, state, sampleOutcome(outcome))
  }
  return { store, runId }
}
