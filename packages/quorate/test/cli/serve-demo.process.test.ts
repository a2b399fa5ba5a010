import { createServer } from 'node:net'
import { audit, usualBudget } from '@quorate/certificate'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { freePort, isWatched, serveDemo } from '../../src/cli/serve/serve-demo.ts'
import { monitorSchema } from '../../src/contract/monitor.ts'
import { auditSchema } from '../../src/contract/operating-point.ts'
import { readDebateFile } from '../../src/files/read-debate-file.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import { playDemo } from '../demo/demo-world.ts'

const isTerminal = process.stdout.isTTY
afterEach(() => {
  process.stdout.isTTY = isTerminal
  vi.unstubAllEnvs()
})

test('the app is served from the folder of the demo, at the printed address, until a signal', async () => {
  const { folder, result } = await playDemo({ beta: 0.001, sizes: { labelled: 300, fresh: 60 } })
  // The environment names another store, which must not be used.
  vi.stubEnv('QUORATE_STORE', 'sqlite:/nowhere/at/all.db')
  const stopping = new AbortController()
  const signalled = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const printed: string[] = []
  const end = { stopping: stopping.signal, aborting: new AbortController().signal, signalled }
  let served: Promise<void> | null = null
  const url = await new Promise<string>((open, fail) => {
    served = serveDemo(folder, { log: (text) => void printed.push(text), open, end })
    served.catch(fail)
  })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect(printed).toEqual([`The app is open at ${url} until Ctrl-C.\n`])
  const answer = await fetch(`${url}v1/monitor`)
  const monitor = monitorSchema.parse(await answer.json())
  expect(monitor.certificate).toMatchObject({ id: result.certificateId, feasible: true })
  expect(monitor.automation.deferred).toEqual({ 'too-few-labels': 60 })
  expect(monitor.queue.waiting).toBe(result.queue.waiting)
  expect(monitor.policy.state).toBe('live')
  // The same debates in the same order, with the same seed.
  const { audit: found } = auditSchema.parse(await (await fetch(`${url}v1/audit`)).json())
  const { read, questionOf } = await readDebateFile(`${folder}/debates.jsonl`)
  const positions = await positionsOf(folder, result.runs.decided)
  const arrived = read.debates.toSorted(
    (a, b) => (positions.get(a.record.id) ?? -1) - (positions.get(b.record.id) ?? -1),
  )
  const arrivedRead = { ...read, debates: arrived }
  const budget = { ...usualBudget(0.001, 'total'), total: { kind: 'pac', delta: 0.05, floor: 0.998 } } as const
  const again = audit(arrivedRead, { profile: 'total', budget, seed: 7, questionOf, order: 'arrival' })
  expect(found).toEqual(JSON.parse(JSON.stringify(again)))
  expect(again.checks.some(({ rows }) => rows.some(({ pValue }) => pValue !== null))).toBe(true)
  // A demo in the same place would take the store away under the server.
  expect((await fetch(`${url}readyz`)).status).toBe(200)
  stopping.abort()
  await served
  await expect(fetch(`${url}healthz`)).rejects.toThrow()
})

/** The position of each question in the run. Questions arrive in this order, which is not that of the file. */
async function positionsOf(folder: string, runId: string): Promise<ReadonlyMap<string, number>> {
  const store = await openStoreAt('sqlite:.quorate/quorate.db', { baseFolder: folder, now: () => 0 })
  const questions = await store.runs.questions(runId, { after: -1, limit: 500 })
  await store.close()
  return new Map(questions.map(({ questionId, position }) => [questionId, position]))
}

test('a port that is in use is skipped', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  onTestFinished(() => void taken.close())
  const free = await freePort(port)
  expect(free).not.toBe(port)
})

test.each([
  { flags: [], isTTY: true, ci: '', watched: true },
  { flags: [], isTTY: true, ci: 'false', watched: true },
  { flags: [], isTTY: true, ci: 'true', watched: false },
  { flags: [], isTTY: false, ci: '', watched: false },
  { flags: ['no-serve'], isTTY: true, ci: '', watched: false },
  { flags: ['json'], isTTY: true, ci: '', watched: false },
])('with $flags, a terminal: $isTTY and CI=$ci the demo stays up: $watched', ({ flags, isTTY, ci, watched }) => {
  process.stdout.isTTY = isTTY
  vi.stubEnv('CI', ci)
  expect(isWatched(new Map(flags.map((flag) => [flag, true])))).toBe(watched)
})
