import { countOf, countText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import { tableLines } from '../report/table.ts'
import type { RunStatus, Status, WorkerStatus } from '../workers/run-status.ts'
import { timeText, usdText } from './run-text.ts'

/** A status, and the one that was told before it, for speeds; times of a clock that never goes back. */
export interface ToldStatus {
  readonly status: Status
  readonly at: number
  readonly before: { readonly status: Status; readonly at: number } | null
}

export function statusText({ status, at, before }: ToldStatus): string {
  const { runs, workers } = status
  const told = runs.map((run) => {
    const earlier = before?.status.runs.find(({ id }) => id === run.id)
    return runText(run, earlier === undefined || before === null ? null : { earlier, seconds: (at - before.at) / 1000 })
  })
  const none = 'No run is open. Begin one: quorate decide QUESTIONS --certificate FILE --detach\n'
  return `${told.length === 0 ? none : told.join('')}\n${workersText(workers, runs)}`
}

interface Earlier {
  readonly earlier: RunStatus
  readonly seconds: number
}

function runText(run: RunStatus, since: Earlier | null): string {
  const { statuses, spend } = run
  const questions = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const done = questions - statuses.pending
  const failed = statuses['agent-failure'] + statuses['time-out'] + statuses.error
  const cap = run.capMicroUsd === null ? '' : ` of ${usdText(run.capMicroUsd)}`
  const reserved = spend.reservedMicroUsd === 0 ? '' : `, ${usdText(spend.reservedMicroUsd)} reserved`
  const lost = spend.calls.lost === 0 ? '' : `, ${countText(spend.calls.lost)} lost`
  const halt = run.halt === null ? '' : '  It waits at its spend cap: raise it with --resume --detach --max-cost USD.\n'
  return [
    `Run ${run.id}, ${run.kind}${run.status === 'done' ? ', done' : ''}\n`,
    `  ${countText(done)} of ${countText(questions)} questions${failed === 0 ? '' : `, ${countText(failed)} failed`}${speedText(run, since)}\n`,
    `  ${countText(spend.calls.answered)} calls answered, ${countText(spend.calls.open)} open${lost}; `,
    `${usdText(spend.committedMicroUsd)}${reserved}${cap}\n`,
    halt,
  ].join('')
}

function speedText({ statuses, spend }: RunStatus, since: Earlier | null): string {
  if (since === null || !(since.seconds > 0)) return ''
  const { earlier, seconds } = since
  const debates = (earlier.statuses.pending - statuses.pending) / seconds
  const calls = (spend.calls.answered - earlier.spend.calls.answered) / seconds
  const left = debates > 0 && statuses.pending > 0 ? `, ${timeText((statuses.pending / debates) * 1000)} left` : ''
  return `, ${debates.toFixed(1)} debates/s, ${calls.toFixed(0)} calls/s${left}`
}

function workersText(workers: readonly WorkerStatus[], runs: readonly RunStatus[]): string {
  const isWaiting = runs.some(
    ({ status, halt, statuses }) => status === 'open' && halt === null && statuses.pending > 0,
  )
  const alive = workers.filter(({ state }) => state === 'working' || state === 'idle')
  const next =
    isWaiting && alive.length === 0 ? 'Nobody works on them: start quorate worker, as often as you like.\n' : ''
  if (workers.length === 0) return `No worker was seen lately.\n${next}`
  const header = ['worker', 'state', 'debates', 'in flight', 'ended', 'calls', 'taken over', 'seen']
  const rows = workers.map(({ name, state, debates, inFlight, ended, answered, takenOver, silentMs }) => [
    ...[plainText(name), state, countText(debates), countText(inFlight), countText(ended), countText(answered)],
    ...[countText(takenOver), `${timeText(silentMs)} ago`],
  ])
  const lines = tableLines([header, ...rows], ['left', 'left', ...header.slice(2).map(() => 'right' as const)])
  return `${countOf(alive.length, 'worker')} alive\n${lines.join('\n')}\n${next}`
}
