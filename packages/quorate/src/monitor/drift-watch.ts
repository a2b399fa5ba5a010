import { hash } from 'node:crypto'
import {
  type CalibratedTurns,
  canonicalJson,
  type DriftState,
  driftMonitor,
  type MissingState,
  missingMonitor,
} from '@quorate/certificate'
import type { Missing, Wealth } from '../contract/monitor.ts'
import { finiteWealth } from './risk-report.ts'

export interface DriftSettings {
  readonly eta: number
  /** Scores of the certificate's neighbour rows (`firstRoundScores`). */
  readonly reference: readonly number[]
  /** Seed of the random numbers that rank equal scores. */
  readonly seed: number
  /** How often turns lacked what the certificate reads in calibration; null: not known, and not compared. */
  readonly calibrated?: Pick<CalibratedTurns, 'questions' | 'firstMissing'> | null
}

/** Probability that the monitor of missing confidences ever raises a false alarm, in addition to that of the other monitors. */
export const MISSING_ETA = 0.01

/** It may be stored as JSON and continued later. */
export type WatchState = DriftState & { readonly missing: MissingState }

export interface ArrivedDebate {
  readonly runId: string
  readonly questionId: string
  /** After round 1, by the same function as the reference; null: there is none, and the debate is not counted. */
  readonly score: number | null
  /** Share of the answered turns of round 1 that lack what the certificate reads; null: no agent answered in round 1. */
  readonly missing?: number | null
}

export interface DriftWatch {
  /** The state at the beginning, and again after each release and for each new certificate. */
  readonly start: WatchState
  /** Adds the next debates in order of arrival. */
  observe(state: WatchState, debates: readonly ArrivedDebate[]): WatchState
  view(state: WatchState): DriftReport
}

export type DriftReport = Wealth & {
  /** The current value, while `wealth` is the largest since the start. */
  readonly now: number
  /** Number of counted debates after which the threshold was reached; null: it was not. */
  readonly at: number | null
  readonly missing: Missing & { readonly at: number | null }
}

/**
 * Tests whether debates still resemble those of the calibration after their first round, and whether turns lack what the
 * certificate reads more often than in calibration. The probability of ever raising a false alarm is at most eta for the first
 * test and MISSING_ETA for the second.
 */
export function driftWatch({ eta, reference, seed, calibrated = null }: DriftSettings): DriftWatch {
  const monitor = driftMonitor({ eta })
  const absent = missingMonitor({ eta: MISSING_ETA, calibrated: calibrated ?? NOT_COMPARED })
  const observe = ({ missing: seen, ...scores }: WatchState, debate: ArrivedDebate): WatchState => {
    const { score, missing = null } = debate
    return {
      ...(score === null ? scores : monitor.observe(scores, score, tieBreak(seed, debate))),
      missing: missing === null ? seen : absent.observe(seen, missing),
    }
  }
  return {
    start: { ...monitor.start(reference), missing: absent.start },
    observe: (state, debates) => debates.reduce(observe, state),
    view: ({ capital, largestCapital, arrivals, alarm, missing }) => ({
      wealth: largestCapital,
      now: capital,
      alarmAt: 1 / eta,
      counted: arrivals,
      isAlarm: alarm !== null,
      at: alarm,
      missing: {
        wealth: finiteWealth(missing.largestLogCapital),
        alarmAt: absent.alarmAt,
        counted: missing.questions,
        isAlarm: missing.alarm !== null,
        share: missing.questions === 0 ? null : missing.missing / missing.questions,
        limit: calibrated === null ? null : absent.limit,
        at: missing.alarm,
      },
    }),
  }
}

/** Its limit is 1, so no share ever exceeds it. */
const NOT_COMPARED = Object.freeze({ questions: 0, firstMissing: 0 })

/** Uniform in [0, 1). It depends only on the seed and the debate's ids, so it is the same whenever it is recomputed. */
function tieBreak(seed: number, { runId, questionId }: ArrivedDebate): number {
  return Number.parseInt(hash('sha256', canonicalJson(['drift', seed, runId, questionId])).slice(0, 13), 16) / 2 ** 52
}
