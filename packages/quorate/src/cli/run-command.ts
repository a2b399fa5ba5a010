import type { LoadedConfig } from '../config/load-config.ts'
import { jsonLine } from '../report/json-line.ts'
import type { Certified } from '../runs/certified.ts'
import type { Permissions } from '../runs/deciding.ts'
import type { RunWorld } from '../runs/hold-run.ts'
import type { RunPlan } from '../runs/run-plan.ts'
import type { RunResult } from '../runs/run-questions.ts'
import type { Store } from '../store/store.ts'
import { configOf } from './config-flags.ts'
import { createIds, newSalt } from './identity.ts'
import { hearInterrupt } from './interrupt.ts'
import { panelModels } from './panel-models.ts'
import type { Flags } from './parse-flags.ts'
import { type RunArguments, resumeFlag } from './run-flags.ts'
import { runProgress } from './run-progress.ts'
import { estimateText } from './run-text.ts'
import { steadyHeap } from './steady-heap.ts'

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
  readonly result: RunResult
  readonly plan: RunPlan
}

/** The text of an estimate where only that was asked for. */
export async function dryRun({ kind, path, flags, columns }: RunRequest): Promise<string> {
  const { readQuestions } = await import('../questions/read-questions.ts')
  const { estimateRun } = await import('../runs/estimate-run.ts')
  const plan = await planOf(await configOf(flags), { kind, flags })
  const estimate = await estimateRun(readQuestions(path, columns === undefined ? {} : { columns }), plan)
  return flags.has('json') ? jsonLine({ quorate: 1, kind, ...estimate }) : estimateText(estimate, plan)
}

/** Runs, and hands the result on while the store is open. */
export async function runRequest<Used>(
  request: RunRequest,
  use: (report: RunReport, store: Store) => Promise<Used>,
): Promise<Used> {
  const { flags, path, columns, certified } = request
  steadyHeap()
  const loaded = await configOf(flags)
  const plan = await planOf(loaded, request)
  const { checkPrices } = await import('../runs/run-job.ts')
  const { holdRun, prepareRun } = await import('../runs/hold-run.ts')
  const { readQuestions } = await import('../questions/read-questions.ts')
  checkPrices(plan)
  const models = await panelModels(loaded, flags)
  const questions = readQuestions(path, columns === undefined ? {} : { columns })
  const prepared = await prepareRun(plan, questions, certified)
  const progress = runProgress(prepared.intake.rows.length)
  const interrupt = hearInterrupt(progress.say)
  const store = await openConfiguredStore(loaded)
  try {
    const choice = { resume: resumeFlag(flags), retryErrors: flags.has('retry-errors') }
    const world = { ...(await runWorld()), ...interrupt }
    const result = await holdRun(prepared, { store, models, world, ...choice }, progress)
    progress.end()
    return await use({ result, plan }, store)
  } finally {
    progress.end()
    interrupt.end()
    await store.close()
  }
}

export async function openConfiguredStore({ config }: LoadedConfig): Promise<Store> {
  const { openStore } = await import('../store/open-store.ts')
  return openStore(config.store.url, { ...config.store, now: Date.now })
}

async function planOf({ config }: LoadedConfig, { kind, flags }: Pick<RunRequest, 'kind' | 'flags'>): Promise<RunPlan> {
  const { runPlan } = await import('../runs/run-plan.ts')
  return runPlan(config, { kind, isShadow: flags.has('shadow'), allowUnpriced: flags.has('allow-unpriced') })
}

/** Time, chance and names as this process has them. */
export async function runWorld(): Promise<Omit<RunWorld, 'stopping' | 'aborting'>> {
  const { timerSleep } = await import('../traffic/timer-sleep.ts')
  const elapsed = () => performance.now()
  return { now: Date.now, elapsed, sleep: timerSleep, random: Math.random, newId: createIds(), newSalt }
}
