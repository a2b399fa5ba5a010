import type { CalibratedTurns } from '../certificate/fingerprint.ts'
import { CertificateError } from '../certificate-error.ts'
import { clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { ALARM_EXPONENTS, logCapital } from './log-capital.ts'
import { type BoundSettings, checkBoundSettings } from './monitor-settings.ts'

/** The complete state of the monitor. A state restored from JSON continues bit for bit. */
export interface MissingState {
  /** Questions with an answer in round 1. */
  readonly questions: number
  /** Sum over them of the share of answered turns that lack what the certificate reads. */
  readonly missing: number
  /** Largest log M_n so far, at least 0. */
  readonly largestLogCapital: number
  /** The question at which M_n first reached its threshold; null before that. */
  readonly alarm: number | null
}

export interface MissingMonitor {
  /**
   * The largest mean share that is compatible with calibration. If it is 1, calibration gives no limit, and no alarm
   * can be raised.
   */
  readonly limit: number
  /** The capital at which the alarm is raised. */
  readonly alarmAt: number
  readonly start: MissingState
  /** Adds the next question: the share of answered turns of round 1 that lack what the certificate reads. */
  observe(state: MissingState, share: number): MissingState
  /** The current log M_n. */
  logCapital(state: MissingState): number
}

export interface MissingSettings extends BoundSettings {
  readonly calibrated: Pick<CalibratedTurns, 'questions' | 'firstMissing'>
}

/**
 * Tests after every question whether turns lack what the certificate reads at most as often as in calibration. X_i in
 * [0, 1] is the share of answered turns of round 1 that lack it.
 *
 * Half of eta is spent on the calibrated mean. Its upper limit is that of Clopper and Pearson at level eta / 2e for the
 * sum rounded up, as P(S <= s) <= e P(Bin(n, mean) <= ceil(s)) for sums of variables in [0, 1] (Bentkus 2004). The
 * other half is spent on the stream: if its mean is at most that limit, E[e^(l X)] <= 1 + limit (e^l - 1) by convexity,
 * so M_n of `logCapital` is a supermartingale and ever reaches 2 / eta with probability at most eta / 2 (Ville 1939).
 *
 * Assumption: questions are independent draws, both in calibration and in the stream. Only round 1 is used, because
 * later rounds take place only if nothing was acted on.
 */
export function missingMonitor({ eta, calibrated }: MissingSettings): MissingMonitor {
  checkBoundSettings('missingMonitor', { eta })
  const { questions, firstMissing } = calibrated
  if (!(Number.isSafeInteger(questions) && questions >= 0)) {
    throw new CertificateError('missingMonitor', 'calibrated.questions', 'a whole number of at least 0', questions)
  }
  if (!(firstMissing >= 0 && firstMissing <= questions)) {
    throw new CertificateError(
      'missingMonitor',
      'calibrated.firstMissing',
      `a number in [0, ${questions}]`,
      firstMissing,
    )
  }
  const half = eta / 2
  const limit = questions === 0 ? 1 : clopperPearsonUpper(Math.ceil(firstMissing), questions, half / Math.E)
  const threshold = -Math.log(half)
  const capital = ({ questions: asked, missing }: { readonly questions: number; readonly missing: number }) =>
    logCapital(EXPONENTS, { asked: [{ spotCheckRate: 1, questions: asked }], wrong: missing }, limit)

  return {
    limit,
    alarmAt: 1 / half,
    start: START,
    observe(state, share) {
      if (!(share >= 0 && share <= 1)) {
        throw new CertificateError('missingMonitor', 'share', 'a number in [0, 1]', share)
      }
      const next = { ...state, questions: state.questions + 1, missing: state.missing + share }
      const now = capital(next)
      return {
        ...next,
        largestLogCapital: Math.max(state.largestLogCapital, now),
        alarm: state.alarm ?? (now >= threshold ? next.questions : null),
      }
    },
    logCapital: capital,
  }
}

/** Two more than for wrong actions, since a panel that stops stating confidences exceeds its limit a hundredfold. */
const EXPONENTS = Object.freeze([...ALARM_EXPONENTS, 2, 4])

const START: MissingState = Object.freeze({ questions: 0, missing: 0, largestLogCapital: 0, alarm: null })
