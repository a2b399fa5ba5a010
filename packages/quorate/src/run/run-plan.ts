import type { ResolvedConfig } from '../config/resolve-config.ts'
import type { Run } from '../store/store.ts'

/** What a run is to do. */
export interface RunPlan
  extends Pick<ResolvedConfig, 'panel' | 'limits' | 'spotCheckRate' | 'prices' | 'seed' | 'identity' | 'hash'> {
  readonly kind: Run['kind']
  /** Absent: no spans are made. */
  readonly telemetry?: ResolvedConfig['telemetry']
  /** Decide and log, change nothing: nobody is asked to review. */
  readonly isShadow: boolean
  /** Ask models without a known price although there is a cap. */
  readonly allowUnpriced: boolean
  /** Share of answers that may be unreadable; above it the run stops. Absent: the usual one. */
  readonly maxUnreadable?: number
}

/** Most answers of a panel that works can be read. */
export const USUAL_UNREADABLE = 0.5

/** A run that cannot be started or resumed: why, and what to do. */
export class RunError extends Error {
  override readonly name = 'RunError'
}

/** What is chosen for one run, beside its config. */
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
