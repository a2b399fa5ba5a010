import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import { mountSmallDisk } from '../chaos/small-disk.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { ask } from './ask.ts'
import { startTestServer, type TestOptions } from './test-server.ts'

/** A server whose stopwatch the test moves, because a result is cached for a second. */
async function served(folder: string, options: TestOptions = {}) {
  const store = await openStoreAt(`sqlite:${join(folder, 'quorate.db')}`, { baseFolder: folder, now: Date.now })
  const time = { now: 0 }
  const server = await startTestServer({ store, stopwatch: () => time.now, ...options })
  onTestFinished(async () => {
    await server.stop()
    await store.close()
  })
  const readyz = async () => {
    time.now += 10_000
    const answer = await ask(server.port, '/readyz')
    return [answer.status, answer.status === 200 ? '' : answer.text] as const
  }
  return { server, store, time, readyz }
}

test('a server with a full disk is not ready, even if the log of the store has room, and is ready again with space', async ({
  skip,
}) => {
  const disk = mountSmallDisk() ?? skip('no right to mount a small disk here')
  const { readyz } = await served(disk.folder)
  expect(await readyz()).toEqual([200, ''])
  disk.fill(500_000)
  expect(await readyz()).toEqual([503, expect.stringContaining('the disk of the store is full')])
  disk.free()
  expect(await readyz()).toEqual([200, ''])
})

test('a store that cannot be written is not ready', async () => {
  const { server, store, readyz } = await served(temporaryFolder())
  expect(await readyz()).toEqual([200, ''])
  const failing = (kind: 'read-only' | 'disk-full' | 'unreachable') => async () => {
    throw new StoreError(kind, 'store: words')
  }
  const writes = { checkWritable: store.checkWritable }
  for (const kind of ['read-only', 'disk-full', 'unreachable'] as const) {
    Object.assign(store, { checkWritable: failing(kind) })
    expect([kind, (await readyz())[0]]).toEqual([kind, 503])
  }
  Object.assign(store, writes)
  expect(await readyz()).toEqual([200, ''])
  expect((await ask(server.port, '/healthz')).status).toBe(200)
})

test('the store is written once a second, however often readiness is requested', async () => {
  const { server, store, time } = await served(temporaryFolder())
  let count = 0
  const { checkWritable } = store
  Object.assign(store, {
    checkWritable: (at: number) => {
      count += 1
      return checkWritable(at)
    },
  })
  const statuses = async () =>
    Promise.all(Array.from({ length: 50 }, async () => (await ask(server.port, '/readyz')).status))
  expect(new Set(await statuses())).toEqual(new Set([200]))
  expect(new Set(await statuses())).toEqual(new Set([200]))
  expect(count).toBe(1)
  time.now += 1001
  await statuses()
  expect(count).toBe(2)
})
