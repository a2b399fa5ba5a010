import { isEarlyStop } from '../../debate/ask.ts'
import { shortRunId } from '../../record/state-words.ts'
import {
  hasConfig,
  isAlive,
  isOver,
  isWaiting,
  type RunStatus,
  type Status,
  type WorkerStatus,
} from '../../run/workers/run-status.ts'
import type { Run } from '../../store/store.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { tableLines } from '../../text/table.ts'
import { shortenedText, textColumns } from '../../text/text-columns.ts'
import { timeText, usdText } from './run-text.ts'

const WIDTH = 80
const GAP = 2
const SHORTEST_NAME = 8
/** Columns of a name within a sentence. */
const NAME_COLUMNS = 16
const HEADER = ['config', 'state', 'debates', 'in flight', 'ended', 'calls', 'taken'] as const

const NONE = `No run is open, and none ended in the last hour. Begin one:
  quorate decide QUESTIONS --certificate FILE --detach
`
/** Counts that are younger than this are shown without their age. */
const OLD_MS = 3000
/** The remaining time is estimated only from at least this long a measurement. */
const ENOUGH_MS = 20_000
const HASH_LETTERS = 16

type Named = Pick<Run, 'id' | 'kind' | 'configHash'>

/** The page of `quorate status`, at most 80 columns wide. `named` is the requested run, or null for all runs. */
export function statusText({ runs, workers }: Status, named: Named | null = null): string {
  const alive = workers.filter(isAlive).length
  const texts = runs.map((run) => runText(run, alive)).join('')
  const ofRuns = texts === '' ? (named === null ? NONE : unsharedText(named)) : texts
  const isOpen = runs.some(({ status }) => status === 'open')
  const isAside = workers.length === 0 && runs.length > 0 && !isOpen
  const shown = named === null ? workers : workers.filter((worker) => hasConfig(worker, named))
  return `${ofRuns}${isAside ? '' : `\n${workersText(shown, workers.length - shown.length)}`}`
}

/** Replaces the text `before` on the screen. Without a terminal, or if it is too small for that, the text goes below. */
export function redrawn(
  text: string,
  before: string | null,
  screen: { readonly rows: number; readonly columns: number } | null,
): string {
  if (before === null) return text
  const lines = before.split('\n').length - 1
  const isRoom = screen !== null && lines < screen.rows && screen.columns >= WIDTH
  return isRoom ? `\u001b[${lines}A\u001b[J${text}` : `\n${text}`
}

function runText(run: RunStatus, alive: number): string {
  const name = `Run ${shortRunId(plainText(run.id))}, ${run.kind}`
  if (run.status === 'done')
    return `${name}, done: ${resultText(run)}\n${callsText(run)}${spendText(run)}${nextText(run)}`
  return [
    `${name}${run.isServed ? ', server, stays open' : ''}\n`,
    `  ${progressText(run)}\n`,
    speedText(run),
    callsText(run),
    spendText(run),
    adviceText(run, alive),
  ].join('')
}

function progressText(run: RunStatus): string {
  const { statuses, kind, acted } = run
  const of = questionsOf(run)
  const failed = failedOf(run)
  const ended = `${countText(of - statuses.pending)} of ${countText(of)} questions`
  if (kind === 'decide' && acted + deferredOf(run) > 0) return `${ended}: ${verdictsText(run)}`
  return `${ended}${failed === 0 ? '' : `, ${countText(failed)} failed`}`
}

/** For example `5 of 7 debated, 2 failed`, or for a decide run `100 acted, 40 deferred (2 failed)`. */
function resultText(run: RunStatus): string {
  if (run.kind === 'decide') return verdictsText(run)
  const failed = failedOf(run)
  const debated = `${countText(run.statuses.done)} of ${countText(questionsOf(run))} debated`
  return `${debated}${failed === 0 ? '' : `, ${countText(failed)} failed`}`
}

