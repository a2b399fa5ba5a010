import { availableParallelism } from 'node:os'
import { bytesOf, type DatabaseLoad, rowsOf } from './database-load.ts'
import type { ProcessorMs } from './processor-time.ts'
import { CALLS_A_DEBATE } from './workers-folder.ts'

export interface Throughput {
  readonly workers: number
  readonly callsPerSecond: number
  /** Of a call. */
  readonly workerMs: ProcessorMs
  readonly serverMs: ProcessorMs
  /** With queueing and saving of the debates, from before the workers started until after they ended. */
  readonly load: DatabaseLoad
  readonly callsOfLoad: number
}

export interface WorkersMeasured {
  readonly machine: string
  readonly debates: number
  /** Seconds. */
  readonly queued: readonly number[]
  readonly runs: readonly Throughput[]
  /** Of the table of calls, after all runs: bytes by name. */
  readonly indexes: ReadonlyMap<string, number>
  readonly calls: number
  readonly latencyMs: number
  readonly concurrency: number
}

/** As it stands in docs/operations.md. */
export function workersTable(measured: WorkersMeasured): string {
  const { machine, debates, queued, runs, indexes, calls, latencyMs, concurrency } = measured
  const [one, four] = [runs.filter(({ workers }) => workers === 1), runs.filter(({ workers }) => workers === 4)]
  const rate = ({ callsPerSecond }: Throughput) => callsPerSecond
  const ratios = four.map((run, repeat) => run.callsPerSecond / (one[repeat]?.callsPerSecond ?? Number.NaN))
  const overheads = one.map((run) => (1000 * concurrency) / run.callsPerSecond - latencyMs)
  const rows: Row[] = [
    [`queue ${debates.toLocaleString('en-US')} debates, s`, queued, 1, 'below 20'],
    ['1 worker, calls/s', one.map(rate), 0],
    ['4 workers, calls/s', four.map(rate), 0],
    ['4 workers to 1', ratios, 2, 'at least 3.4'],
    ['4 workers by the model above, calls/s', four.flatMap((run, at) => byModel(run, overheads[at], measured)), 0],
    ['overhead `o` of a call besides its latency, 1 worker, ms', overheads, 1],
    ['processor time of the worker, 1 worker, ms per call', one.flatMap(({ workerMs }) => workerMs ?? []), 2],
    ['processor time of the workers, 4 workers, ms per call', four.flatMap(({ workerMs }) => workerMs ?? []), 2],
    ['processor time of PostgreSQL, 1 worker, ms per call', one.flatMap(({ serverMs }) => serverMs ?? []), 2],
    ['processor time of PostgreSQL, 4 workers, ms per call', four.flatMap(({ serverMs }) => serverMs ?? []), 2],
    ['rows written per call', runs.map((run) => rowsOf(run.load) / run.callsOfLoad), 2],
    ['rows written per second, 4 workers', four.map((run) => (rowsOf(run.load) / run.callsOfLoad) * rate(run)), 0],
    ['WAL, bytes per call', runs.map((run) => run.load.walBytes / run.callsOfLoad), 0],
    ['disk, bytes per call', runs.map((run) => bytesOf(run.load) / run.callsOfLoad), 0],
  ]
  const setUp =
    `${calls.toLocaleString('en-US')} calls of ${latencyMs} ms to scripted models, ${concurrency} at once per worker, ` +
    `${CALLS_A_DEBATE} calls per debate; mean, spread and range of ${queued.length}.`
  const head = '| | mean | sd | least | most | goal |\n| --- | ---: | ---: | ---: | ---: | --- |'
  const parts = [
    `${head}\n${rows.map(rowText).join('\n')}`,
    tablesText(runs),
    indexesText(runs, indexes),
    paperText(runs),
  ]
  return `${machine} ${setUp}\n\n${parts.join('\n\n')}\n`
}

/** Slots or cores, whichever end first: all processes share the machine. */
function byModel(run: Throughput, overheadMs = 0, { latencyMs, concurrency }: WorkersMeasured): number[] {
  const { workers, workerMs, serverMs } = run
  if (workerMs === null || serverMs === null) return []
  const bySlots = (1000 * workers * concurrency) / (latencyMs + overheadMs)
  return [Math.min(bySlots, (1000 * availableParallelism()) / (workerMs + serverMs))]
}

type Row = readonly [what: string, values: readonly number[], digits: number, goal?: string]

