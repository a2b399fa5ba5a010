import type { LoadedConfig } from '../config/load-config.ts'
import type { PanelRunOptions } from '../panel/panel.ts'
import type { Question } from '../record/question.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { Deciding, Permissions } from '../run/deciding.ts'
import type { OpenedRun } from '../run/open-run.ts'
import type { RunProgress } from '../run/progress.ts'
import type { RunPlan } from '../run/run-plan.ts'
import type { PreparedRun, RunResult, RunToEndOptions } from '../run/run-to-end.ts'
import type { Store } from '../store/store.ts'
import { jsonLine } from '../text/json-line.ts'
import { countOf } from '../text/number-text.ts'
import { openConfiguredStore } from './configured-store.ts'
import { configOf } from './flags/config-flags.ts'
import type { Flags } from './flags/parse-flags.ts'
import { maxUnreadableFlag, type RunArguments, resumeFlag } from './flags/run-flags.ts'
import { listenForInterrupt } from './interrupt.ts'
import { panelModels } from './panel-models.ts'
import { ERASE, liveProgress } from './progress.ts'
import { questionsOf } from './question-file.ts'
import { steadyHeap } from './steady-heap.ts'
import { elapsed, surroundings } from './terminal.ts'
import { estimateText, progressText, type ToldRun } from './text/run-text.ts'

/** What debate and decide do alike. */
export interface RunRequest {
  readonly kind: RunPlan['kind']
  readonly path: string
  readonly flags: Flags
  readonly columns: RunArguments['columns']
  /** Null for a run that only debates. */
  readonly certified: (Permissions & { readonly certified: Certified }) | null
}

export interface RunReport {
  readonly result: ToldRun
  readonly plan: RunPlan
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
}

/**
 * The text of an estimate where only that was asked for; of a run that is gone on with, of what it has left. A
 * certificate that the run would refuse is refused here too.
 */
export async function dryRun({ kind, path, flags, columns, certified }: RunRequest): Promise<string> {
  const { estimateRun } = await import('../run/estimate.ts')
  const loaded = await configOf(flags)
  const plan = await planOf(loaded, { kind, flags })
  const read = () => questionsOf({ path, flags, columns }, loaded.config)
  if (certified !== null) {
    const { refuseOtherBudget } = await import('../run/deciding.ts')
    const { prepareRun } = await import('../run/run-to-end.ts')
    refuseOtherBudget(certified.certified.certificate, loaded.config)
    await prepareRun(plan, read(), certified)
  }
  const resume = resumeFlag(flags)
  const isRest = resume.kind !== 'new'
  const questions = isRest ? await restOf(loaded, { plan, read, resume, flags }) : read()
  const estimate = await estimateRun(questions, plan)
  return flags.has('json') ? jsonLine({ quorate: 1, kind, ...estimate }) : estimateText(estimate, plan, isRest)
}

interface Rest {
  readonly plan: RunPlan
  readonly read: () => AsyncIterable<Question>
  readonly resume: ReturnType<typeof resumeFlag>
  readonly flags: Flags
}

/** The questions that a run would still ask. */
async function restOf(loaded: LoadedConfig, { plan, read, resume, flags }: Rest): Promise<AsyncIterable<Question>> {
  const { takeIn } = await import('../run/take-in.ts')
  const { questionsLeft } = await import('../run/find-run.ts')
  const store = await openConfiguredStore(loaded)
  try {
    const { hash } = await takeIn(read())
    const left = await questionsLeft(store, { plan, hash, resume, retryErrors: flags.has('retry-errors') })
    return only(read(), left)
  } finally {
    await store.close()
  }
}

async function* only(questions: AsyncIterable<Question>, ids: ReadonlySet<string>): AsyncGenerator<Question> {
  for await (const question of questions) if (ids.has(question.id)) yield question
}

/** Runs the panel of the config, and hands the result on while the store is open. */
export async function runRequest<Used>(
  request: RunRequest,
  use: (report: RunReport, store: Store) => Promise<Used>,
): Promise<Used> {
  const { kind, flags, path, columns, certified } = request
  steadyHeap()
  const loaded = await configOf(flags)
  const plan = await planOf(loaded, request)
  const { processWorld } = await import('../panel/process-world.ts')
  const { openPanel } = await import('../panel/create-panel.ts')
  const { outFlag } = await import('./write-out.ts')
  const progress = runProgress()
  const interrupt = listenForInterrupt(progress.say)
  let store: Store | null = null
  const openStore = async () => (store ??= await openConfiguredStore(loaded))
  try {
    const panel = await openPanel({
      loaded,
      openStore,
      async models() {
        await outFlag(flags)
        return panelModels(loaded, flags)
      },
      certified: certified?.certified ?? null,
      permissions: certified ?? { allowMismatch: false, allowSeen: false },
      chosen: { allowUnpriced: plan.allowUnpriced, maxUnreadable: maxUnreadableFlag(flags) },
      world: processWorld(),
      aborting: interrupt.aborting,
    })
    let deciding: Deciding | null = null
    const result = await panel.run(questionsOf({ path, flags, columns }, loaded.config), {
      kind,
      isShadow: plan.isShadow,
      ...resumeOf(flags),
      retryErrors: flags.has('retry-errors'),
      signal: interrupt.stopping,
      onOpened(opened, prepared) {
        deciding = prepared.deciding
        progress.begin(opened, prepared.intake.rows.length)
      },
      onProgress: progress.tell,
    })
    progress.end()
    const opened = await openStore()
    const told = await toldRun(opened, { result, plan, seen: progress.seen() })
    return await use({ result: told, plan, deciding }, opened)
  } finally {
    progress.end()
    interrupt.end()
    await (store as Store | null)?.close()
  }
}

