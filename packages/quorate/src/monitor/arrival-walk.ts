import type { AskedAt, RiskMonitor, RiskState, SpotCheckOutcome } from '@quorate/certificate'
import type { RateChange } from '../store/store.ts'

/** A spot check that the monitor counts. */
export interface CountedSpotCheck {
  readonly arrival: number
  readonly outcome: SpotCheckOutcome
  readonly spotCheckRate: number
}

export interface Walk {
  readonly state: RiskState
  /** The last arrival that `state` includes. */
  readonly arrival: number
}

/** Advances the monitor over arrivals, each with its sampling probability. Arrivals with probability 0 are skipped. */
export function arrivalWalk(monitor: RiskMonitor, rates: readonly RateChange[]) {
  /** The questions after `from` and up to `to`, none of which was sampled, one entry per sampling probability. */
  function* unsampled(from: number, to: number): Generator<AskedAt> {
    for (const [index, { from: first, spotCheckRate }] of rates.entries()) {
      const last = (rates[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1
      const questions = Math.min(to, last) - Math.max(from, first - 1)
      if (questions > 0 && spotCheckRate > 0) yield { spotCheckRate, questions }
    }
  }

  function upTo({ state, arrival: from }: Walk, arrival: number): Walk {
    let passed = state
    for (const asked of unsampled(from, arrival)) passed = monitor.pass(passed, asked)
    return { state: passed, arrival }
  }

  return {
    upTo,
    observe(walk: Walk, { arrival, outcome, spotCheckRate }: CountedSpotCheck): Walk {
      const { state } = upTo(walk, arrival - 1)
      return { state: monitor.observe(state, outcome, spotCheckRate), arrival }
    },
    /** Null: the arrival is skipped. */
    rateOf(arrival: number): number | null {
      const rate = rates.findLast(({ from }) => from <= arrival)?.spotCheckRate ?? 0
      return rate > 0 ? rate : null
    },
  }
}

export type ArrivalWalk = ReturnType<typeof arrivalWalk>
