import { processWorld } from '../panel/process-world.ts'
import { refuseOtherBudget } from '../run/deciding.ts'
import { type OpeningOptions, type OpenRunOptions, resumableRun } from '../run/open-run.ts'
import { questionRows } from '../run/pages.ts'
import { type RunTally, tallyRun } from '../run/progress.ts'
import { checkPrices } from '../run/run-context.ts'
import { capOf, RunError, type RunPlan } from '../run/run-plan.ts'
import { type PreparedRun, prepareRun } from '../run/run-to-end.ts'
import { openQueue } from '../run/workers/job-queue.ts'
import { type SharedRunOpened, sharedOf, shareRun } from '../run/workers/share-run.ts'
import type { Run, Store } from '../store/store.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { pageWidth } from '../text/page-frame.ts'
import { openConfiguredStore } from './configured-store.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { configOf } from './flags/config-flags.ts'
import { questionsOf } from './question-file.ts'
import { debateExitCode, decideExitCode } from './run-exit-code.ts'
import { planOf, type RunRequest, resumed } from './run-request.ts'
import { surroundings, type Terminal } from './terminal.ts'
import { detachedText, type EndedRun, failedIn, nothingLeftText } from './text/detached-text.ts'
import { usdText } from './text/run-text.ts'
import { UsageError } from './usage-error.ts'

/** Opens a run for workers to process, and prints how to follow it. */
export async function detachRequest(request: RunRequest, terminal: Terminal): Promise<ExitCode> {
  const { flags, path, columns, certified } = request
  const loaded = await configOf(flags)
  const plan = await planOf(loaded, request.kind, flags)
  if (certified !== null) refuseOtherBudget(certified.certified.certificate, loaded.config)
  if (flags.has('out'))
    throw new UsageError('--out needs the result, which a detached run does not have yet: use quorate export later')
  checkPrices(plan)
  const store = await openConfiguredStore(loaded)
  try {
    // Checked first, so that a SQLite store is refused before a million questions are read.
    sharedOf(store)
    const prepared = await prepareRun(plan, questionsOf({ path, flags, columns }, loaded.config), certified)
    const { now, newId, newKey } = processWorld()
    const choice = { resume: await resumed(store, flags), retryErrors: flags.has('retry-errors'), now, newId, newKey }
    const over = await endedRun(store, { ...prepared, ...choice })
    if (over !== null) {
      terminal.write(nothingLeftText(request, over))
      return exitCode(request, over.tally)
    }
    const stillOpen = choice.resume.kind === 'new' ? await openRunOver(store, prepared) : null
    const opened = await share(store, prepared, choice)
    const { deciding } = prepared
    const sampled = await spotChecksOf(store, opened.run.id)
    terminal.write(detachedText(request, { opened, deciding, sampled, stillOpen }, pageWidth(terminal.width)))
    return deciding === null || deciding.upFront === null ? EXIT.ok : exitCode(request, ALL_DEFERRED)
  } finally {
    await store.close()
  }
}

async function spotChecksOf(store: Store, runId: string): Promise<number> {
  let sampled = 0
  for await (const { isSpotCheck } of questionRows(store, runId)) if (isSpotCheck) sampled += 1
  return sampled
}

/** The run to resume if it is already complete, otherwise null. Refuses a spend cap that is already used up. */
async function endedRun(store: Store, options: OpenRunOptions): Promise<EndedRun | null> {
  const { plan, resume, retryErrors } = options
  if (resume.kind === 'new') return null
  const run = await resumableRun(store, options)
  const tally = await tallyRun(store, run.id)
  const left = tally.statuses.pending + (retryErrors ? failedIn(tally) : 0)
  // If nothing is left of an open run, a worker closes it.
  if (left === 0) return run.status === 'done' ? { run, tally } : null
  await refuseSpent(store, run, plan)
  return null
}

async function refuseSpent(store: Store, { id }: Run, plan: RunPlan): Promise<void> {
  const cap = capOf(plan)
  if (cap === null) return
  const { committedMicroUsd: committed, reservedMicroUsd: reserved } = await store.calls.spend(id)
  if (cap > committed + reserved || committed + reserved === 0) return
  const kept = reserved === 0 ? '' : `, ${usdText(reserved)} of it reserved for calls that are open or lost`
  throw new RunError(
    `run ${id} has spent ${usdText(committed + reserved)}${kept}, and its cap would be ${usdText(cap)}: ` +
      'pass a larger one with --max-cost USD',
  )
}

/** ID of an unfinished shared run over the same questions, or null. */
async function openRunOver(store: Store, { plan, intake }: PreparedRun): Promise<string | null> {
  const same = { configHash: plan.hash, questionsHash: intake.hash, kind: plan.kind }
  const run = await store.runs.latest(same)
  if (run === null || run.status === 'done' || run.isShadow !== plan.isShadow) return null
  return (await sharedOf(store).runs.find(run.id)) === null ? null : run.id
}

async function share(store: Store, prepared: PreparedRun, choice: OpeningOptions): Promise<SharedRunOpened> {
  const failed = (error: unknown) => void surroundings().stderr.write(`quorate: ${errorSentence(error)}\n`)
  const { jobs: database } = sharedOf(store)
  const queue = await openQueue({ database, configHash: prepared.plan.hash, isWorker: false, failed })
  try {
    return await shareRun(prepared, { store, queue, ...choice })
  } finally {
    await queue.stop()
  }
}

type Counts = Pick<RunTally, 'statuses' | 'deferred'>

/** The counts of a run that will defer everything. */
const ALL_DEFERRED: Counts = {
  statuses: { pending: 0, done: 1, 'agent-failure': 0, 'time-out': 0, error: 0 },
  deferred: { uncalibrated: 1 },
}

/** The exit code that the command would have without `--detach`. */
function exitCode({ certified, flags }: RunRequest, counts: Counts): ExitCode {
  const result = { halt: null, tally: { questions: 1, acted: 0, ...counts } } as const
  if (certified === null) return debateExitCode(result)
  const canAct = certified.certified.certificate.canAct()
  return decideExitCode(result, { canAct, failOnDefer: flags.has('fail-on-defer') })
}
