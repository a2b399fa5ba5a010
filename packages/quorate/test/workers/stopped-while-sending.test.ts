import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { checkAccount } from '../chaos/account.ts'
import { CHAOS_AGENTS, CHAOS_TIMEOUT_MS, chaosFolder, ROUNDS, startChaos } from '../chaos/chaos-panel.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runHere, startFleet } from './fleet.ts'

const QUESTIONS = 12

/**
 * Stops the process that loads it in its 20th request, after the lease was checked and before the first byte. It subscribes
 * during the first request, which puts it behind the check.
 */
const STOP_WHILE_SENDING = `
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
const channel = 'undici:client:sendHeaders'
let requests = 0
const count = () => { if (++requests === 20) process.kill(process.pid, 'SIGSTOP') }
const first = () => { unsubscribe(channel, first); subscribe(channel, count) }
subscribe(channel, first)
`

const start = await startPostgres()

if (start.kind === 'absent') {
  test.skip(`a worker stopped while it sends: ${start.reason}`, () => {})
} else {
  const { postgres } = start
  afterAll(postgres.stop)

  test.skipIf(!existsSync('/proc/self/status'))(
    'a worker that is stopped between its check and the first byte sends that one request late, which is paid and not used',
    async () => {
      const folder = temporaryFolder()
      const fake = await startChaos({ faultRate: 0 })
      onTestFinished(fake.close)
      chaosFolder(fake.url, { questions: QUESTIONS, concurrency: 8, folder })
      const place = { folder, store: postgres.url }
      const queued = await runHere(place, ['debate', 'questions.jsonl', '--detach', '--json'])
      expect(queued.code, queued.output).toBe(0)
      const { runId } = JSON.parse(queued.output) as { runId: string }
      const script = join(folder, 'stop-while-sending.mjs')
      writeFileSync(script, STOP_WHILE_SENDING)
      const stopped = startFleet({ ...place, workers: 1, env: { NODE_OPTIONS: `--import ${script}` } })
      onTestFinished(stopped.end)
      const [pid = 0] = stopped.pids()
      while (!isStopped(pid)) await sleep(50)
      const other = startFleet({ ...place, workers: 1 })
      onTestFinished(other.end)
      const store = await openPostgres(postgres.url, { now: () => 0, connections: 2 })
      onTestFinished(() => store.close())
      while ((await store.runs.find(runId))?.status !== 'done') await sleep(100)
      const before = fake.counts().requests
      process.kill(pid, 'SIGCONT')
      await fake.reached(before + 1)
      expect(await stopped.stop(), stopped.output()).toEqual([0])
      expect(await other.stop(), other.output()).toEqual([0])

      expect(fake.counts().requests).toBe(before + 1)
      await expect(checkAccount(store, runId, fake)).rejects.toThrow()
      const answered = await checkAccount(store, runId, fake, { mostLate: 1 })
      expect(answered).toHaveLength(QUESTIONS * CHAOS_AGENTS.length * ROUNDS)
    },
    CHAOS_TIMEOUT_MS,
  )
}

function isStopped(pid: number): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}
