import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepUp } from '../../src/server/start-server.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import { ask } from './ask.ts'
import { startTestServer } from './test-server.ts'

const DAY_MS = 86_400_000

function days(count: number, prune: (limits: { before: number; now: number }) => void) {
  const stopping = new AbortController()
  const reports: string[] = []
  let now = 1000 * DAY_MS
  const tools = {
    store: {
      async prune(limits: { before: number; now: number }) {
        prune(limits)
        return { erased: 1, messages: 0, sessions: 2 }
      },
    },
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds
      if (now >= (1000 + count) * DAY_MS) stopping.abort()
    },
    stopping: stopping.signal,
    report: (words: string) => reports.push(words),
  }
  return { tools, reports }
}

test('texts older than the days to retain are erased every day', async () => {
  const seen: number[] = []
  const { tools, reports } = days(3, ({ before }) => seen.push(before / DAY_MS))
  await keepUp(90, tools)
  expect(seen).toEqual([910, 911, 912])
  expect(reports).toHaveLength(3)
})

test('without a retention no text is erased, but expired sessions are', async () => {
  const seen: unknown[] = []
  const { tools } = days(1, (limits) => seen.push(limits))
  await keepUp(null, tools)
  expect(seen).toEqual([{ before: 0, now: 1000 * DAY_MS }])
})

test('a failure is logged, and the next attempt is a day later', async () => {
  let count = 0
  const { tools, reports } = days(2, () => {
    if (++count === 1) throw new Error('busy')
  })
  await keepUp(90, tools)
  expect([count, reports[0]]).toEqual([2, 'upkeep failed and will be tried again tomorrow'])
})

test('/readyz fails when the file of the store is no longer the one that was opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-ready-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'quorate.db')
  const store = await openStoreAt(`sqlite:${file}`, { baseFolder: folder, now: Date.now })
  const server = await startTestServer({ store })
  onTestFinished(async () => {
    await server.stop()
    await store.close()
  })
  expect((await ask(server.port, '/readyz')).status).toBe(200)
  renameSync(file, `${file}.away`)
  const gone = await ask(server.port, '/readyz')
  expect([gone.status, gone.json()]).toMatchObject([503, { detail: expect.stringContaining('removed or replaced') }])
  writeFileSync(file, '')
  expect((await ask(server.port, '/readyz')).status).toBe(503)
  renameSync(`${file}.away`, file)
  expect((await ask(server.port, '/readyz')).status).toBe(200)
})
