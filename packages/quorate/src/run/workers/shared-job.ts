import type { SharedRun, SharedStore } from '../../store/shared-store.ts'
import type { Run, Spend } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { openCertified } from '../calibration/certified.ts'
import type { Purse } from '../calls/purse.ts'
import { createPurse } from '../calls/purse.ts'
import { type Deciding, prepareDeciding, prepareServing } from '../deciding.ts'
import { checkPrices, createJob, type Job, type RunTools } from '../run-job.ts'
import { RunError, type RunPlan } from '../run-plan.ts'
import { readOptions, type SharedOptions } from './run-options.ts'

export interface SharedJobTools extends RunTools {
  readonly shared: SharedStore
}

export interface SharedJob extends Job {
  /** True: a server takes its questions in, one by one. */
  readonly isServed: boolean
}

/** A run that this worker must not work on, and others may: none of its questions is given up. */
export class NotOurs extends RunError {}

const MICRO = 1_000_000
/** How often a run that waits for money looks again. */
const ROOM_MS = 250

/** A run at work in this process, beside others. Each of its questions gets a fence of its own. */
export async function openSharedJob(plan: RunPlan, tools: SharedJobTools, runId: string): Promise<SharedJob> {
  const { store, shared } = tools
  const run = await store.runs.find(runId)
  const found = await shared.runs.find(runId)
  if (run === null || found === null) throw new RunError(`run ${runId} is not in this store, or not shared`)
  if (run.configHash !== plan.hash) {
    throw new NotOurs(`run ${runId} is one of another config: it is left to workers that have it`)
  }
  const options = readOptions(found.options)
  const own = pricedPlan({ ...plan, kind: run.kind, isShadow: run.isShadow }, found, options)
  const deciding = run.certificateId === null ? null : await decidingOf(tools, { run, plan: own, options })
  const opened = { run, fence: '', isResumed: true, lostCalls: 0 }
  const job = await createJob(
    own,
    tools,
    { opened, deciding },
    { purse: sharedPurse(tools, runId), calls: shared.calls },
  )
  return { ...job, isServed: options.served !== null }
}

/** Under the cap of the run, and by its prices: those of another config would hold another cap. */
function pricedPlan(plan: RunPlan, { runId, capMicroUsd }: SharedRun, options: SharedOptions): RunPlan {
  const limits = { ...plan.limits, maxCostUsd: capMicroUsd === null ? null : capMicroUsd / MICRO }
  const priced = { ...plan, limits, allowUnpriced: options.allowUnpriced, prices: options.prices ?? plan.prices }
  try {
    checkPrices(priced)
  } catch (error) {
    throw new NotOurs(`run ${runId} is left to other workers: ${errorSentence(error)}`, { cause: error })
  }
  return priced
}

/** The job as whoever has this fence does it; calls in flight end when it must leave the question. */
export function underFence(job: SharedJob, fence: string, leaving: AbortSignal): SharedJob {
  const aborting = AbortSignal.any([job.tools.aborting, leaving])
  return { ...job, tools: { ...job.tools, aborting }, opened: { ...job.opened, fence }, desk: { ...job.desk, fence } }
}

interface Certifying {
  readonly run: Run
  readonly plan: RunPlan
  readonly options: SharedOptions
}

async function decidingOf({ store }: RunTools, { run, plan, options }: Certifying): Promise<Deciding> {
  const stored = await store.certificates.find(run.certificateId ?? '')
  if (stored === null) throw new RunError(`run ${run.id} decides by a certificate that is not in this store`)
  const certified = openCertified(stored.file)
  if (options.served !== null) return prepareServing(certified, plan.panel, options.allowMismatch)
  const permissions = { allowMismatch: options.allowMismatch, allowSeen: true }
  const prepared = prepareDeciding(certified, { panel: plan.panel, rows: [] }, permissions)
  return { ...prepared, seen: new Set(options.seen) }
}

const NOTHING: Spend = {
  calls: { open: 0, answered: 0, refused: 0, lost: 0 },
  ...{ inputTokens: 0, outputTokens: 0, committedMicroUsd: 0, reservedMicroUsd: 0, unpricedCalls: 0 },
}

/** Counts what this process spends; the cap is held by the store, in the commit that opens a call. */
function sharedPurse({ shared, sleep, stopping }: SharedJobTools, runId: string): Purse {
  return {
    ...createPurse(NOTHING, null),
    async room() {
      const found = await shared.runs.find(runId)
      if (found === null || found.openCalls <= 0) return false
      await sleep(ROOM_MS, stopping)
      return true
    },
  }
}
