import type { LoadedConfig } from '../config/load-config.ts'
import type { PanelRunOptions } from '../panel/panel.ts'
import type { Question } from '../record/question.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { Deciding, Permissions } from '../run/deciding.ts'
import type { OpenedRun } from '../run/open-run.ts'
import type { RunProgress } from '../run/progress.ts'
import { capOf, type RunPlan } from '../run/run-plan.ts'
import type { PreparedRun, RunResult, RunToEndOptions } from '../run/run-to-end.ts'
import type { Store } from '../store/store.ts'
import { jsonLine } from '../text/json-line.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { openConfiguredStore } from './configured-store.ts'
import { configOf } from './flags/config-flags.ts'
import type { Flags } from './flags/parse-flags.ts'
import { maxUnreadableFlag, pollFlag, resumeFlag } from './flags/run-flags.ts'
import { listenForInterrupt } from './interrupt.ts'
import { ERASE, liveProgress } from './progress.ts'
import { type QuestionFile, questionsOf } from './question-file.ts'
import { steadyHeap } from './steady-heap.ts'
import { elapsed, surroundings } from './terminal.ts'
import { panelModels } from './terminal-models.ts'
import { estimateText, progressText, type RunSummary } from './text/run-text.ts'
import { UsageError } from './usage-error.ts'

/** The common input of `debate` and `decide`. */
export interface RunRequest extends QuestionFile {
  readonly kind: RunPlan['kind']
  /** Null for a run that only debates. */
  readonly certified: (Permissions & { readonly certified: Certified }) | null
}

export interface RunReport {
  readonly result: RunSummary
  readonly plan: RunPlan
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
}

/**
 * The text of `--dry-run`: an estimate of the run, or of the remaining questions of a resumed run. It refuses any
 * certificate that the run would refuse.
 */
export async function dryRun({ kind, path, flags, columns, certified }: RunRequest): Promise<string> {
  const { estimateRun } = await import('../run/estimate.ts')
  const loaded = await chosenConfig(flags)
  const plan = await planOf(loaded, kind, flags)
  const read = () => questionsOf({ path, flags, columns }, loaded.config)
  if (certified !== null) {
    const { refuseOtherBudget } = await import('../run/deciding.ts')
    const { prepareRun } = await import('../run/run-to-end.ts')
    refuseOtherBudget(certified.certified.certificate, loaded.config)
    await prepareRun(plan, read(), certified)
  }
  const resume = resumeFlag(flags)
  const isRest = resume.kind !== 'new'
  const questions = isRest ? await restOf(loaded, plan, read, resume, flags) : read()
  const estimate = await estimateRun(questions, plan)
  return flags.has('json') ? jsonLine({ quorate: 1, kind, ...estimate }) : estimateText(estimate, plan, isRest)
}

/** The questions that a resumed run would still debate. */
async function restOf(
  loaded: LoadedConfig,
  plan: RunPlan,
  read: () => AsyncIterable<Question>,
  resume: ReturnType<typeof resumeFlag>,
  flags: Flags,
): Promise<AsyncIterable<Question>> {
  const { intakeOf } = await import('../run/intake.ts')
  const { questionsLeft } = await import('../run/find-run.ts')
  const store = await openConfiguredStore(loaded)
  try {
    const { hash } = await intakeOf(read())
    const left = await questionsLeft(store, { plan, hash, resume, retryErrors: flags.has('retry-errors') })
    return only(read(), left)
  } finally {
    await store.close()
  }
}

async function* only(questions: AsyncIterable<Question>, ids: ReadonlySet<string>): AsyncGenerator<Question> {
  for await (const question of questions) if (ids.has(question.id)) yield question
}

