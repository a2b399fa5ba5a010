import type { LoadedConfig } from '../../config/load-config.ts'
import { MICRO_USD } from '../../record/money.ts'
import { isLabelled, type Question } from '../../record/question.ts'
import type { Certified } from '../../run/calibration/certified.ts'
import type { PaidModel } from '../../run/calls/pay-for-call.ts'
import { inPages } from '../../run/pages.ts'
import type { RunAnswers } from '../../run/run-answers.ts'
import { unpricedNotice } from '../../run/run-context.ts'
import { capOf, type RunPlan } from '../../run/run-plan.ts'
import type { Run, Spend, Store } from '../../store/store.ts'
import type { ExitCode } from '../exit-code.ts'
import type { QuestionFile } from '../question-file.ts'
import type { RunReport } from '../run-request.ts'

/** The questions of one file, with the models and the store that answer them. */
export interface Job extends QuestionFile {
  readonly loaded: LoadedConfig
  readonly models: ReadonlyMap<string, PaidModel>
  readonly store: Store
  /** All rows in the order of the file, with imported labels in `gold`. Every call reads the file again. */
  readonly questions: () => AsyncGenerator<Question>
}

/** Lines of the final output, each with a word in the margin and a text. */
export type Lines = readonly (readonly [string, string])[]

/** A part of the final output: lines, and what they say in the `--json` output. */
export interface Report {
  readonly lines: Lines
  readonly facts?: Readonly<Record<string, unknown>>
  /** Commands to run next. Each is printed on a line of its own, so that it can be pasted. */
  readonly next?: readonly NextCommand[]
}

export interface NextCommand {
  readonly command: string
  readonly about: string
}

/** The output of a command so far. */
export interface JobOutput extends Required<Report> {
  /** What the command has spent so far, including the reserve for calls whose cost is not known. */
  readonly spentMicroUsd: number
  /** Notices that are printed once for the whole command, with their counts. */
  readonly notices: ReadonlyMap<string, number>
  /** The answers of every run of the command. */
  readonly answers: readonly RunAnswers[]
  /** The notice about how the spend cap counts calls without a price. Null if all models have a price. */
  readonly unpriced: string | null
}

export interface JobResult {
  readonly code: ExitCode
  /** Null if the calibration was stopped. */
  readonly certified: Certified | null
  readonly output: JobOutput
}

/** The empty output of a new command. */
export function newOutput(plan: RunPlan): JobOutput {
  const unpriced = unpricedNotice(plan)
  return { lines: [], facts: { quorate: 1 }, next: [], spentMicroUsd: 0, notices: new Map(), answers: [], unpriced }
}

/** The output with more reports at its end. */
export function withReports(output: JobOutput, ...reports: readonly Report[]): JobOutput {
  const lines = [output, ...reports].flatMap((report) => report.lines)
  const next = [output, ...reports].flatMap((report) => report.next ?? [])
  return { ...output, lines, next, facts: Object.assign({}, output.facts, ...reports.map(({ facts }) => facts)) }
}

/** The output with the spend of a run beyond `before`, its answers and its notices. */
export function withRun(output: JobOutput, { result, plan }: RunReport, before: number): JobOutput {
  const { unpriced } = output
  const notices = new Map(output.notices)
  // The run's own notice names the rest of the cap, so that of the whole command replaces it.
  const ofRun = unpricedNotice(plan)
  if (unpriced !== null) notices.set(unpriced, 1)
  for (const { text, count } of result.notices) {
    if (text !== ofRun) notices.set(text, (notices.get(text) ?? 0) + count)
  }
  const spentMicroUsd = output.spentMicroUsd + boundOf(result.spend) - before
  return { ...output, spentMicroUsd, notices, answers: [...output.answers, result.answers] }
}

/**
 * The plan of a run under the spend cap of the whole command. The run may spend what earlier runs of the command left, in
 * addition to the `before` that it had already spent when it was stopped.
 */
export function capped(plan: RunPlan, { spentMicroUsd }: JobOutput, before = 0): RunPlan {
  const most = capOf(plan)
  if (most === null) return plan
  const left = Math.min(most, before + Math.max(0, most - spentMicroUsd))
  // The half micro-dollar keeps `left` whole when it is converted to US dollars and rounded down again.
  return { ...plan, limits: { ...plan.limits, maxCostUsd: (left + 0.5) / MICRO_USD } }
}

/** What a run has spent, including the reserve for calls whose cost is not known. */
export async function spentOn(store: Store, run: Run | null): Promise<number> {
  return run === null ? 0 : boundOf(await store.calls.spend(run.id))
}

function boundOf({ committedMicroUsd, reservedMicroUsd }: Spend): number {
  return committedMicroUsd + reservedMicroUsd
}

/** Adds the labels of `quorate import`, which count like labels in the file. */
export async function* withImportedLabels(store: Store, questions: AsyncIterable<Question>): AsyncGenerator<Question> {
  for await (const page of inPages(questions)) {
    const golds = new Map<string, string | null>()
    for (const { questionId, source, gold } of await store.labels.ofAll(page.map(({ id }) => id))) {
      if (source === 'import') golds.set(questionId, gold)
    }
    for (const question of page) {
      yield isLabelled(question) ? question : { ...question, gold: golds.get(question.id) ?? null }
    }
  }
}
