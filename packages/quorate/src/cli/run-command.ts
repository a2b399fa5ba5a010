import type { LoadedConfig } from '../config/load-config.ts'
import type { Certified } from '../runs/certified.ts'
import type { Permissions } from '../runs/deciding.ts'
import type { RunTools } from '../runs/run-job.ts'
import type { RunPlan } from '../runs/run-plan.ts'
import type { RunResult } from '../runs/run-questions.ts'
import { takeIn } from '../runs/take-in.ts'
import type { Store } from '../store/store.ts'
import { configOf } from './config-flags.ts'
import { createIds, newSalt } from './identity.ts'
import { hearInterrupt } from './interrupt.ts'
import { panelModels } from './panel-models.ts'
import type { Flags } from './parse-flags.ts'
import { type RunArguments, resumeFlag } from './run-flags.ts'
import { runProgress } from './run-progress.ts'
import { estimateText } from './run-text.ts'

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
  const plan = planOf(await configOf(flags), { kind, flags })
  const estimate = await estimateRun(readQuestions(path, columns === undefined ? {} : { columns }), plan)
  return flags.has('json') ? `${JSON.stringify({ quorate: 1, kind, ...estimate })}\n` : estimateText(estimate, plan)
}

/** Runs, and hands the result on while the store is open. */
export async function runRequest<Used>(
  request: RunRequest,
  use: (report: RunReport, store: Store) => Promise<Used>,
): Promise<Used> {
  const { flags, path, columns, certified } = request
  const loaded = await configOf(flags)
  const plan = planOf(loaded, request)
  const { checkPrices, createJob } = await import('../runs/run-job.ts')
  const { openRun } = await import('../runs/open-run.ts')
  const { prepareDeciding } = await import('../runs/deciding.ts')
  const { runQuestions } = await import('../runs/run-questions.ts')
  const { readQuestions } = await import('../questions/read-questions.ts')
  checkPrices(plan)
  const models = await panelModels(loaded, flags)
  const intake = await takeIn(readQuestions(path, columns === undefined ? {} : { columns }), plan)
  const deciding =
    certified === null
      ? null
      : prepareDeciding(certified.certified, { panel: plan.panel, rows: intake.rows }, certified)
  const progress = runProgress(intake.rows.length)
  const interrupt = hearInterrupt(progress.say)
  const store = await openConfiguredStore(loaded)
  try {
    const tools = { ...(await toolsFor(plan, { store, models })), ...interrupt }
    const { now, newId } = tools
    const choice = { resume: resumeFlag(flags), retryErrors: flags.has('retry-errors') }
    const opened = await openRun(store, { plan, intake, deciding, ...choice, now, newId })
    progress.begin(opened)
    const job = await createJob(plan, tools, { opened, deciding })
    const result = await runQuestions(job, { tell: progress.tell })
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
  return openStore(config.store.url, { baseFolder: config.store.baseFolder, now: Date.now })
}

function planOf({ config }: LoadedConfig, { kind, flags }: Pick<RunRequest, 'kind' | 'flags'>): RunPlan {
  const { panel, limits, spotCheckRate, prices, seed, identity, hash } = config
  const chosen = { isShadow: flags.has('shadow'), allowUnpriced: flags.has('allow-unpriced') }
  return { kind, panel, limits, spotCheckRate, prices, seed, identity, hash, ...chosen }
}

async function toolsFor(
  { limits }: RunPlan,
  { store, models }: Pick<RunTools, 'store' | 'models'>,
): Promise<Omit<RunTools, 'stopping' | 'aborting'>> {
  const { createTraffic } = await import('../traffic/create-traffic.ts')
  const { timerSleep } = await import('../traffic/timer-sleep.ts')
  const clock = { now: () => performance.now(), sleep: timerSleep, random: Math.random }
  const traffic = createTraffic({ limits: limits.traffic, ...clock })
  return { store, models, traffic, now: Date.now, sleep: timerSleep, newId: createIds(), newSalt }
}
