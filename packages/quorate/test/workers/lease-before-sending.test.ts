import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkLeaseBeforeSending, createLease } from '../../src/run/workers/lease.ts'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'

const AWAY_MS = 15_000

async function world() {
  const fake = await startFakeProvider()
  onTestFinished(fake.close)
  let time = 0
  const lease = createLease(() => time)
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  const send = () => fetch(`${fake.url}/v1/chat/completions`, { method: 'POST', body }).then(({ status }) => status)
  /** Simulates a process that was stopped for long right after it began to send. */
  const stopped = async () => {
    const sending = [send(), send(), send()]
    time += AWAY_MS
    const ends = await Promise.allSettled(sending)
    await sleep(50)
    return ends.map(({ status }) => status)
  }
  const back = () => {
    const sign = lease.begin()
    sign()
  }
  return { fake, lease, send, stopped, back }
}

test.each(['new', 'kept'])(
  'nothing of a request goes over a %s connection where the lease ended meanwhile',
  async (kind) => {
    const { fake, lease, send, stopped, back } = await world()
    onTestFinished(checkLeaseBeforeSending(lease))
    if (kind === 'kept') await Promise.all([send(), send(), send()])
    const before = fake.counts().requests
    expect(await stopped()).toEqual(['rejected', 'rejected', 'rejected'])
    expect(fake.counts().requests).toBe(before)
    await expect(send()).rejects.toMatchObject({ cause: { kind: 'fenced', message: expect.stringContaining('15 s') } })
    back()
    expect(await send()).toBe(200)
    expect(fake.counts().requests).toBe(before + 1)
  },
)

test('companion: a check at the time of the call lets all of them through', async () => {
  const { fake, stopped } = await world()
  expect(await stopped()).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(fake.counts().requests).toBe(3)
})
