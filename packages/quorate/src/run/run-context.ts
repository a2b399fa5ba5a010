import { everyModel } from '../config/resolve-config.ts'
import { isOwnServer, priceOf, UNPRICED_CALL_MICRO_USD, unpricedWords } from '../model/prices.ts'
import type { PolicyStore } from '../store/decisions/policy-events.ts'
import type { DebateStore, DecisionStore, Millis, RunStore, Store } from '../store/store.ts'
import type { Sleep, Traffic } from '../traffic/traffic.ts'
import { createNotices } from './calls/notices.ts'
import type { CallContext, PaidModel } from './calls/pay-for-call.ts'
import type { Deciding } from './deciding.ts'
import type { EarlyWarning } from './early-warning.ts'
import type { OpenedRun } from './open-run.ts'
import { capOf, RunError, type RunPlan } from './run-plan.ts'
import { createSpendMeter, type SpendMeter } from './spend-meter.ts'
import type { Telemetry, TelemetryPlan } from './telemetry.ts'

/** What a run needs from the outside. */
export interface RunTools {
  readonly store: Store
  readonly traffic: Traffic
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly now: () => Millis
  readonly sleep: Sleep
  readonly newId: () => string
  /** Makes a secret salt for a text in the ledger. */
  readonly newSalt: () => string
  /** Makes a secret key that samples spot checks: 32 random bytes in hexadecimal digits. */
  readonly newKey: () => string
  /** Fires when nothing more may be begun. */
  readonly stopping: AbortSignal
  /** Fires when calls in flight must end too. */
  readonly aborting: AbortSignal
  /** Stops a run that cannot succeed. Absent: every question is tried. */
  readonly warning?: EarlyWarning
}

/** A run that this process works on. */
export interface RunContext {
  readonly plan: RunPlan
  readonly tools: RunTools
  readonly opened: OpenedRun
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
  /** What the calls of the run share, including the spend meter. */
  readonly calls: CallContext
  /** Null: no spans are recorded. */
  readonly telemetry: Telemetry | null
}

/**
 * What the loop of `work.ts` needs of the store between the claim of a question and its end, besides paid calls. A worker tries
 * each of these again while its database is unavailable (`workers/retrying-store.ts`).
 */
export interface QuestionStore {
  readonly policy: Pick<PolicyStore, 'currentSuspension'>
  readonly debates: Pick<DebateStore, 'save'>
  readonly decisions: Pick<DecisionStore, 'find' | 'settle'>
  readonly runs: Pick<RunStore, 'setQuestion'>
}

/** A run as the loop sees it while it works on a question. */
export interface QuestionContext extends Omit<RunContext, 'tools'> {
  readonly tools: Omit<RunTools, 'store'> & { readonly store: QuestionStore }
}

/** `shared`: how calls are stored and paid for in a run that several processes work on. */
export async function createRunContext(
  plan: RunPlan,
  tools: RunTools,
  { opened, deciding }: Pick<RunContext, 'opened' | 'deciding'>,
  shared?: Pick<CallContext, 'meter' | 'calls'>,
): Promise<RunContext> {
  const { store, traffic, models, now, newId, stopping, warning } = tools
  const { id: runId } = opened.run
  const notices = createNotices()
  const unpriced = unpricedNotice(plan)
  if (unpriced !== null) notices.add(unpriced)
  const telemetry = plan.telemetry === undefined ? null : await loadTelemetry(plan.telemetry)
  const calls: CallContext = {
    runId,
    fence: opened.fence,
    calls: shared?.calls ?? store.calls,
    meter: shared?.meter ?? (await ownMeter(plan, store, runId)),
    traffic,
    models: telemetry === null ? models : tracedModels(models, telemetry),
    prices: plan.prices,
    unpricedMicroUsd: capOf(plan) === null || plan.allowUnpriced ? null : UNPRICED_CALL_MICRO_USD,
    now,
    newId,
    stopping,
    notices,
    ...(warning === undefined ? {} : { warning }),
  }
  return { plan, tools, opened, deciding, calls, telemetry }
}

/** OpenTelemetry is loaded only if the config asks for spans. */
async function loadTelemetry(plan: TelemetryPlan): Promise<Telemetry> {
  return (await import('./telemetry.ts')).createTelemetry(plan)
}

function tracedModels(models: RunTools['models'], telemetry: Telemetry): RunTools['models'] {
  return new Map([...models].map(([agent, paid]) => [agent, { ...paid, model: telemetry.model(paid.model) }]))
}

/** The meter of a run that no other process spends for. */
async function ownMeter(plan: RunPlan, store: Store, runId: string): Promise<SpendMeter> {
  return createSpendMeter({ before: await store.calls.spend(runId), capMicroUsd: capOf(plan) })
}

/** Throws if there is a spend cap and the price of a provider's model is unknown, since the cap could not be enforced. */
export function checkPrices(plan: RunPlan): void {
  const unpriced = unpricedModels(plan, (agent) => !isOwnServer(agent))
  if (unpriced.length === 0) return
  throw new RunError(
    `${unpriced.join(', ')} must have a price, because there is a spend cap of ${plan.limits.maxCostUsd} USD: set the price ` +
      'under prices, remove the cap (--max-cost none), or pass --allow-unpriced',
  )
}

/** Explains what a cap means for unpriced models on the user's own servers; null if there are none, or no cap. */
export function unpricedNotice(plan: RunPlan): string | null {
  const unpriced = unpricedModels(plan, isOwnServer)
  if (unpriced.length === 0) return null
  return unpricedWords(unpriced, plan.limits.maxCostUsd ?? 0)
}

function unpricedModels(
  { panel, prices, limits, allowUnpriced }: RunPlan,
  isWanted: (agent: RunPlan['panel']['agents'][number]) => boolean,
): readonly string[] {
  if (limits.maxCostUsd === null || allowUnpriced) return []
  const agents = everyModel(panel).filter((agent) => isWanted(agent) && priceOf(agent.model, prices) === null)
  return [...new Set(agents.map(({ model }) => model))]
}