/** A failed debate is deferred. A question with an error is not decided at all. */
function verdictsText(run: RunStatus): string {
  const { statuses, acted } = run
  const failed = statuses['agent-failure'] + statuses['time-out']
  const deferred = `${countText(deferredOf(run))} deferred${failed === 0 ? '' : ` (${countText(failed)} failed)`}`
  const undecided = statuses.error === 0 ? '' : `, ${countText(statuses.error)} without a decision`
  return `${countText(acted)} acted, ${deferred}${undecided}`
}

function speedText({ statuses, speed, isServed }: RunStatus): string {
  if (speed === null) return ''
  const { debatesPerSecond: debates, callsPerSecond: calls, overMs } = speed
  const isKnown = !isServed && overMs >= ENOUGH_MS && debates > 0 && statuses.pending > 0
  const left = isKnown ? `, about ${timeText((statuses.pending / debates) * 1000)} left` : ''
  return `  ${perSecond(debates)} debates/s, ${perSecond(calls)} calls/s over the last ${timeText(overMs)}${left}\n`
}

function perSecond(rate: number): string {
  return rate >= 10 ? countText(Math.round(rate)) : rate.toFixed(1)
}

function callsText({ spend, countedMsAgo }: RunStatus): string {
  const { answered, open, lost } = spend.calls
  const isLost = lost === 0 ? '' : `, ${countText(lost)} lost`
  const age = countedMsAgo > OLD_MS ? ` (counted ${timeText(countedMsAgo)} ago)` : ''
  return `  ${countOf(answered, 'call')} answered, ${countText(open)} open${isLost}${age}\n`
}

function spendText({ spend, capMicroUsd }: RunStatus): string {
  const { open, lost } = spend.calls
  const what = lost === 0 ? 'open calls' : open === 0 ? 'lost calls' : 'open and lost calls'
  const reserved = spend.reservedMicroUsd === 0 ? '' : `, ${usdText(spend.reservedMicroUsd)} reserved for ${what}`
  const cap = capMicroUsd === null ? '' : `, cap ${usdText(capMicroUsd)}`
  return `  ${usdText(spend.committedMicroUsd)} spent${reserved}${cap}\n`
}

/** The next commands for a run that is done. */
function nextText(run: RunStatus): string {
  const what = run.kind === 'decide' ? 'decisions' : 'debates'
  const again = failedOf(run) === 0 ? '' : `  again: ${resumeText(run, '--retry-errors --detach', 9)}\n`
  const result = `quorate export --run ${shortRunId(plainText(run.id))} --what ${what} --out FILE`
  return `${again}  result: ${result}\n`
}

/** Why no worker processes an open run, and what to do about it. */
function adviceText(run: RunStatus, alive: number): string {
  const toWorkers = `  ${resumeText(run, '--detach', 2)}\n`
  if (run.isOwned && run.spend.calls.open > 0) {
    return `  One process works on it (--resume without --detach). If that process has ended:\n${toWorkers}`
  }
  if (run.isOwned) return `  Not in the queue: it was taken back by --resume. Give it to workers:\n${toWorkers}`
  if (run.halt === 'stopped')
    return `  Stopped with quorate stop: workers take no more questions of it. Continue:\n${toWorkers}`
  if (isEarlyStop(run.halt)) {
    const accept = run.halt === 'unreadable' ? ' --max-unreadable 1' : ''
    const why = plainText(run.haltWords ?? 'its panel cannot answer')
    return `  Stopped by a worker: ${why}\n  ${resumeText(run, `--detach${accept}`, 2)}\n`
  }
  if (isOver(run)) {
    const larger = `  ${resumeText(run, '--detach --max-cost USD', 2)}\n`
    return `  Halted at its spend cap. Continue with a larger one:\n${larger}`
  }
  if (!isWaiting(run) || run.servedBy > 0) return ''
  const who = alive === 0 ? 'no worker is alive' : `${countOf(alive, 'worker')} alive, none with its config`
  return (
    `  In the queue, and no worker works on it: ${who}.\n` +
    `  Start quorate worker with the config whose hash is ${run.configHash.slice(0, HASH_LETTERS)}\n` +
    '  (quorate validate shows the hash of one).\n'
  )
}

