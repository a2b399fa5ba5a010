import type { ResolvedConfig } from '../config/resolve-config.ts'
import { MICRO_USD } from '../record/money.ts'
import type { Run } from '../store/store.ts'

/** What a run does. */
export interface RunPlan
  extends Pick<ResolvedConfig, 'panel' | 'limits' | 'spotCheckRate' | 'prices' | 'seed' | 'identity' | 'hash'> {
  readonly kind: Run['kind']
  /** Absent: no spans are recorded. */
  readonly telemetry?: ResolvedConfig['telemetry']
  /** True: decisions are only recorded; nothing is acted on, and nobody is asked to review. */
  readonly isShadow: boolean
  /** Whether models without a known price are asked although there is a cap. */
  readonly allowUnpriced: boolean
  /** The run stops if more than this share of answers is unreadable. Absent: `USUAL_UNREADABLE`. */
  readonly maxUnreadable?: number
}

/** Most answers of a working panel can be read. */
export const USUAL_UNREADABLE = 0.5

/** A run cannot be started or resumed. The message says why, and what to do. */
export class RunError extends Error {
  override readonly name = 'RunError'
}

/** Choices for one run, in addition to its config. */
export interface RunChoice {
  readonly kind: Run['kind']
  readonly isShadow?: boolean
  readonly allowUnpriced?: boolean
  readonly maxUnreadable?: number
}

/** What a config asks for, as a run of this kind. */
export function runPlan(config: ResolvedConfig, chosen: RunChoice): RunPlan {
  const { panel, limits, spotCheckRate, prices, seed, identity, hash, telemetry } = config
  return {
    panel,
    limits,
    spotCheckRate,
    prices,
    seed,
    identity,
    hash,
    telemetry,
    isShadow: false,
    allowUnpriced: false,
    ...chosen,
  }
}

/** The spend cap of a plan in whole micro-dollars, rounded down; null: there is none. */
export function capOf({ limits: { maxCostUsd } }: Pick<RunPlan, 'limits'>): number | null {
  return maxCostUsd === null ? null : Math.floor(maxCostUsd * MICRO_USD)
}
