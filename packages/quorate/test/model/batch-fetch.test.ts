import { expect, onTestFinished, test } from 'vitest'
import { ANTHROPIC_BATCHES } from '../../src/model/batch/anthropic-batches.ts'
import { type BatchJournal, batchFetch, type OpenBatch, PLACE_HEADER } from '../../src/model/batch/batch-fetch.ts'
import { OPENAI_BATCHES } from '../../src/model/batch/openai-batches.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'

function memoryJournal(): BatchJournal & { readonly batches: Map<string, OpenBatch> } {
  const batches = new Map<string, OpenBatch>()
  return {
    batches,
    async open(batch) {
      batches.set(batch.id, { ...batch, remoteId: null })
    },
    async sent(id, remoteId) {
      const batch = batches.get(id)
      if (batch !== undefined) batches.set(id, { ...batch, remoteId })
    },
    async forget(id) {
      batches.delete(id)
    },
    list: async () => [...batches.values()],
  }
}

const FORMATS = ['openai', 'anthropic'] as const

async function world(format: (typeof FORMATS)[number]) {
  const fake = await startFakeProvider()
  onTestFinished(() => fake.close())
  const journal = memoryJournal()
  let ids = 0
  const start = (send: typeof fetch = fetch) => {
    const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
    return batchFetch({ journal, fetch: send, sleep, newId: () => `b${ids++}`, pollMs: 5, quietMs: 5 })
  }
  const api = format === 'openai' ? OPENAI_BATCHES : ANTHROPIC_BATCHES
  const path = format === 'openai' ? '/v1/chat/completions' : '/v1/messages'
  const ask = (batching: ReturnType<typeof start>, text: string, place = text) =>
    batching.fetchOf(api)(`${fake.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k', [PLACE_HEADER]: place },
      body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] }),
    })
  return { fake, journal, start, ask }
}

const requests = (fake: FakeProvider) => fake.batches.list().map((batch) => batch.requests)

test.each(FORMATS)('requests of %s that come together are one batch, and each gets its own answer', async (format) => {
  const { fake, journal, start, ask } = await world(format)
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => ask(start(), text).then((one) => one.text())))
  expect(new Set(answers).size).toBe(3)
  expect(journal.batches.size).toBe(3)
  const batching = start()
  await Promise.all(['d', 'e', 'f'].map((text) => ask(batching, text)))
  expect(requests(fake)).toEqual([1, 1, 1, 3])
  await batching.forget()
  expect(journal.batches.size).toBe(3)
})

test.each(FORMATS)('the same body at two places of %s is asked twice', async (format) => {
  const { fake, start, ask } = await world(format)
  const batching = start()
  await Promise.all([ask(batching, 'a', 'first'), ask(batching, 'a', 'second')])
  expect(requests(fake)).toEqual([2])
})

test.each(FORMATS)('a batch of %s whose process ended before it received the id is found again', async (format) => {
  const { fake, journal, start, ask } = await world(format)
  fake.batches.pause()
  const never = new Promise<Response>(() => undefined)
  // The provider has received it, but its answer never arrives.
  const deaf: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    return String(input).endsWith('/batches') && init?.method === 'POST' ? never : answer
  }
  void ask(start(deaf), 'a')
  await fake.batches.created(1)
  expect([...journal.batches.values()].map(({ remoteId }) => remoteId)).toEqual([null])
  fake.batches.release()
  expect((await ask(start(), 'a')).status).toBe(200)
  expect(requests(fake)).toEqual([1])
})

test('a running batch of somebody else with as many requests is not taken for a lost one', async () => {
  const { fake, start, ask, journal } = await world('anthropic')
  const never = new Promise<Response>(() => undefined)
  const deaf: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    return String(input).endsWith('/batches') && init?.method === 'POST' ? never : answer
  }
  fake.batches.pause()
  const requestsOf = (id: string) => [{ custom_id: id, params: { model: 'm', max_tokens: 9, messages: [] } }]
  const addForeign = (id: string) =>
    fetch(`${fake.url}/v1/messages/batches`, { method: 'POST', body: JSON.stringify({ requests: requestsOf(id) }) })
  await addForeign('of-another-program')
  void ask(start(deaf), 'a')
  await fake.batches.created(2)
  expect([...journal.batches.values()].map(({ remoteId }) => remoteId)).toEqual([null])
  let looks = 0
  const looking: typeof fetch = (input, init) => {
    // All are still running at the first poll, so nobody knows yet which one is ours.
    if (String(input).includes('limit=') && ++looks === 2) fake.batches.release()
    return fetch(input, init)
  }
  expect((await ask(start(looking), 'a')).status).toBe(200)
  expect(requests(fake)).toEqual([1, 1])
})

test.each(FORMATS)('a lost batch of %s is found behind a page of others', async (format) => {
  const { fake, start, ask } = await world(format)
  let lost = 0
  const many: typeof fetch = async (input, init) => {
    const url = String(input)
    const other = { id: 'x', status: 'completed', processing_status: 'ended', request_counts: { succeeded: 7 } }
    if (url.endsWith('limit=100')) return Response.json({ data: [other], has_more: true })
    const answer = await fetch(input, init)
    if (url.endsWith('/batches') && init?.method === 'POST' && lost++ === 0) throw new TypeError('reset')
    return answer
  }
  const batching = start(many)
  await expect(ask(batching, 'a')).rejects.toThrow('reset')
  expect((await ask(batching, 'a')).status).toBe(200)
  expect(requests(fake)).toEqual([1])
})

test('of two results for one request, the successful one counts', async () => {
  const { start, ask } = await world('openai')
  const twice: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (!String(input).endsWith('/content')) return answer
    const text = await answer.text()
    const { custom_id: id } = JSON.parse(text)
    const failed = JSON.stringify({ custom_id: id, response: null, error: { message: 'expired' } })
    return new Response(`${failed}\n${text}${failed}\n`)
  }
  expect((await ask(start(twice), 'a')).status).toBe(200)
})

test.each(FORMATS)('a batch of %s that was never created is sent by the next process', async (format) => {
  const { fake, journal, start, ask } = await world(format)
  const never = new Promise<Response>(() => undefined)
  void ask(
    start(() => never),
    'a',
  )
  while (journal.batches.size === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const next = start()
  // The attempt of the lost batch fails as unprocessed, and the next attempt is sent.
  expect((await ask(next, 'a')).status).toBe(503)
  expect((await ask(next, 'a')).status).toBe(200)
  expect(requests(fake)).toEqual([1])
})

test.each(FORMATS)('a batch of %s whose answer is lost on the way is found by the next attempt', async (format) => {
  const { fake, start, ask } = await world(format)
  let lost = 0
  const lossy: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (String(input).endsWith('/batches') && init?.method === 'POST' && lost++ === 0) throw new TypeError('reset')
    return answer
  }
  const batching = start(lossy)
  await expect(ask(batching, 'a')).rejects.toThrow('reset')
  expect((await ask(batching, 'a')).status).toBe(200)
  expect(requests(fake)).toEqual([1])
})

test.each(FORMATS)('requests of %s that expire are worth another attempt', async (format) => {
  const { fake, start, ask } = await world(format)
  fake.batches.expireNext(0.5)
  const batching = start()
  const answers = await Promise.all([ask(batching, 'a'), ask(batching, 'b')])
  expect(answers.map(({ status }) => status)).toEqual([200, 503])
  expect((await ask(batching, 'b')).status).toBe(200)
})

test('a batch that is refused as a whole gives each request the status', async () => {
  const { journal, start, ask } = await world('openai')
  const batching = start(async () => new Response('{"error":{"message":"no such key"}}', { status: 401 }))
  const answers = await Promise.all([ask(batching, 'a'), ask(batching, 'b')])
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  expect(journal.batches.size).toBe(0)
})

test('the place of a call never reaches a provider', async () => {
  const { start, ask } = await world('openai')
  const seen: string[] = []
  const batching = start(async (input, init) => {
    seen.push(...new Headers(init?.headers).keys())
    return fetch(input, init)
  })
  await ask(batching, 'a', 'secret')
  expect(seen).toContain('authorization')
  expect(seen).not.toContain(PLACE_HEADER)
})
