import { isAlive, type WorkerStatus } from '../../run/workers/run-status.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { tableLines } from '../../text/table.ts'
import { shortenedText, textColumns } from '../../text/text-columns.ts'
import { timeText } from './run-text.ts'

const WIDTH = 80
const GAP = 2
const SHORTEST_NAME = 8
/** In a sentence. */
const NAME_COLUMNS = 16
const HEADER = ['config', 'state', 'debates', 'in flight', 'ended', 'calls', 'taken'] as const

/** Those alive as a table, the others in a line. `hidden`: how many have other configs than was asked for. */
export function workersText(workers: readonly WorkerStatus[], hidden: number): string {
  const others = hidden === 0 ? '' : `${countOf(hidden, 'worker')} of other configs not shown\n`
  if (workers.length === 0) return `No worker${hidden === 0 ? '' : ' with its config'} was seen lately.\n${others}`
  const alive = workers.filter(isAlive)
  const table = alive.length === 0 ? '' : `${tableOf(alive)}\n`
  return `${countOf(alive.length, 'worker')} alive\n${table}${goneText(workers)}${others}`
}

function tableOf(workers: readonly WorkerStatus[]): string {
  const rest = workers.map(({ queues, state, debates, inFlight, ended, answered, takenOver }) => [
    ...[configsOf(queues), state],
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

/** 12 ended, 1 silent (NAME, 4 min ago: its questions go to others) */
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

/** Enough of the hash to tell configs apart. */
function configsOf(queues: readonly string[]): string {
  const [first = ''] = queues.map((queue) => plainText(queue.replace(/^quorate-/, '').slice(0, 8)))
  return queues.length > 1 ? `${first}+${queues.length - 1}` : first
}
