import { shortRunId } from '../../record/state-words.ts'
import type { Deciding } from '../../run/deciding.ts'
import type { RunTally } from '../../run/progress.ts'
import type { SharedRunOpened } from '../../run/workers/share-run.ts'
import type { Run } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { wrapText } from '../../text/wrap-text.ts'
import { flagsText, programName } from '../command-line.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import type { RunRequest } from '../run-request.ts'
import { foreseenLines } from './decided-text.ts'
import { againText } from './next-steps.ts'

export interface Detached {
  readonly opened: SharedRunOpened
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
  /** Questions sampled for a spot check. */
  readonly sampled: number
  /** ID of another unfinished run over these questions. */
  readonly stillOpen: string | null
}

/** The state of a run that workers debate. */
export function detachedText(request: RunRequest, detached: Detached, width: number): string {
  const { opened, deciding, sampled, stillOpen } = detached
  const { run, questions, isResumed, lostCalls } = opened
  if (request.flags.has('json')) {
    const decided = deciding === null ? {} : { upFront: deciding.upFront, mismatch: deciding.differences }
    return jsonLine({
      quorate: 1,
      runId: run.id,
      kind: run.kind,
      queued: questions,
      isResumed,
      lostCalls,
      stillOpen,
      ...decided,
    })
  }
  const lost = lostCalls === 0 ? '' : ` The previous process lost ${countOf(lostCalls, 'call')}, with the reserve kept.`
  const queued =
    questions === 0
      ? 'nothing is pending.'
      : `${countOf(questions, 'question')} ${isResumed ? 'again ' : ''}in the queue.`
  const other =
    stillOpen === null
      ? []
      : wrapText(`Run ${stillOpen} over these questions is still open. --resume continues it.`, width)
  const lines = [
    ...wrapText(`Run ${run.id}: ${queued}${lost}`, width),
    ...other,
    ...(deciding === null ? [] : foreseenLines(deciding, sampled, width)),
  ]
  return `${lines.join('\n')}\n\nNext\n${nextLines(request, opened, width).join('\n')}\n`
}

export interface EndedRun {
  readonly run: Run
  readonly tally: RunTally
}

/** The text for a run that cannot be resumed because it is already done. */
export function nothingLeftText(request: RunRequest, { run, tally }: EndedRun): string {
  const failed = failedIn(tally)
  if (request.flags.has('json')) {
    return jsonLine({ quorate: 1, runId: run.id, kind: run.kind, queued: 0, isResumed: true, lostCalls: 0, failed })
  }
  if (failed === 0) return `Nothing is pending: run ${run.id} is done.\n`
  const again = againText(request.kind, request, `${shortRunId(run.id)} --retry-errors`)
  return `Nothing is pending. ${countOf(failed, 'question')} failed, and --retry-errors asks again\n\nNext\n  ${plainText(again)}\n`
}

/** A worker needs the same config flags, or it would take other runs. The spend cap belongs to the run, not to the worker. */
const NOT_OF_WORKERS = ['max-cost']
const OF_STORE = ['config', 'store']

function nextLines(request: RunRequest, { run }: SharedRunOpened, width: number): readonly string[] {
  const program = programName()
  const what = run.kind === 'decide' ? 'decisions' : 'debates'
  const given = (names: readonly string[]) => {
    const flags = new Map([...request.flags].filter(([name]) => names.includes(name)))
    return flags.size === 0 ? '' : ` ${flagsText(flags, NOT_OF_WORKERS)}`.trimEnd()
  }
  const worker = `${program} worker${given([...Object.keys(CONFIG_FLAGS), 'trust-config'])}`
  const status = `${program} status --watch${given(OF_STORE)}`
  const result = `${program} export --run ${shortRunId(run.id)} --what ${what} --out ${what}.jsonl${given(OF_STORE)}`
  return [
    ...stepLines(worker, 'here and on other machines, as many as you like', width),
    ...stepLines(status, 'progress, speed, cost, workers', width),
    `  ${plainText(result)}`,
  ]
}

const COMMAND_COLUMNS = 30

/** The description of a command is beside it if there is room, otherwise below. */
function stepLines(command: string, words: string, width: number): readonly string[] {
  const line = `  ${plainText(command).padEnd(COMMAND_COLUMNS)} ${words}`
  return line.length <= width ? [line] : [`  ${plainText(command)}`, `      ${words}`]
}

export function failedIn({ statuses }: RunTally): number {
  return statuses['agent-failure'] + statuses['time-out'] + statuses.error
}
