import { MICRO_USD } from '../../record/money.ts'
import type { SharedRun, SharedStore } from '../../store/shared-store.ts'
import type { Run } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { openCertified } from '../calibration/certified.ts'
import { type Deciding, prepareDeciding, prepareServing } from '../deciding.ts'
import { createEarlyWarning, servedWarning } from '../early-warning.ts'
import { checkPrices, createRunContext, type RunContext, type RunTools } from '../run-context.ts'
import { RunError, type RunPlan } from '../run-plan.ts'
import { createSpendMeter } from '../spend-meter.ts'
import { readOptions, type SharedOptions } from './run-options.ts'

export interface SharedRunTools extends RunTools {
  readonly shared: SharedStore
}

export interface SharedRunContext extends RunContext {
  /** True: the questions come from a server, one by one. */
  readonly isServed: boolean
}

/** Thrown for a run that this worker must leave to others. None of its questions is given up. */
export class NotOurs extends RunError {}

/** Opens a run that several processes work on. Each of its questions gets a fence of its own. */
export async function openSharedRun(plan: RunPlan, tools: SharedRunTools, runId: string): Promise<SharedRunContext> {
  const { store, shared, sleep, stopping } = tools
  const run = await store.runs.find(runId)
  const found = await shared.runs.find(runId)
  if (run === null || found === null) throw new RunError(`run ${runId} is not in this store, or not shared`)
  if (run.configHash !== plan.hash) {
    throw new NotOurs(`run ${runId} has another config: it is left to workers with that config`)
  }
  const options = readOptions(found.options)
  const own = pricedPlan({ ...plan, kind: run.kind, isShadow: run.isShadow }, found, options)
  const deciding = run.certificateId === null ? null : await decidingOf(tools, run, own, options)
  // No question has this fence, so a write that does not go through `underFence` is refused.
  const opened = { run, fence: tools.newId(), isResumed: true, lostCalls: 0 }
  // The store enforces the cap of the run, in the commit that opens a call.
  const openCalls = async () => (await shared.runs.find(runId))?.openCalls ?? 0
  const meter = createSpendMeter({ capMicroUsd: null, openCalls, sleep, stopping })
  const isServed = options.served !== null
  const { maxUnreadable } = options
  const warned = { ...(maxUnreadable === null ? {} : { maxUnreadable }), ...(isServed ? servedWarning(tools) : {}) }
  const ownTools = { ...tools, warning: createEarlyWarning(warned) }
  const context = await createRunContext(own, ownTools, { opened, deciding }, { meter, calls: shared.calls })
  return { ...context, isServed }
}

/** The plan with the cap and the prices of the run. With other prices the cap would allow another amount. */
function pricedPlan(plan: RunPlan, { runId, capMicroUsd }: SharedRun, options: SharedOptions): RunPlan {
  const limits = { ...plan.limits, maxCostUsd: capMicroUsd === null ? null : capMicroUsd / MICRO_USD }
  const priced = { ...plan, limits, allowUnpriced: options.allowUnpriced, prices: options.prices ?? plan.prices }
  try {
    checkPrices(priced)
  } catch (error) {
    throw new NotOurs(`run ${runId} is left to other workers: ${errorSentence(error)}`, { cause: error })
  }
  return priced
}

/** The run under the fence of one question. Its calls in flight end when `leaving` fires. */
export function underFence(run: SharedRunContext, fence: string, leaving: AbortSignal): SharedRunContext {
  const aborting = AbortSignal.any([run.tools.aborting, leaving])
  return {
    ...run,
    tools: { ...run.tools, aborting },
    opened: { ...run.opened, fence },
    calls: { ...run.calls, fence },
  }
}

async function decidingOf({ store }: RunTools, run: Run, plan: RunPlan, options: SharedOptions): Promise<Deciding> {
  const stored = await store.certificates.find(run.certificateId ?? '')
  if (stored === null) throw new RunError(`run ${run.id} decides by a certificate that is not in this store`)
  const certified = openCertified(stored.file)
  if (options.served !== null) return prepareServing(certified, plan.panel, options.allowMismatch)
  const permissions = { allowMismatch: options.allowMismatch, allowSeen: true }
  const prepared = prepareDeciding(certified, { panel: plan.panel, rows: [] }, permissions)
  return { ...prepared, seen: new Set(options.seen) }
}
