import { priceOf } from '../model/prices.ts'
import type { Millis, Store } from '../store/store.ts'
import type { Sleep, Traffic } from '../traffic/traffic.ts'
import { createNotices } from './calls/notices.ts'
import type { CallDesk, PaidModel } from './calls/pay-for-call.ts'
import { createPurse, type Purse } from './calls/purse.ts'
import type { Deciding } from './deciding.ts'
import type { OpenedRun } from './open-run.ts'
import { RunError, type RunPlan } from './run-plan.ts'

/** What a run needs from the outside. */
export interface RunTools {
  readonly store: Store
  readonly traffic: Traffic
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly now: () => Millis
  readonly sleep: Sleep
  readonly newId: () => string
  /** Of a text in the ledger: nobody may guess it. */
  readonly newSalt: () => string
  /** A new secret to draw spot checks with: 32 random bytes in hexadecimal digits. */
  readonly newKey: () => string
  /** Fires when nothing more is to be begun. */
  readonly stopping: AbortSignal
  /** Fires when calls in flight are to end too. */
  readonly aborting: AbortSignal
}

/** A run at work. */
export interface Job {
  readonly plan: RunPlan
  readonly tools: RunTools
  readonly opened: OpenedRun
  readonly deciding: Deciding | null
  readonly purse: Purse
  readonly desk: CallDesk
}

const MICRO = 1_000_000

/** `shared`: what other processes that work on the run have a part in. */
export async function createJob(
  plan: RunPlan,
  tools: RunTools,
  { opened, deciding }: Pick<Job, 'opened' | 'deciding'>,
  shared?: Pick<CallDesk, 'purse' | 'calls'>,
): Promise<Job> {
  const { store, traffic, models, now, newId, stopping } = tools
  const runId = opened.run.id
  const { purse, calls } = shared ?? { purse: await ownPurse(plan, store, runId), calls: store.calls }
  const { prices } = plan
  const desk = {
    ...{ runId, fence: opened.fence, calls, purse, traffic, models, prices, now, newId, stopping },
    notices: createNotices(),
  }
  return { plan, tools, opened, deciding, purse, desk }
}

/** Of a run that no other process spends for. */
async function ownPurse({ limits: { maxCostUsd } }: RunPlan, store: Store, runId: string): Promise<Purse> {
  return createPurse(await store.calls.spend(runId), maxCostUsd === null ? null : Math.floor(maxCostUsd * MICRO))
}

/** A cap over a model whose price nobody knows would be no cap. */
export function checkPrices({ panel, prices, limits, allowUnpriced }: RunPlan): void {
  if (limits.maxCostUsd === null || allowUnpriced) return
  const unpriced = new Set(panel.agents.map(({ model }) => model).filter((model) => priceOf(model, prices) === null))
  const [first] = unpriced
  if (first === undefined) return
  throw new RunError(
    `${[...unpriced].join(', ')} must have a price, since there is a spend cap of ${limits.maxCostUsd} USD: write it into ` +
      'the config (prices), take the cap away (--max-cost none), or say --allow-unpriced',
  )
}