/** Runs the panel of the config, and calls `use` with the result while the store is open. */
export async function runRequest<Used>(
  request: RunRequest,
  use: (report: RunReport, store: Store) => Promise<Used>,
): Promise<Used> {
  const { kind, flags, path, columns, certified } = request
  steadyHeap()
  const loaded = await chosenConfig(flags)
  if (loaded.fields !== undefined) {
    throw new UsageError(
      `${kind}: the config has fields, which make several questions of a row. Use quorate run ${plainText(path)}`,
    )
  }
  const plan = await planOf(loaded, kind, flags)
  const { processWorld } = await import('../panel/process-world.ts')
  const { openPanel } = await import('../panel/create-panel.ts')
  const { outFlag } = await import('./write-out.ts')
  const progress = runProgress()
  const interrupt = listenForInterrupt(progress.log)
  const { openStore, closeStore } = lazyStore(loaded)
  if (!flags.has('batch') && resumeFlag(flags).kind !== 'new') await refuseUnread(openStore, loaded)
  const batching = flags.has('batch') ? await openBatching(openStore, flags, progress.log) : null
  // A batch may take a day, so Ctrl-C does not wait for it. The process that resumes the run fetches its answers.
  const { stopping } = interrupt
  const aborting = batching === null ? interrupt.aborting : AbortSignal.any([interrupt.aborting, stopping])
  try {
    const panel = await openPanel({
      loaded,
      openStore,
      async models() {
        await outFlag(flags)
        return panelModels(loaded, flags, batching?.fetchOf)
      },
      certified: certified?.certified ?? null,
      permissions: certified ?? { allowMismatch: false, allowSeen: false },
      runChoice: { allowUnpriced: plan.allowUnpriced, maxUnreadable: maxUnreadableFlag(flags) },
      world: processWorld(),
      aborting,
    })
    let deciding: Deciding | null = null
    const result = await panel.run(questionsOf({ path, flags, columns }, loaded.config), {
      kind,
      isShadow: plan.isShadow,
      ...resumeOf(flags),
      retryErrors: flags.has('retry-errors'),
      signal: stopping,
      onOpened(opened, prepared) {
        deciding = prepared.deciding
        progress.begin(opened, prepared.intake.rows.length)
        progress.rules(prepared.ruled)
      },
      onProgress: progress.update,
    })
    progress.end()
    if (result.tally.statuses.pending === 0) await batching?.forget()
    const opened = await openStore()
    const summary = await summaryOf(opened, result, plan, progress.seen())
    return await use({ result: summary, plan, deciding }, opened)
  } finally {
    progress.end()
    interrupt.end()
    await closeStore()
  }
}

/** The store of a config, opened when it is first needed. */
function lazyStore(loaded: LoadedConfig) {
  let store: Store | null = null
  return {
    openStore: async (): Promise<Store> => (store ??= await openConfiguredStore(loaded)),
    closeStore: async (): Promise<void> => await store?.close(),
  }
}

/** The config chosen by the flags. With `--batch` it has the prices and limits of batches. */
async function chosenConfig(flags: Flags): Promise<LoadedConfig> {
  const loaded = await configOf(flags)
  if (!flags.has('batch')) return loaded
  const { batchedConfig } = await import('../run/calls/batched-run.ts')
  return { ...loaded, config: batchedConfig(loaded.config) }
}

/** Calls in a batch of an earlier process are already paid. Asking them one by one would pay for them twice. */
async function refuseUnread(openStore: () => Promise<Store>, { config }: LoadedConfig): Promise<void> {
  const { unreadBatches } = await import('../run/calls/batched-run.ts')
  const { batches, calls } = await unreadBatches(config, async () => (await openStore()).batches, Date.now())
  if (batches === 0) return
  throw new UsageError(
    `${countOf(batches, 'batch', 'batches')} of an earlier process ${batches === 1 ? 'contains' : 'contain'} ${countOf(calls, 'call')} whose answers are ` +
      'not read yet. Repeat this with --batch, which waits for the answers and pays for none of them twice',
  )
}

async function openBatching(openStore: () => Promise<Store>, flags: Flags, report: (words: string) => void) {
  const { batchFetch } = await import('../model/batch/batch-fetch.ts')
  const { storedBatches } = await import('../run/calls/batched-run.ts')
  const { processWorld } = await import('../panel/process-world.ts')
  const { now, sleep, newId } = processWorld()
  const pollMs = 1000 * pollFlag(flags)
  const journal = storedBatches(async () => (await openStore()).batches, now)
  return batchFetch({ journal, fetch, sleep, newId, pollMs, quietMs: Math.min(QUIET_MS, pollMs), report })
}

/** A batch is sent after this time without a new call. The calls of a round arrive within milliseconds of each other. */
const QUIET_MS = 2000

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
  const interrupt = listenForInterrupt(progress.log, 'stays for the same command')
  try {
    const world = { ...processWorld(), ...interrupt }
    const onOpened = (opened: OpenedRun) => {
      progress.begin(opened, prepared.intake.rows.length)
      progress.rules(prepared.ruled)
    }
    const result = await runToEnd(prepared, { store, world, ...choice }, { onOpened, onProgress: progress.update })
    progress.end()
    const summary = await summaryOf(store, result, plan, progress.seen())
    return { result: summary, plan, deciding }
  } finally {
    progress.end()
    interrupt.end()
  }
}

