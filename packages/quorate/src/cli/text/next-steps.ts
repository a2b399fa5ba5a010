import type { ColumnMap } from '../../questions/csv-questions.ts'
import { plainText } from '../../text/plain-text.ts'
import { fileText, flagsText, programName } from '../command-line.ts'
import type { RunRequest } from '../run-command.ts'
import type { RunSummary } from './run-text.ts'

const MICRO = 1_000_000
/** What belongs to one call of the command, not to the run. */
const NOT_REPEATED = ['resume', 'resume-run', 'retry-errors', 'max-cost', 'max-unreadable', 'json', 'dry-run']

/** The milliseconds of a time-ordered id: enough to tell it from all others, short enough to type. */
export function shortRunId(runId: string): string {
  return runId.slice(0, 13)
}

/** What to do after a run, as it would be typed; a command a line. */
export function nextSteps(request: Pick<RunRequest, 'path' | 'flags' | 'columns'>, result: RunSummary): string {
  const { runId, kind, halt, tally } = result
  const { statuses, acted, deferred } = tally
  const program = programName()
  const again = (more: string) => againText({ ...request, kind }, more)
  const failed = statuses['agent-failure'] + statuses['time-out'] + statuses.error
  const waiting = Object.values(deferred).reduce((sum, count) => sum + count, 0)
  const steps = [
    ...(halt === 'spend-cap' ? [again(`--max-cost ${nextCap(result)}`)] : []),
    ...(halt === 'interrupted' || halt === 'refused' || halt === 'unreachable' ? [again('')] : []),
    ...(halt === 'unreadable' ? [again('--max-unreadable 1')] : []),
    ...(halt === null && failed > 0 ? [again('--retry-errors')] : []),
    ...(kind === 'debate' && halt === null && statuses.done > 0
      ? [`${program} calibrate --run ${shortRunId(runId)} --out certificate.json`]
      : []),
    ...(kind === 'decide' && acted + waiting > 0
      ? [`${program} export --run ${shortRunId(runId)} --what decisions --out decisions.jsonl`]
      : []),
  ]
  if (steps.length === 0) return ''
  return `\nNext\n${steps.map((step) => `  ${plainText(step)}\n`).join('')}`
}

/** The command that goes on with a run. */
export function againText(request: Pick<RunRequest, 'kind' | 'path' | 'flags' | 'columns'>, more: string): string {
  const flags = flagsText(request.flags, NOT_REPEATED)
  const { kind, path, columns } = request
  const words = [programName(), kind, fileText(path), ...mapWords(columns), flags, '--resume', more]
  return words.filter((word) => word !== '').join(' ')
}

/** Twice the cap, or what the next call needs, in two digits. */
function nextCap({ capMicroUsd, nextCallMicroUsd, spend }: RunSummary): string {
  const needed = spend.committedMicroUsd + spend.reservedMicroUsd + (nextCallMicroUsd ?? 0)
  const usd = Math.max(2 * (capMicroUsd ?? 0), needed, 1) / MICRO
  const unit = 10 ** (Math.floor(Math.log10(usd)) - 1)
  return String(Number((Math.ceil(usd / unit - 1e-9) * unit).toPrecision(2)))
}

function mapWords(columns: ColumnMap | undefined): readonly string[] {
  if (columns === undefined) return []
  const { options, id, question, gold, group } = columns
  const one = Object.entries({ id, question, gold, group, ...(typeof options === 'string' ? { options } : {}) })
  const several = typeof options === 'object' ? [...options].map(([name, column]) => [`options.${name}`, column]) : []
  return [...one, ...several]
    .filter(([, column]) => column !== undefined)
    .flatMap(([field, column]) => ['--map', fileText(`${field}=${column}`)])
}
