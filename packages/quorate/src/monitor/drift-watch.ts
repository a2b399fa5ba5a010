import { hash } from 'node:crypto'
import { canonicalJson, type DriftState, driftMonitor } from '@quorate/certificate'
import type { MonitorView } from '../contract/monitor.ts'

export interface DriftSettings {
  readonly eta: number
  /** Scores of the certificate's neighbour rows (`firstRoundScores`). */
  readonly reference: readonly number[]
  /** Of the lots that rank equal scores. */
  readonly seed: number
}

export interface ArrivedDebate {
  readonly runId: string
  readonly questionId: string
  /** After round 1, by the same map as the reference; null: there is none, and the debate is not counted. */
  readonly score: number | null
}

export interface DriftWatch {
  /** To begin with, and again after each release and each new certificate. */
  readonly start: DriftState
  /** The next debates in order of arrival. The state may be stored as JSON in between. */
  observe(state: DriftState, debates: readonly ArrivedDebate[]): DriftState
  view(state: DriftState): DriftReport
}

export type DriftReport = MonitorView['drift'] & {
  /** `wealth` is the largest since the start; this is the last. */
  readonly now: number
  /** Which of the counted debates reached the line; null: none. */
  readonly at: number | null
}

/** Whether debates still look like those of the calibration after their first round; at most eta of false alarms, ever. */
export function driftWatch({ eta, reference, seed }: DriftSettings): DriftWatch {
  const monitor = driftMonitor({ eta })
  return {
    start: monitor.start(reference),
    observe: (state, debates) =>
      debates.reduce(
        (now, { score, ...debate }) => (score === null ? now : monitor.observe(now, score, lot(seed, debate))),
        state,
      ),
    view: ({ capital, largestCapital, arrivals, alarm }) => ({
      wealth: largestCapital,
      now: capital,
      alarmAt: 1 / eta,
      counted: arrivals,
      isAlarm: alarm !== null,
      at: alarm,
    }),
  }
}

/** Uniform in [0, 1), from the seed and the debate's name alone: the same whenever it is computed again. */
function lot(seed: number, { runId, questionId }: Omit<ArrivedDebate, 'score'>): number {
  return Number.parseInt(hash('sha256', canonicalJson(['drift', seed, runId, questionId])).slice(0, 13), 16) / 2 ** 52
}
