import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { deliver, signatureOf } from '../../../src/server/webhooks/deliver.ts'
import { nextAttempt, startWebhookSender, type WebhookSender } from '../../../src/server/webhooks/sender.ts'
import { createMessagesOf, targetName } from '../../../src/server/webhooks/targets.ts'
import { openStoreAt } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const SECRET = 'a secret of more than sixteen letters'
const T0 = 1_700_000_000_000
const tidy: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of tidy.splice(0).reverse()) await end()
})

async function world(answer: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(answer)
  tidy.push(() => receiver.close())
  const clock = { now: T0 }
  const store = await openStoreAt('sqlite::memory:', { baseFolder: '.', now: () => clock.now })
  tidy.push(() => store.close())
  return { receiver, clock, store }
}

/** Its sleeps end when the test moves the clock and wakes the sender. */
function carry(
  store: Store,
  receiver: Receiver,
  clock: { now: number },
  { targets = [receiver.url], publicOrigin = null }: { targets?: string[]; publicOrigin?: string | null } = {},
): WebhookSender {
  const sender = startWebhookSender({
    outbox: store.outbox,
    targets: new Map(targets.map((url) => [targetName(url), { url, secret: SECRET }])),
    now: () => clock.now,
    random: () => 1,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve()
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
    report: () => undefined,
    publicOrigin,
  })
  tidy.push(() => sender.stop())
  return sender
}

function messagesFrom(url: string, events: readonly ('decision.acted' | 'policy.suspended')[] = ['decision.acted']) {
  let count = 0
  return createMessagesOf([{ url, events }], () => `message-${++count}`)
}

const acted = (at: number, notBefore = at) =>
  ({ event: 'decision.acted', subject: null, at, notBefore, body: { questionId: 'q-1', answer: 'A' } }) as const

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setImmediate(resolve))
}

test('a message arrives once, signed, with its id and its event', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 204 }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  carry(store, receiver, clock)
  await receiver.count(1)
  const [first] = receiver.received
  expect(first?.path).toBe('/hook')
  expect(JSON.parse(first?.body ?? '')).toEqual({
    quorate: 1,
    id: 'message-1',
    event: 'decision.acted',
    at: T0,
    data: { questionId: 'q-1', answer: 'A' },
  })
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'quorate-delivery': 'message-1',
    'quorate-event': 'decision.acted',
  })
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['quorate-signature'])) ?? []
  expect(t).toBe(String(T0 / 1000))
  expect(v1).toBe(createHmac('sha256', SECRET).update(`${t}.${first?.body}`).digest('hex'))
  await until(async () => (await store.outbox.find('message-1'))?.deliveredAt === T0)
  expect(await store.outbox.counts()).toEqual({ pending: 0, failed: 0 })
})

test.skipIf(spawnSync('python3', ['--version']).status !== 0)('the signature is the one that Python computes', () => {
  const body = JSON.stringify({ text: 'Grüße, 問, "quoted"' })
  const script = [
    'import hmac, hashlib, sys',
    'body = sys.stdin.buffer.read()',
    `print(hmac.new(${JSON.stringify(SECRET)}.encode(), b"1700000000." + body, hashlib.sha256).hexdigest())`,
  ].join('\n')
  const { stdout } = spawnSync('python3', ['-c', script], { input: body, encoding: 'utf8' })
  expect(signatureOf(body, { secret: SECRET, at: T0 + 999 })).toBe(`t=1700000000,v1=${stdout.trim()}`)
})

test('a message that fails is tried again with the same id and body until it arrives', async () => {
  const { receiver, clock, store } = await world((number) => ({ status: number < 3 ? 500 : 200 }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  const sender = carry(store, receiver, clock)
  for (const attempt of [1, 2]) {
    await receiver.count(attempt)
    await until(async () => (await store.outbox.find('message-1'))?.lastError === 'answered 500')
    await until(async () => ((await store.outbox.find('message-1'))?.nextAt ?? 0) > clock.now)
    clock.now = (await store.outbox.nextAt()) ?? clock.now
    sender.wake()
  }
  await receiver.count(3)
  await until(async () => (await store.outbox.find('message-1'))?.deliveredAt !== null)
  expect(new Set(receiver.received.map(({ body, headers }) => `${headers['quorate-delivery']} ${body}`)).size).toBe(1)
  // Signed again, with the time of this attempt.
  expect(new Set(receiver.received.map(({ headers }) => headers['quorate-signature'])).size).toBe(3)
})

test('a redirect is not followed', async () => {
  const elsewhere = await startReceiver(() => ({ status: 200 }))
  tidy.push(() => elsewhere.close())
  const { receiver, clock, store } = await world(() => ({ status: 307, location: elsewhere.url }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  carry(store, receiver, clock)
  await until(async () => (await store.outbox.find('message-1'))?.lastError !== null)
  expect((await store.outbox.find('message-1'))?.lastError).toBe('answered 307: no redirect is followed')
  expect(elsewhere.received).toEqual([])
})

test('a message waits for its time', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 200 }))
  const messagesOf = messagesFrom(receiver.url)
  await store.outbox.add([...messagesOf(acted(T0, T0 + 10_000)), ...messagesOf(acted(T0))])
  const sender = carry(store, receiver, clock)
  await receiver.count(1)
  expect(receiver.received.map(({ headers }) => headers['quorate-delivery'])).toEqual(['message-2'])
  clock.now += 10_000
  sender.wake()
  await receiver.count(2)
})

