import type { ColumnMap } from '../../questions/csv-questions.ts'
import { MICRO_USD } from '../../record/money.ts'
import { shortRunId } from '../../record/state-words.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import { plainText } from '../../text/plain-text.ts'
import { fileText, flagsText, programName, storeFlagsText } from '../command-line.ts'
import type { Flags } from '../flags/parse-flags.ts'
import type { QuestionFile } from '../question-file.ts'
import type { RunSummary } from './run-text.ts'

/** Flags that belong to one call of the command and not to the run. */
const NOT_REPEATED = ['resume', 'resume-run', 'retry-errors', 'max-cost', 'max-unreadable', 'json', 'dry-run']

/** The next commands after a run as they would be typed, one per line. */
export function nextSteps(file: QuestionFile, result: RunSummary): string {
  const { runId, kind, halt, tally, isShadow } = result
  const { statuses, acted, deferred } = tally
  const program = programName()
  const store = storeFlagsText(file.flags)
  const again = (more: string) => againText(kind, file, more)
  const failed = statuses['agent-failure'] + statuses['time-out'] + statuses.error
  const waiting = Object.values(deferred).reduce((sum, count) => sum + count, 0)
  const steps = [
    ...(halt === 'spend-cap' ? [again(`--max-cost ${nextCap(result)}`)] : []),
    ...(halt === 'interrupted' || halt === 'refused' || halt === 'unreachable' ? [again('')] : []),
    ...(halt === 'unreadable' ? [again('--max-unreadable 1')] : []),
    ...(halt === null && failed > 0 ? [again('--retry-errors')] : []),
    ...(kind === 'debate' && halt === null && statuses.done > 0
      ? [`${program} calibrate --run ${shortRunId(runId)} --out certificate.json${store}`]
      : []),
    ...(kind === 'decide' && !isShadow && waiting > 0 ? [reviewText(file.flags)] : []),
    ...(kind === 'decide' && acted + waiting > 0
      ? [`${program} export --run ${shortRunId(runId)} --what decisions --out decisions.jsonl${store}`]
      : []),
  ]
  if (steps.length === 0) return ''
  return `\nNext\n${steps.map((step) => `  ${plainText(step)}\n`).join('')}`
}

/** The command that opens the app, where people answer deferred questions. */
function reviewText(flags: Flags): string {
  const given = ['config', 'store', 'certificate'].flatMap((name) => {
    const value = flags.get(name)
    return typeof value === 'string' ? [`--${name} ${fileText(value)}`] : []
  })
  return [programName(), 'serve', ...given, '--open'].join(' ')
}

/** The command that resumes a run. */
export function againText(kind: RunPlan['kind'], { path, flags, columns }: QuestionFile, more: string): string {
  const repeated = flagsText(flags, NOT_REPEATED)
  const words = [programName(), kind, fileText(path), ...mapWords(columns), repeated, '--resume', more]
  return words.filter((word) => word !== '').join(' ')
}

/** Twice the cap, or what the next call needs if that is more, rounded up to two significant digits. */
function nextCap({ capMicroUsd, nextCallMicroUsd, spend }: RunSummary): string {
  const needed = spend.committedMicroUsd + spend.reservedMicroUsd + (nextCallMicroUsd ?? 0)
  const usd = Math.max(2 * (capMicroUsd ?? 0), needed, 1) / MICRO_USD
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