function unsharedText(run: Named): string {
  const name = `Run ${shortRunId(plainText(run.id))}, ${run.kind}`
  return `${name}, was never given to workers. Give it to them:\n  ${resumeText(run, '--detach', 2)}\n`
}

/** The command as it would be typed. The flags of `decide` need a second line. */
function resumeText({ id, kind }: Named, more: string, indent: number): string {
  const resume = `--resume ${shortRunId(plainText(id))}`
  if (kind === 'debate') return `quorate debate QUESTIONS ${resume} ${more}`
  return `quorate decide QUESTIONS --certificate FILE ${resume} \\\n${' '.repeat(indent + 2)}${more}`
}

function questionsOf({ statuses }: RunStatus): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}

function failedOf({ statuses }: RunStatus): number {
  return statuses['agent-failure'] + statuses['time-out'] + statuses.error
}

function deferredOf({ deferred }: RunStatus): number {
  return Object.values(deferred).reduce((sum, count) => sum + count, 0)
}

/** Live workers as a table, the others in one line. `hidden` counts the workers with other configs than the requested run. */
function workersText(workers: readonly WorkerStatus[], hidden: number): string {
  const others = hidden === 0 ? '' : `${countOf(hidden, 'worker')} of other configs not shown\n`
  if (workers.length === 0) return `No worker${hidden === 0 ? '' : ' with its config'} was seen lately.\n${others}`
  const alive = workers.filter(isAlive)
  const table = alive.length === 0 ? '' : `${tableOf(alive)}\n`
  return `${countOf(alive.length, 'worker')} alive\n${table}${goneText(workers)}${others}`
}

function tableOf(workers: readonly WorkerStatus[]): string {
  const rest = workers.map(({ queues, state, debates, inFlight, ended, answered, takenOver }) => [
    configsOf(queues),
    state,
    ...[debates, inFlight, ended, answered, takenOver].map(countText),
  ])
  const cells = [[...HEADER], ...rest]
  const widths = HEADER.map((_, column) => Math.max(...cells.map((row) => textColumns(row[column] ?? ''))))
  const room = WIDTH - widths.reduce((sum, width) => sum + width + GAP, 0)
  const names = workers.map(({ name }) => shortenedText(plainText(name), Math.max(SHORTEST_NAME, room)))
  const rows = cells.map((row, index) => [index === 0 ? 'worker' : (names[index - 1] ?? ''), ...row])
  const lines = tableLines(rows, ['left', 'left', 'left', ...HEADER.slice(2).map(() => 'right' as const)])
  return [...lines, 'ended, calls, taken (over from other workers): since it began'].join('\n')
}

/** For example `12 ended, 1 silent (NAME, 4 min ago: its questions go to others)`. */
function goneText(workers: readonly WorkerStatus[]): string {
  const ended = workers.filter(({ state }) => state === 'ended').length
  const silent = workers.filter(({ state }) => state === 'silent')
  const parts = [...(ended === 0 ? [] : [`${countText(ended)} ended`]), ...silentText(silent)]
  return parts.length === 0 ? '' : `${parts.join(', ')}\n`
}

function silentText(silent: readonly WorkerStatus[]): readonly string[] {
  const latest = silent.toSorted((a, b) => a.silentMs - b.silentMs)[0]
  if (latest === undefined) return []
  const who = `${shortenedText(plainText(latest.name), NAME_COLUMNS)}, ${timeText(latest.silentMs)} ago`
  if (silent.length === 1) return [`1 silent (${who}: its questions go to others)`]
  return [`${countText(silent.length)} silent (last ${who}: questions go to others)`]
}

/** Enough digits of the hash to distinguish configs. */
function configsOf(queues: readonly string[]): string {
  const [first = ''] = queues.map((queue) => plainText(queue.replace(/^quorate-/, '').slice(0, 8)))
  return queues.length > 1 ? `${first}+${queues.length - 1}` : first
}
