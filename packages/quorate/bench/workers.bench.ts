import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { withGenerated } from '../../../tools/documents.ts'
import { startPostgres } from '../../../tools/postgres.ts'
import { type Fleet, type Place, runQuorate, startFleet } from '../test/workers/fleet.ts'
import { machineText } from '../test/workers/machine.ts'
import { warmUp } from '../test/workers/warm-up.ts'
import { type DatabaseLoad, indexBytes, loadBetween, readLoad } from './database-load.ts'
import { type ProcessorMs, usedBy, usedByServer } from './processor-time.ts'
import { CALLS_A_DEBATE, fillWorkersFolder, writeQuestions } from './workers-folder.ts'
import { type Throughput, workersTable } from './workers-table.ts'

/**
 * Many workers on one PostgreSQL of this bench alone, which syncs every commit: how long it takes to queue debates, how
 * many calls a second one and four worker processes make, and what a call costs workers, server and disk.
 *
 *     npm run bench -- workers [--calls 20000] [--debates 100000] [--repeats 3] [--latency 50] [--write]
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { calls: text, debates: text, repeats: text, latency: text, write: { type: 'boolean', default: false } },
})
const CALLS = Number(values.calls ?? 20_000)
const DEBATES = Number(values.debates ?? 100_000)
const REPEATS = Number(values.repeats ?? 3)
const LATENCY_MS = Number(values.latency ?? 50)
const CONCURRENCY = 16
const FLEETS = [1, 4] as const
const WARM_UP_CALLS = 1200
/** As docs/operations.md has them, where they change what is measured. */
const SETTINGS = { max_wal_size: '8GB', checkpoint_timeout: '15min', autovacuum_naptime: '15s' }
const DOCUMENT = resolve(import.meta.dirname, '../../../docs/operations.md')

const queued = await onDatabase(queueing)
const { runs, indexes, machine } = await onDatabase(throughput)
const table = workersTable({
  machine,
  queued,
  debates: DEBATES,
  runs,
  indexes,
  calls: CALLS,
  latencyMs: LATENCY_MS,
  concurrency: CONCURRENCY,
})
console.log(`\n${table}`)
if (values.write) {
  writeFileSync(DOCUMENT, withGenerated(readFileSync(DOCUMENT, 'utf8'), 'workers', table))
  console.log('bench: wrote docs/operations.md')
}

interface Base {
  readonly place: Place
  readonly client: pg.Client
}

async function onDatabase<Result>(measure: (base: Base) => Promise<Result>): Promise<Result> {
  const start = await startPostgres(SETTINGS)
  if (start.kind === 'absent') throw new Error(start.reason)
  const { url, stop } = start.postgres
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    fillWorkersFolder(folder, CONCURRENCY)
    const place = { folder, store: url, env: { QUORATE_SIMULATED_LATENCY_MS: String(LATENCY_MS) } }
    await warmUp(place)
    return await measure({ place, client })
  } finally {
    await client.end()
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds of the whole command, start-up included. */
async function queueing({ place }: Base): Promise<readonly number[]> {
  const seconds: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const began = performance.now()
    await enqueue(place, writeQuestions(place.folder, `queued-${repeat}`, DEBATES))
    seconds.push((performance.now() - began) / 1000)
    console.log(`${DEBATES} debates queued in ${seconds.at(-1)?.toFixed(1)} s`)
  }
  return seconds
}

async function throughput(base: Base) {
  const runs: Throughput[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const workers of FLEETS) {
      const run = await measured(base, workers, `w${workers}-${repeat}`)
      console.log(`${workers} worker${workers === 1 ? '' : 's'}: ${run.callsPerSecond.toFixed(0)} calls/s`)
      runs.push(run)
    }
  }
  const indexes = await indexBytes(base.client, 'calls')
  return { runs, indexes, machine: await machineText(base.place.store, new Date()) }
}

async function measured(base: Base, workers: number, name: string): Promise<Throughput> {
  const { place, client } = base
  const before = await readLoad(client)
  const fleet = startFleet({ ...place, workers })
  try {
    await fleet.ready(workers)
    const warm = await run(base, `${name}-warm`, WARM_UP_CALLS)
    await warm.done()
    const main = await run(base, name, CALLS)
    const began = await sample(client, fleet, main.runId)
    await main.done()
    const ended = await sample(client, fleet, main.runId)
    await fleet.stop()
    const load: DatabaseLoad = loadBetween(before, await readLoad(client))
    const calls = ended.calls - began.calls
    const each = (from: ProcessorMs, to: ProcessorMs) => (from === null || to === null ? null : (to - from) / calls)
    return {
      workers,
      load,
      callsOfLoad: ended.calls + (await warm.calls()),
      callsPerSecond: await main.callsPerSecond(),
      workerMs: each(began.workers, ended.workers),
      serverMs: each(began.server, ended.server),
    }
  } finally {
    fleet.end()
  }
}

async function run({ place, client }: Base, name: string, calls: number) {
  const runId = await enqueue(place, writeQuestions(place.folder, name, Math.ceil(calls / CALLS_A_DEBATE)))
  return {
    runId,
    async done() {
      const status = async () => (await client.query('select status from runs where id = $1', [runId])).rows[0]?.status
      while ((await status()) !== 'done') await sleep(250)
    },
    calls: () => answered(client, runId),
    /** From the first intent to the last answer: neither start-up nor the look whether a run is over. */
    async callsPerSecond() {
      const query = 'select count(*)::int as n, (max(at) - min(opened_at))::float8 as ms from calls where run_id = $1'
      const { n, ms } = (await client.query(query, [runId])).rows[0]
      return n / (ms / 1000)
    },
  }
}

async function enqueue(place: Place, file: string): Promise<string> {
  const { code, output } = await runQuorate(place, ['debate', file, '--detach', '--json'])
  if (code !== 0) throw new Error(`quorate debate --detach: exit code ${code}\n${output}`)
  return JSON.parse(output).runId
}

async function answered(client: pg.Client, runId: string): Promise<number> {
  const query = "select count(*)::int as n from calls where run_id = $1 and state = 'answered'"
  return (await client.query(query, [runId])).rows[0].n
}

async function sample(client: pg.Client, fleet: Fleet, runId: string) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const calls = await answered(client, runId)
  return { calls, workers: usedBy(fleet.pids()), server: usedByServer(rows[0].pid) }
}