test('a target that never answers delays no other one, and an alarm goes before what waits', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 200 }))
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const hanging = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
  let count = 0
  const targets = [hanging, receiver.url].map((url) => ({
    url,
    events: ['decision.acted', 'policy.suspended'] as const,
  }))
  const messagesOf = createMessagesOf(targets, () => `message-${++count}`)
  // So many messages to the responsive target that an alarm would otherwise have to wait for the second batch.
  for (let at = 0; at < 40; at++) await store.outbox.add(messagesOf(acted(T0)))
  await store.outbox.add(messagesOf({ ...acted(T0 + 1), event: 'policy.suspended', notBefore: T0 }))
  carry(store, receiver, clock, { targets: [hanging, receiver.url] })
  await receiver.count(41)
  const events = receiver.received.map(({ headers }) => headers['quorate-event'])
  expect(events.indexOf('policy.suspended')).toBeLessThan(8)
  await until(async () => (await store.outbox.counts()).pending === 41)
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
})

test('behind a proxy a message links to the app there, and the signature covers the link', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 200 }))
  const messagesOf = messagesFrom(receiver.url, ['decision.acted', 'policy.suspended'])
  await store.outbox.add(messagesOf({ ...acted(T0), body: { runId: 'run-1', questionId: 'a/b c' } }))
  await store.outbox.add(messagesOf({ ...acted(T0), event: 'policy.suspended', body: { cause: 'admin' } }))
  carry(store, receiver, clock, { publicOrigin: 'https://quorate.example' })
  await receiver.count(2)
  const links = receiver.received.map(({ body }) => JSON.parse(body).link).sort()
  expect(links).toEqual(['https://quorate.example/#/', 'https://quorate.example/#/debates/run-1/a%2Fb%20c'])
  for (const { headers, body } of receiver.received) {
    expect(headers['quorate-signature']).toBe(signatureOf(body, { secret: SECRET, at: T0 }))
  }
})

test('a message that was damaged in the store fails with that reason, and nothing is sent', async () => {
  const { receiver, store } = await world(() => ({ status: 200 }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  const [message] = await store.outbox.due({ now: T0, limit: 1, leaseMs: 1000 })
  if (message === undefined) throw new Error('no message is due')
  const delivery = await deliver(
    { ...message, body: '{"data":' },
    { url: receiver.url, secret: SECRET },
    { at: T0, publicOrigin: 'https://quorate.example' },
  )
  const error = 'store: a message of the outbox cannot be read: another program changed it. Restore a backup'
  expect(delivery).toEqual({ kind: 'failed', error })
  expect(receiver.received).toEqual([])
})

test('a target that the config no longer has gets nothing', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 200 }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  carry(store, receiver, clock, { targets: [] })
  await until(async () => (await store.outbox.counts()).failed === 1)
  expect(receiver.received).toEqual([])
})

test('what was on its way when the process died is sent again, with the same id', async () => {
  const { receiver, clock, store } = await world(() => ({ status: 200 }))
  await store.outbox.add(messagesFrom(receiver.url)(acted(T0)))
  // The sender that died had leased it.
  expect(await store.outbox.due({ now: T0, limit: 10, leaseMs: 30_000 })).toHaveLength(1)
  clock.now += 30_000
  carry(store, receiver, clock)
  await receiver.count(1)
  expect(receiver.received[0]?.headers['quorate-delivery']).toBe('message-1')
})

test('only events that a target asked for are announced to it, and the store has no path of it', () => {
  const messagesOf = messagesFrom('https://hooks.example/T0/secret-path', ['policy.suspended'])
  expect(messagesOf(acted(T0))).toEqual([])
  const [message] = messagesOf({ ...acted(T0), event: 'policy.suspended' })
  expect(message?.target).toMatch(/^https:\/\/hooks\.example#[0-9a-f]{16}$/)
  expect(JSON.stringify(message)).not.toContain('secret-path')
})

test('waits grow up to an hour and end after a day', () => {
  const waits: number[] = []
  let now = T0
  for (let attempts = 1; ; attempts++) {
    const next = nextAttempt({ attempts, notBefore: T0 }, { now, random: () => 1 })
    if (next === null) break
    waits.push((next - now) / 1000)
    now = next
  }
  expect(waits.slice(0, 10)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560])
  expect(waits.at(-1)).toBe(3600)
  expect(now - T0).toBeLessThanOrEqual(86_400_000)
  expect(now - T0).toBeGreaterThan(86_400_000 - 3_600_000)
})

test('a wait is never in the past and at most an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
      const next = nextAttempt({ attempts, notBefore: T0 }, { now: T0, random: () => chance }) ?? Number.NaN
      expect(next - T0).toBeGreaterThanOrEqual(2500)
      expect(next - T0).toBeLessThanOrEqual(3_600_000)
    }),
  )
})
