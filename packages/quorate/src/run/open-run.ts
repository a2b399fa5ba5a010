import type { LedgerEntry, Millis, NewRunQuestion, QuestionStatus, Run, Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import type { Deciding } from './deciding.ts'
import { commitmentOf, type Intake, type SampledRow, sampleRows } from './intake.ts'
import { pagesOf, questionRows } from './pages.ts'
import { RunError, type RunPlan } from './run-plan.ts'
import { readStoredQuestion } from './stored-question.ts'

export interface ResumeOptions {
  /** A new run, the latest run over the same questions and config, or the run with this id. */
  readonly resume: { readonly kind: 'new' | 'latest' } | { readonly kind: 'id'; readonly id: string }
  /** Whether failed questions are asked again. */
  readonly retryErrors: boolean
}

/** How a run is opened, whatever its questions. */
export interface OpeningOptions extends ResumeOptions {
  readonly now: () => Millis
  readonly newId: () => string
  /** Makes a secret key that samples spot checks: 32 random bytes in hexadecimal digits. */
  readonly newKey: () => string
}

export interface OpenRunOptions extends OpeningOptions {
  readonly plan: RunPlan
  readonly intake: Intake
  readonly deciding: Deciding | null
}

export interface OpenedRun {
  readonly run: Run
  /** Only the process with the latest fence may write. */
  readonly fence: string
  readonly isResumed: boolean
  /** Calls that an earlier process left open; their answers are lost. */
  readonly lostCalls: number
}

/** Begins a run, or resumes one whose process ended. */
export async function openRun(store: Store, options: OpenRunOptions): Promise<OpenedRun> {
  const fence = options.newId()
  if (options.resume.kind === 'new')
    return { run: await begin(store, options, fence), fence, isResumed: false, lostCalls: 0 }
  const run = await resumableRun(store, options)
  const lostCalls = await store.calls.takeOver(run.id, fence, options.now())
  // The earlier process may have ended between its first two commits.
  if ((await store.ledger.head(run.id)) === null) {
    const [first] = await store.runs.samplingKeys(run.id)
    await store.ledger.append(openingEntry(run, options, first?.key ?? null))
  }
  if (options.retryErrors) await retryFailed(store, run.id, fence)
  await store.ledger.append(resumingEntry(run, { lostCalls, options, fence }))
  return { run, fence, isResumed: true, lostCalls }
}

async function begin(store: Store, options: OpenRunOptions, fence: string): Promise<Run> {
  const { run, questions, samplingKey } = await newRun(store, options)
  await store.runs.create({ ...run, samplingKey }, questions, fence)
  await store.ledger.append(openingEntry(run, options, samplingKey))
  return run
}

interface PreparedOpening {
  readonly run: Run
  readonly questions: readonly NewRunQuestion[]
  /** Null: a run that decides nothing samples nothing. */
  readonly samplingKey: string | null
}

/** Prepares a run with its questions, sampled and counted. Only its certificate is stored already. */
export async function newRun(store: Store, options: OpenRunOptions): Promise<PreparedOpening> {
  const { plan, intake, deciding, now, newId, newKey } = options
  const certificateId = deciding?.certified.id ?? null
  if (deciding !== null) {
    const { id, file } = deciding.certified
    await store.certificates.save({ id, file, at: now(), runId: null })
  }
  const run: Run = {
    id: newId(),
    kind: plan.kind,
    createdAt: now(),
    configHash: plan.hash,
    questionsHash: intake.hash,
    config: plan.identity,
    certificateId,
    isShadow: plan.isShadow,
    seed: plan.seed,
    status: 'open',
  }
  const samplingKey = plan.kind === 'decide' ? newKey() : null
  const rows = sampleRows(intake.rows, plan, { runId: run.id, key: samplingKey })
  return { run, questions: await arriving(store, rows, options), samplingKey }
}

/**
 * Marks the questions that the monitor counts: those that the promise of the certificate covers, while it may act. A question
 * counts once. Asked again under the same certificate, it is no new draw from the population, and its first arrival keeps its
 * spot check.
 */
async function arriving(store: Store, rows: readonly SampledRow[], { plan, deciding, now }: OpenRunOptions) {
  if (deciding === null || rows.length === 0) return rows
  const isPromised = deciding.mismatch.length === 0 && (await store.policy.currentSuspension()) === null
  const repeated = isPromised ? await countedBefore(store, rows, deciding.certified.id) : NONE
  const counted = { spotCheckRate: plan.spotCheckRate, at: now() }
  const isCounted = (id: string) => isPromised && !deciding.seen.has(id) && !repeated.has(id)
  return rows.map((row) => ({ ...row, counted: isCounted(row.questionId) ? counted : null }))
}

const NONE: ReadonlySet<string> = new Set()

/** Ids that arrived before with the same text. An erased text cannot be compared, so its question counts again. */
async function countedBefore({ runs }: Store, rows: readonly SampledRow[], certificateId: string) {
  const found = new Set<string>()
  if ((await runs.arrivals(certificateId)) === 0) return found
  for (const someRows of pagesOf(rows)) {
    const page = new Map(someRows.map((row) => [row.questionId, row.question()]))
    for (const { questionId, question } of await runs.arrived(certificateId, [...page.keys()])) {
      const asked = page.get(questionId) ?? null
      const isSame = asked !== null && question !== null && textOf(asked) === textOf(question)
      if (isSame) found.add(questionId)
    }
  }
  return found
}

function textOf(stored: string): string {
  return readStoredQuestion(stored).question
}

/** The entry omits how many questions were sampled, because in a small run that number would reveal which ones. */
export function openingEntry(run: Run, options: OpenRunOptions, samplingKey: string | null): LedgerEntry {
  const { kind, configHash, questionsHash, certificateId, isShadow, seed } = run
  const { spotCheckRate } = options.plan
  const about = { kind, configHash, questionsHash, certificateId, isShadow, seed }
  const sampling = { spotCheckRate, samplingCommitment: samplingKey === null ? null : commitmentOf(samplingKey) }
  const body = { ...about, questions: options.intake.rows.length, ...sampling, ...overridesOf(options) }
  return { runId: run.id, kind: 'run-opened', body, at: options.now(), texts: [] }
}

interface Resuming {
  readonly lostCalls: number
  readonly options: OpenRunOptions
  /** Null: the run is shared, and each of its questions gets a fence of its own. */
  readonly fence: string | null
}

export function resumingEntry(run: Run, { lostCalls, options, fence }: Resuming): LedgerEntry {
  const body = { fence, lostCalls, ...overridesOf(options) }
  return { runId: run.id, kind: 'run-resumed', body, at: options.now(), texts: [] }
}

/** The run with the id to resume, or else the latest over these questions and this config. Throws if there is none. */
export async function runToResume(
  { runs }: Store,
  plan: RunPlan,
  questionsHash: string,
  resume: ResumeOptions['resume'],
): Promise<Run> {
  const same = { configHash: plan.hash, questionsHash, kind: plan.kind }
  const run = resume.kind === 'id' ? await runs.find(resume.id) : await runs.latest(same)
  if (run !== null) return run
  const which =
    resume.kind === 'id' ? `the id ${JSON.stringify(plainText(resume.id))}` : 'these questions and this config'
  throw new RunError(`no ${plan.kind} run has ${which}. Leave out --resume to start one`)
}

/** The run to resume. Throws if it has other questions, another config or another certificate. */
export async function resumableRun(store: Store, { plan, intake, deciding, resume }: OpenRunOptions): Promise<Run> {
  const run = await runToResume(store, plan, intake.hash, resume)
  const wanted = {
    kind: plan.kind,
    configHash: plan.hash,
    questionsHash: intake.hash,
    isShadow: plan.isShadow,
    certificateId: deciding?.certified.id ?? null,
  }
  const differs =
    differenceOf(run, wanted) ?? ((await hasQuestions(store, run.id, intake.rows)) ? null : NAMED.questionsHash)
  if (differs === null) return run
  throw new RunError(
    `run ${run.id} cannot be resumed: it has another ${differs}. Leave out --resume to start a new run`,
  )
}

const NAMED = Object.freeze({
  kind: 'command',
  configHash: 'config',
  questionsHash: 'file of questions',
  isShadow: 'setting of --shadow',
  certificateId: 'certificate',
})

function differenceOf(run: Run, wanted: Pick<Run, keyof typeof NAMED>): string | null {
  for (const [field, name] of Object.entries(NAMED)) {
    if (Reflect.get(run, field) !== Reflect.get(wanted, field)) return name
  }
  return null
}

function overridesOf({ deciding }: OpenRunOptions): Readonly<Record<string, unknown>> {
  if (deciding === null) return {}
  const { mismatch, allowMismatch, upFront, seen } = deciding
  const { mixed } = deciding.certified
  return { mismatch, allowMismatch, upFront, seen: [...seen], ...(Object.keys(mixed).length === 0 ? {} : { mixed }) }
}

const FAILED: readonly QuestionStatus[] = ['agent-failure', 'time-out', 'error']

/** Makes failed questions pending again. A run that workers share needs no fence: no worker has its failed questions. */
export async function retryFailed(store: Store, runId: string, fence?: string): Promise<void> {
  for (const status of FAILED) {
    for await (const { questionId } of questionRows(store, runId, status)) {
      await store.runs.setQuestion(runId, questionId, 'pending', fence)
    }
  }
}

/** Whether a run has these questions in this order. Erased texts are not compared. */
export async function hasQuestions(
  store: Store,
  runId: string,
  rows: readonly Pick<NewRunQuestion, 'questionId' | 'question'>[],
): Promise<boolean> {
  let found = 0
  for await (const { questionId, question } of questionRows(store, runId)) {
    const row = rows[found]
    // A server's run takes questions as they come: the remaining ones came later.
    if (row === undefined) return true
    const asked = typeof row.question === 'function' ? row.question() : row.question
    if (row.questionId !== questionId || (question !== null && question !== asked)) return false
    found += 1
  }
  return found === rows.length
}
