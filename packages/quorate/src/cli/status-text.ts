import { countOf, countText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import { tableLines } from '../report/table.ts'
import { isAlive, isWaiting, type RunStatus, type Status, type WorkerStatus } from '../workers/run-status.ts'
import { timeText, usdText } from './run-text.ts'

const NONE = 'No run is open. Begin one: quorate decide QUESTIONS --certificate FILE --detach\n'
/** Younger counts are as good as new. */
const OLD_MS = 3000
const HASH_LETTERS = 16

export function statusText({ runs, workers }: Status): string {
  const alive = workers.filter(isAlive).length
  const told = runs.map((run) => runText(run, alive))
  return `${told.length === 0 ? NONE : told.join('')}\n${workersText(workers)}`
}

function runText(run: RunStatus, alive: number): string {
  const { statuses, spend } = run
  const questions = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const done = questions - statuses.pending
  const failed = statuses['agent-failure'] + statuses['time-out'] + statuses.error
  const cap = run.capMicroUsd === null ? '' : ` of ${usdText(run.capMicroUsd)}`
  const reserved = spend.reservedMicroUsd === 0 ? '' : `, ${usdText(spend.reservedMicroUsd)} reserved`
  const lost = spend.calls.lost === 0 ? '' : `, ${countText(spend.calls.lost)} lost`
  const age = run.countedMsAgo > OLD_MS ? ` (counted ${timeText(run.countedMsAgo)} ago)` : ''
  return [
    `Run ${plainText(run.id)}, ${run.kind}${run.status === 'done' ? ', done' : ''}\n`,
    `  ${countText(done)} of ${countText(questions)} questions${failed === 0 ? '' : `, ${countText(failed)} failed`}${speedText(run)}${age}\n`,
    `  ${countText(spend.calls.answered)} calls answered, ${countText(spend.calls.open)} open${lost}; `,
    `${usdText(spend.committedMicroUsd)}${reserved}${cap}\n`,
    haltText(run),
    unservedText(run, alive),
  ].join('')
}

function speedText({ statuses, speed }: RunStatus): string {
  if (speed === null) return ''
  const { debatesPerSecond: debates, callsPerSecond: calls } = speed
  const left = debates > 0 && statuses.pending > 0 ? `, ${timeText((statuses.pending / debates) * 1000)} left` : ''
  return `, ${debates.toFixed(1)} debates/s, ${calls.toFixed(0)} calls/s${left}`
}

function haltText({ id, kind, halt }: RunStatus): string {
  if (halt === null) return ''
  const certificate = kind === 'decide' ? ' --certificate FILE' : ''
  return (
    '  It waits at its spend cap, and nobody works on it. Go on with a larger one:\n' +
    `  quorate ${kind} QUESTIONS${certificate} --resume ${plainText(id)} --detach --max-cost USD\n`
  )
}

/** A run whose config no worker has would wait without a word. */
function unservedText(run: RunStatus, alive: number): string {
  if (!isWaiting(run) || run.servedBy > 0) return ''
  const config = `config with the hash ${run.configHash.slice(0, HASH_LETTERS)}`
  const who =
    alive === 0
      ? '  Nobody works on it: start quorate worker, as often as you like, with its\n'
      : `  Nobody works on it: ${countOf(alive, 'worker')} alive, none with its config. Start quorate worker with its\n`
  return `${who}  ${config} (quorate validate shows the hash of one).\n`
}

function workersText(workers: readonly WorkerStatus[]): string {
  if (workers.length === 0) return 'No worker was seen lately.\n'
  const header = ['worker', 'config', 'state', 'debates', 'in flight', 'ended', 'calls', 'taken over', 'seen']
  const rows = workers.map(({ name, queues, state, debates, inFlight, ended, answered, takenOver, silentMs }) => [
    ...[plainText(name), plainText(queues.map(configOfQueue).join(' ')), state, countText(debates)],
    ...[countText(inFlight), countText(ended), countText(answered), countText(takenOver), `${timeText(silentMs)} ago`],
  ])
  const lines = tableLines([header, ...rows], ['left', 'left', 'left', ...header.slice(3).map(() => 'right' as const)])
  return `${countOf(workers.filter(isAlive).length, 'worker')} alive\n${lines.join('\n')}\n`
}

/** Enough of the hash to tell configs apart. */
function configOfQueue(queue: string): string {
  return queue.replace(/^quorate-/, '').slice(0, 8)
}