/** The `--resume` flag as an option of the panel. */
function resumeOf(flags: Flags): Pick<PanelRunOptions, 'resume'> {
  const resume = resumeFlag(flags)
  if (resume.kind === 'id') return { resume: { id: resume.id } }
  return resume.kind === 'latest' ? { resume: 'latest' } : {}
}

/** The `--resume` flag with an ID prefix replaced by the full ID of its run. */
export async function resumed(store: Store, flags: Flags): Promise<ReturnType<typeof resumeFlag>> {
  const resume = resumeFlag(flags)
  if (resume.kind !== 'id') return resume
  const { wholeRunId } = await import('../run/find-run.ts')
  return { kind: 'id', id: await wholeRunId(store, resume.id) }
}

async function summaryOf(
  store: Store,
  result: RunResult,
  plan: RunPlan,
  { first, last }: SeenProgress,
): Promise<RunSummary> {
  const { answersOfRun } = await import('../run/run-answers.ts')
  const answered = (last?.answered ?? 0) - (first?.answered ?? 0)
  const cached = last?.cached ?? 0
  return {
    ...result,
    kind: plan.kind,
    isShadow: plan.isShadow,
    capMicroUsd: capOf(plan),
    nextCallMicroUsd: last?.unfitMicroUsd ?? null,
    asked: Math.max(0, answered - cached),
    cached,
    answers: await answersOfRun(store, result.runId),
    notices: result.notices.length > 0 ? result.notices : await earlierNotices(store, result),
  }
}

/** The errors of an earlier process, for a run in which this process did not debate again. */
async function earlierNotices(store: Store, { runId, tally }: RunResult): Promise<RunResult['notices']> {
  if (tally.statuses['agent-failure'] === 0) return []
  const { lastErrors } = await import('../run/run-answers.ts')
  const errors = await lastErrors(store, runId)
  return [...errors].map(([agent, error]) => ({
    text: `agent ${agent} failed before, the last time with: ${error}`,
    count: 1,
  }))
}

/** The plan of a run with one question per row. For a config with fields, `quorate run` makes one plan per field. */
export async function planOf({ config }: LoadedConfig, kind: RunPlan['kind'], flags: Flags): Promise<RunPlan> {
  const { runPlan } = await import('../run/run-plan.ts')
  return runPlan(config, {
    kind,
    isShadow: flags.has('shadow'),
    allowUnpriced: flags.has('allow-unpriced'),
    maxUnreadable: maxUnreadableFlag(flags),
  })
}

/** The spend at the start and at the end of the run. Null if no debate was started. */
interface SeenProgress {
  readonly first: RunProgress['spent'] | null
  readonly last: RunProgress['spent'] | null
}

/** Reports progress on standard error: a live line on a terminal, otherwise a plain line every ten seconds. */
interface RunReporter {
  seen(): SeenProgress
  begin(opened: OpenedRun, questions: number): void
  rules(ruled: number): void
  readonly update: (progress: RunProgress) => void
  readonly log: (words: string) => void
  end(): void
}

const PLAIN_LINE_MS = 10_000

function runProgress(): RunReporter {
  const live = liveProgress({ isOnlyLive: true })
  const isTerminal = surroundings().stderr.isTTY === true
  const start = elapsed()
  let loggedAt = start
  let seen: SeenProgress = { first: null, last: null }
  const log = (words: string) => {
    live.clear()
    // The terminal shows ^C at the start of the line.
    void surroundings().stderr.write(`${isTerminal ? ERASE : ''}quorate: ${words}\n`)
  }
  return {
    begin({ run, isResumed, lostCalls }, questions) {
      const lost =
        lostCalls === 0 ? '' : `. The previous process lost ${countOf(lostCalls, 'call')}, with the reserve kept`
      log(`${isResumed ? 'resuming' : 'beginning'} run ${run.id}, ${countOf(questions, 'question')}${lost}`)
    },
    rules(ruled) {
      if (ruled > 0) log(`${countOf(ruled, 'question')} not debated: a rule sends them to a person (alwaysReview)`)
    },
    seen: () => seen,
    update(progress) {
      seen = { first: seen.first ?? progress.spent, last: progress.spent }
      const now = elapsed()
      if (!isTerminal && now - loggedAt < PLAIN_LINE_MS) return
      loggedAt = now
      const text = progressText(progress, now - start)
      if (isTerminal) live.update(text)
      else log(text)
    },
    log,
    end: live.end,
  }
}
