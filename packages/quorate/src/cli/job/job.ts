import type { LoadedConfig } from '../../config/load-config.ts'
import { isLabelled, type Question } from '../../record/question.ts'
import type { PaidModel } from '../../run/calls/pay-for-call.ts'
import type { RunAnswers } from '../../run/run-answers.ts'
import { unpricedNotice } from '../../run/run-context.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import type { Run, Spend, Store } from '../../store/store.ts'
import type { QuestionFile } from '../question-file.ts'
import type { RunReport } from '../run-command.ts'

/** The questions of one file, and what answers them. */
export interface Job extends QuestionFile {
  readonly loaded: LoadedConfig
  readonly models: ReadonlyMap<string, PaidModel>
  readonly store: Store
  /** All rows in the order of the file; an imported label is in `gold`. Every call reads the file again. */
  readonly questions: () => AsyncGenerator<Question>
}

/** Lines of the final output: a word and a text each. */
export type Lines = (readonly [string, string])[]

/** Facts for machines beside the lines for people. */
export type Facts = Record<string, unknown>

export interface JobOutput {
  readonly lines: Lines
  readonly facts: Facts
  /** What the command has spent so far, and may still have to pay. */
  readonly spent: { microUsd: number }
  /** What a person should read once for the whole command, and how often it was the case. */
  readonly notices: Map<string, number>
  /** Of every run of the command. */
  readonly answers: RunAnswers[]
  /** How the cap of the command counts calls without a price; null where all have one. */
  readonly unpriced: string | null
}

/** Output of a command that has not begun. */
export function newOutput(plan: RunPlan): JobOutput {
  const unpriced = unpricedNotice(plan)
  return { lines: [], facts: { quorate: 1 }, spent: { microUsd: 0 }, notices: new Map(), answers: [], unpriced }
}

/** Counts what a run has spent since it had spent `before`, and keeps its notices. */
export function keepReport(
  { spent, notices, answers, unpriced }: JobOutput,
  { result, plan }: RunReport,
  before: number,
): void {
  spent.microUsd += boundOf(result.spend) - before
  answers.push(result.answers)
  // A run names what was left of the cap.
  const ofRun = unpricedNotice(plan)
  if (unpriced !== null) notices.set(unpriced, 1)
  for (const { text, count } of result.notices) {
    if (text !== ofRun) notices.set(text, (notices.get(text) ?? 0) + count)
  }
}

const MICRO = 1_000_000

/** The cap is about the command: a run has what the runs before it left, beside what it had spent when it was stopped. */
export function capped(plan: RunPlan, { spent }: JobOutput, before = 0): RunPlan {
  const { maxCostUsd } = plan.limits
  if (maxCostUsd === null) return plan
  const most = Math.round(maxCostUsd * MICRO)
  const left = Math.min(most, before + Math.max(0, most - spent.microUsd))
  // Half of a millionth survives the way to US dollars and back.
  return { ...plan, limits: { ...plan.limits, maxCostUsd: (left + 0.5) / MICRO } }
}

/** What a run has spent, and may still have to pay. */
export async function spentOn(store: Store, run: Run | null): Promise<number> {
  return run === null ? 0 : boundOf(await store.calls.spend(run.id))
}

function boundOf({ committedMicroUsd, reservedMicroUsd }: Spend): number {
  return committedMicroUsd + reservedMicroUsd
}

const BATCH = 200

/** A label that came by `quorate import` counts like one that stands in the file. */
export async function* withImportedLabels(store: Store, questions: AsyncIterable<Question>): AsyncGenerator<Question> {
  for await (const page of inPages(questions, BATCH)) {
    const golds = new Map<string, string | null>()
    for (const { questionId, source, gold } of await store.labels.ofAll(page.map(({ id }) => id))) {
      if (source === 'import') golds.set(questionId, gold)
    }
    for (const question of page) {
      yield isLabelled(question) ? question : { ...question, gold: golds.get(question.id) ?? null }
    }
  }
}

export async function* inPages<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let page: Item[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
