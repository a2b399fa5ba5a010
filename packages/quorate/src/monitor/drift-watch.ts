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

export interface DriftSettings {
  readonly eta: number
  /** Scores of the certificate's neighbour rows (`firstRoundScores`). */
  readonly reference: readonly number[]
  /** Of the lots that rank equal scores. */
  readonly seed: number
  /** How often turns lacked what the certificate reads when it was calibrated; null: not known, and not compared. */
  readonly calibrated?: Pick<CalibratedTurns, 'questions' | 'firstMissing'> | null
}

/** Chance that the monitor of missing confidences raises an alarm for nothing, beside that of the other monitors. */
export const MISSING_ETA = 0.01

/** May be stored as JSON and continued. */
export type WatchState = DriftState & { readonly missing: MissingState }

export interface ArrivedDebate {
  readonly runId: string
  readonly questionId: string
  /** After round 1, by the same map as the reference; null: there is none, and the debate is not counted. */
  readonly score: number | null
  /** Share of the answered turns of round 1 that lack what the certificate reads; null: nobody answered in it. */
  readonly missing?: number | null
}

export interface DriftWatch {
  /** To begin with, and again after each release and each new certificate. */
  readonly start: WatchState
  /** The next debates in order of arrival. The state may be stored as JSON in between. */
  observe(state: WatchState, debates: readonly ArrivedDebate[]): WatchState
  view(state: WatchState): DriftReport
}

export type DriftReport = Wealth & {
  /** `wealth` is the largest since the start; this is the last. */
  readonly now: number
  /** Which of the counted debates reached the line; null: none. */
  readonly at: number | null
  readonly missing: Missing & { readonly at: number | null }
}

/**
 * Whether debates still look like those of the calibration after their first round, and whether turns lack what the
 * certificate reads more often than they did; at most eta and MISSING_ETA of false alarms, ever.
 */
export function driftWatch({ eta, reference, seed, calibrated = null }: DriftSettings): DriftWatch {
  const monitor = driftMonitor({ eta })
  const absent = missingMonitor({ eta: MISSING_ETA, calibrated: calibrated ?? NOT_KNOWN })
  const observe = ({ missing: seen, ...scores }: WatchState, debate: ArrivedDebate): WatchState => {
    const { score, missing = null } = debate
    return {
      ...(score === null ? scores : monitor.observe(scores, score, lot(seed, debate))),
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
        wealth: Math.min(MOST_WEALTH, Math.exp(missing.largestLogCapital)),
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

/** The limit is 1: nothing is compared. */
const NOT_KNOWN = Object.freeze({ questions: 0, firstMissing: 0 })
/** A wealth that proves everything; JSON has no infinity. */
const MOST_WEALTH = 1e12

/** Uniform in [0, 1), from the seed and the debate's name alone: the same whenever it is computed again. */
function lot(seed: number, { runId, questionId }: ArrivedDebate): number {
  return Number.parseInt(hash('sha256', canonicalJson(['drift', seed, runId, questionId])).slice(0, 13), 16) / 2 ** 52
}