function rowText([what, values, digits, goal = '']: Row): string {
  if (values.length === 0) return `| ${what} | not known here | | | | ${goal} |`
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  const cells = [mean, sd, Math.min(...values), Math.max(...values)].map((value) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  )
  return `| ${what} | ${cells.join(' | ')} | ${goal} |`
}

const LEAST_BYTES_A_CALL = 1

/** What each table takes of a call, largest first, over all runs together. */
function tablesText(runs: readonly Throughput[]): string {
  const calls = runs.reduce((sum, { callsOfLoad }) => sum + callsOfLoad, 0)
  const names = new Set(runs.flatMap(({ load }) => [...load.tables.keys()]))
  const rows = [...names].map((name) => {
    const of = (part: 'inserted' | 'updated' | 'deleted' | 'tableBytes' | 'indexBytes') =>
      runs.reduce((sum, { load }) => sum + (load.tables.get(name)?.[part] ?? 0), 0) / calls
    return { name, rows: [of('inserted'), of('updated'), of('deleted')], bytes: [of('tableBytes'), of('indexBytes')] }
  })
  const total = ({ bytes }: (typeof rows)[number]) => bytes.reduce((sum, part) => sum + part, 0)
  const large = rows.filter((row) => total(row) >= LEAST_BYTES_A_CALL || row.rows.some((count) => count >= 0.01))
  const lines = large
    .toSorted((left, right) => total(right) - total(left))
    .map(({ name, rows: counts, bytes }) => {
      const cells = [...counts.map((count) => count.toFixed(2)), ...bytes.map((part) => part.toFixed(0))]
      return `| \`${name}\` | ${cells.join(' | ')} |`
    })
  const head =
    '| per call | inserted | updated | deleted | bytes of the table | of its indexes |\n| --- | ---: | ---: | ---: | ---: | ---: |'
  return `${head}\n${lines.join('\n')}`
}

function indexesText(runs: readonly Throughput[], indexes: WorkersMeasured['indexes']): string {
  const calls = runs.reduce((sum, { callsOfLoad }) => sum + callsOfLoad, 0)
  const each = [...indexes].map(([name, bytes]) => `\`${name}\` ${(bytes / calls).toFixed(0)}`)
  return `Indexes of \`calls\`, bytes per call: ${each.join(', ')}.`
}

const SIZES = [
  { name: '10^7 debates', calls: 1e7 * CALLS_A_DEBATE },
  { name: '10^8 calls', calls: 1e8 },
  { name: '10^9 calls', calls: 1e9 },
] as const
const RATES = [1000, 10_000] as const
const DAY_SECONDS = 86_400

/** Each number is the measured one of a call, times calls: nothing of this was run. */
function paperText(runs: readonly Throughput[]): string {
  const calls = runs.reduce((sum, { callsOfLoad }) => sum + callsOfLoad, 0)
  const sum = (part: (load: DatabaseLoad) => number) => runs.reduce((all, { load }) => all + part(load), 0) / calls
  const mean = (values: readonly number[]) => values.reduce((all, value) => all + value, 0) / values.length
  const four = runs.filter(({ workers }) => workers === 4)
  const [workerMs, serverMs] = [
    mean(four.flatMap((run) => run.workerMs ?? [])),
    mean(four.flatMap((run) => run.serverMs ?? [])),
  ]
  const indexes = sum(({ tables }) => tables.get('calls')?.indexBytes ?? 0)
  const head =
    '| extrapolated | disk | of which indexes of `calls` | WAL | processor days of workers | of PostgreSQL | days at 1,000 calls/s | at 10,000 calls/s |\n' +
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
  const lines = SIZES.map(({ name, calls: count }) => {
    const bytes = [sum(bytesOf), indexes, sum(({ walBytes }) => walBytes)].map((each) => bytesText(each * count))
    const days = [(workerMs / 1000) * count, (serverMs / 1000) * count, ...RATES.map((rate) => count / rate)]
    return `| ${name} | ${[...bytes, ...days.map((seconds) => daysText(seconds / DAY_SECONDS))].join(' | ')} |`
  })
  return `${head}\n${lines.join('\n')}`
}

function bytesText(bytes: number): string {
  return bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(0)} GB`
}

function daysText(days: number): string {
  return Number.isFinite(days) ? days.toFixed(1) : 'not known here'
}