/** Works on a prepared run, with its progress on standard error, until it ends or is interrupted. */
export async function workOn(
  store: Store,
  prepared: PreparedRun,
  choice: Pick<RunToEndOptions, 'models' | 'resume' | 'retryErrors'>,
): Promise<RunReport> {
  const { processWorld } = await import('../panel/process-world.ts')
  const { runToEnd } = await import('../run/run-to-end.ts')
  const { plan, deciding } = prepared
  const progress = runProgress()
  const interrupt = listenForInterrupt(progress.say)
  try {
    const world = { ...processWorld(), ...interrupt }
    const onOpened = (opened: OpenedRun) => progress.begin(opened, prepared.intake.rows.length)
    const result = await runToEnd(prepared, { store, world, ...choice }, { onOpened, onProgress: progress.tell })
    progress.end()
    const told = await toldRun(store, { result, plan, seen: progress.seen() })
    return { result: told, plan, deciding }
  } finally {
    progress.end()
    interrupt.end()
  }
}

/** `--resume` as the panel takes it. */
function resumeOf(flags: Flags): Pick<PanelRunOptions, 'resume'> {
  const resume = resumeFlag(flags)
  if (resume.kind === 'id') return { resume: { id: resume.id } }
  return resume.kind === 'latest' ? { resume: 'latest' } : {}
}

/** `--resume` with the beginning of an id means the run that begins so. */
export async function resumed(store: Store, flags: Flags): Promise<ReturnType<typeof resumeFlag>> {
  const resume = resumeFlag(flags)
  if (resume.kind !== 'id') return resume
  const { wholeRunId } = await import('../run/find-run.ts')
  return { kind: 'id', id: await wholeRunId(store, resume.id) }
}

interface Ended {
  readonly result: RunResult
  readonly plan: RunPlan
  readonly seen: SeenProgress
}

async function toldRun(store: Store, { result, plan, seen: { first, last } }: Ended): Promise<ToldRun> {
  const { answersOfRun } = await import('../run/run-answers.ts')
  const { maxCostUsd } = plan.limits
  const answered = (last?.answered ?? 0) - (first?.answered ?? 0)
  const cached = last?.cached ?? 0
  return {
    ...result,
    kind: plan.kind,
    isShadow: plan.isShadow,
    capMicroUsd: maxCostUsd === null ? null : Math.floor(maxCostUsd * MICRO),
    nextCallMicroUsd: last?.unfitMicroUsd ?? null,
    asked: Math.max(0, answered - cached),
    cached,
    answers: await answersOfRun(store, result.runId),
    notices: result.notices.length > 0 ? result.notices : await earlierNotices(store, result),
  }
}

/** Why an earlier process could not hold debates, where this one did not try. */
async function earlierNotices(store: Store, { runId, tally }: RunResult): Promise<RunResult['notices']> {
  if (tally.statuses['agent-failure'] === 0) return []
  const { lastErrors } = await import('../run/run-answers.ts')
  const errors = await lastErrors(store, runId)
  return [...errors].map(([agent, error]) => ({
    text: `agent ${agent} failed before, the last time with: ${error}`,
    count: 1,
  }))
}

const MICRO = 1_000_000

export async function planOf(
  { config }: LoadedConfig,
  { kind, flags }: Pick<RunRequest, 'kind' | 'flags'>,
): Promise<RunPlan> {
  const { runPlan } = await import('../run/run-plan.ts')
  return runPlan(config, {
    kind,
    isShadow: flags.has('shadow'),
    allowUnpriced: flags.has('allow-unpriced'),
    maxUnreadable: maxUnreadableFlag(flags),
  })
}

/** What was spent when the run began and when it ended; null where no debate was begun. */
interface SeenProgress {
  readonly first: RunProgress['spent'] | null
  readonly last: RunProgress['spent'] | null
}

/** A live line on a terminal; elsewhere a plain line now and then. All of it on standard error. */
interface RunReporter {
  seen(): SeenProgress
  begin(opened: OpenedRun, questions: number): void
  readonly tell: (progress: RunProgress) => void
  readonly say: (words: string) => void
  end(): void
}

const PLAIN_LINE_MS = 10_000

function runProgress(): RunReporter {
  const live = liveProgress({ isOnlyLive: true })
  const isTerminal = surroundings().stderr.isTTY === true
  const start = elapsed()
  let toldAt = start
  let seen: SeenProgress = { first: null, last: null }
  const say = (words: string) => {
    live.clear()
    // A terminal has shown ^C where the line was.
    void surroundings().stderr.write(`${isTerminal ? ERASE : ''}quorate: ${words}\n`)
  }
  return {
    begin({ run, isResumed, lostCalls }, questions) {
      const lost =
        lostCalls === 0 ? '' : `; ${countOf(lostCalls, 'call')} of the process before, lost, with the reserve kept`
      say(`${isResumed ? 'resuming' : 'beginning'} run ${run.id}, ${countOf(questions, 'question')}${lost}`)
    },
    seen: () => seen,
    tell(progress) {
      seen = { first: seen.first ?? progress.spent, last: progress.spent }
      const now = elapsed()
      if (!isTerminal && now - toldAt < PLAIN_LINE_MS) return
      toldAt = now
      const text = progressText(progress, now - start)
      if (isTerminal) live.tell(text)
      else say(text)
    },
    say,
    end: live.end,
  }
}
