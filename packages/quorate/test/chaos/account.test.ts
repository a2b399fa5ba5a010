import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Intent, Store } from '../../src/store/store.ts'
import type { LoggedRequest } from '../fake-provider/counts.ts'
import { replyTag } from '../fake-provider/reply-tag.ts'
import { createRun, sampleIntent, sampleOutcome } from '../store/samples.ts'
import { checkAccount } from './account.ts'

const ANSWERED: LoggedRequest = {
  key: 'first',
  model: 'qwen3-32b',
  quoted: [],
  at: 0,
  end: 'answered',
  inputTokens: 100,
  outputTokens: 20,
}

/** A round that was answered at once, and a second round whose first reply was charged and lost. */
const HONEST: readonly LoggedRequest[] = [
  ANSWERED,
  { ...ANSWERED, key: 'second', quoted: [0], end: 'truncated' },
  { ...ANSWERED, key: 'second', quoted: [0] },
]

test('an honest provider and a store that lost nothing agree', async () => {
  const { store, runId } = await bookedStore()
  expect(await checkAccount(store, runId, { log: () => HONEST })).toHaveLength(2)
})

const DISHONEST: readonly (readonly [string, readonly LoggedRequest[]])[] = [
  ['an answered call that is asked again', [...HONEST, ANSWERED]],
  ['a request without an intent', [...HONEST, { ...ANSWERED, key: 'third', end: 'rate-limit' }]],
  ['a prompt that repeats a reply which was never committed', changed(2, { quoted: [0, 1] })],
  ['other tokens than the provider counted', changed(0, { outputTokens: 21 })],
  ['an answer to a request that failed', changed(2, { end: 'malformed' })],
  ['an answer of another model', changed(0, { model: 'gpt-4.1-mini' })],
  ['a charge above what is set aside', changed(1, { inputTokens: 1_000_000 })],
]

test.each(DISHONEST)('%s is found', async (_, log) => {
  const { store, runId } = await bookedStore()
  await expect(checkAccount(store, runId, { log: () => log })).rejects.toThrow()
})

test('a request of a process that was stopped while it sent is late, and one for each stop is allowed', async () => {
  const { store, runId } = await bookedStore(1)
  const second = { ...ANSWERED, key: 'second', quoted: [0] }
  const check = (log: readonly LoggedRequest[], mostLate: number) =>
    checkAccount(store, runId, { log: () => log }, { mostLate })
  expect(await check([ANSWERED, second, second], 1)).toHaveLength(2)
  await expect(check([ANSWERED, second, second], 0)).rejects.toThrow()
  await expect(check([ANSWERED, second, second, second], 2), 'one has no intent').rejects.toThrow()
})

test('a later intent for an answered place is found, whichever process was stopped', async () => {
  const { store, runId } = await bookedStore()
  const again = intentOf(9, { attempt: 9 })
  await store.calls.open(again)
  await store.calls.close(again, 'lost', sampleOutcome())
  await expect(checkAccount(store, runId, { log: () => HONEST }, { mostLate: 5 })).rejects.toThrow()
})

test('an open call is found', async () => {
  const { store, runId } = await bookedStore()
  await store.calls.open(intentOf(9, { round: 3 }))
  await expect(checkAccount(store, runId, { log: () => HONEST })).rejects.toThrow()
})

function changed(serial: number, change: Partial<LoggedRequest>): readonly LoggedRequest[] {
  return HONEST.map((request, index) => (index === serial ? { ...request, ...change } : request))
}

function intentOf(number: number, change: Partial<Intent>): Intent {
  return sampleIntent(number, { model: 'openai-compatible/qwen3-32b', attempt: 1, ...change })
}

/** `second`: the request that answered the second round. */
async function bookedStore(second = 2): Promise<{ readonly store: Store; readonly runId: string }> {
  const store = openSqlite(':memory:', { now: () => 0 })
  onTestFinished(() => store.close())
  const { id: runId } = await createRun(store)
  // 100 and 20 tokens at 0.15 and 0.601 dollars per million, rounded up.
  const costMicroUsd = 28
  const book = async (intent: Intent, serial: number | null) => {
    await store.calls.open(intent)
    const reply = JSON.stringify({ text: replyTag(serial ?? 0) })
    const nothing = { reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null, error: 'cut off' }
    const outcome = sampleOutcome(serial === null ? nothing : { reply, costMicroUsd })
    await store.calls.close(intent, serial === null ? 'lost' : 'answered', outcome)
  }
  await book(intentOf(1, {}), 0)
  await book(intentOf(2, { round: 2 }), null)
  await book(intentOf(3, { round: 2, attempt: 2 }), second)
  return { store, runId }
}
