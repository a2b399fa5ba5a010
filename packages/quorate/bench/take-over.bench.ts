import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@quorate/certificate'
import pg from 'pg'
import { startPostgres } from '../../../tools/postgres.ts'
import { runQuorate, startFleet } from '../test/workers/fleet.ts'
import { fillWorkersFolder, writeQuestions } from './workers-folder.ts'

/** One of three workers is killed again and again: after how long others have its questions. */
const KILLS = Number(process.argv[2] ?? 3)
const start = await startPostgres()
if (start.kind === 'absent') throw new Error(start.reason)
const { url, stop } = start.postgres
const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
const client = new pg.Client({ connectionString: url })
fillWorkersFolder(folder, 16)
const place = { folder, store: url, env: { QUORATE_SIMULATED_LATENCY_MS: '400' } }
await client.connect()
const file = writeQuestions(folder, 'taken', 5000)
await runQuorate(place, ['debate', file, '--detach'])
const fleet = startFleet({ ...place, workers: 3 })
try {
  await fleet.ready(3)
  await sleep(4000)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = new Set(fleet.pids())
    const began = performance.now()
    await fleet.kill(seededRandom(kill))
    const dead = [...before].filter((pid) => !fleet.pids().includes(pid))
    const { rows } = await client.query('select jobs from workers where name like $1', [`% ${dead[0]}`])
    const leased = JSON.parse(rows[0]?.jobs ?? '[]') as { runId: string; questionId: string }[]
    const fences = async () =>
      new Map(
        (
          await client.query('select question_id, fence, status from run_questions where question_id = any($1)', [
            leased.map(({ questionId }) => questionId),
          ])
        ).rows.map(({ question_id, fence, status }) => [question_id, `${fence} ${status === 'pending'}`]),
      )
    const first = await fences()
    const open = [...first].filter(([, state]) => state.endsWith('true'))
    let [handedOn, earliest, latest] = [Number.NaN, Number.NaN, Number.NaN]
    const waiting = new Map(open)
    while (waiting.size > 0 && performance.now() - began < 30_000) {
      await sleep(50)
      const { rows: own } = await client.query('select jobs from workers where name like $1', [`% ${dead[0]}`])
      if (own[0]?.jobs === '[]' && Number.isNaN(handedOn)) handedOn = (performance.now() - began) / 1000
      const now = await fences()
      for (const [id, state] of waiting) {
        if (now.get(id) === state) continue
        waiting.delete(id)
        latest = (performance.now() - began) / 1000
        earliest = Number.isNaN(earliest) ? latest : earliest
      }
    }
    console.log(
      `kill ${kill + 1}: ${open.length} questions, handed on after ${handedOn.toFixed(1)} s, the first taken after ${earliest.toFixed(1)} s, the last after ${latest.toFixed(1)} s`,
    )
    await sleep(3000)
  }
} finally {
  fleet.end()
  await client.end()
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
