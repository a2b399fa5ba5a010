import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { ALARM_EXPONENTS, type AskedAt, logCapital, questionsOf } from './log-capital.ts'
import { type AlarmSettings, checkAlarmSettings, checkSpotCheckRate } from './monitor-settings.ts'

/**
 * The outcome of a spot check. `wrong`: acted on, and a person judges the answer wrong, cannot judge it, or calls the
 * question bad. `not-wrong`: acted on and right, or not acted on, whatever its label. `abandoned`: never decided, and
 * it will not be. `open`: acted on without a label yet, or not decided yet.
 */
export type SpotCheckOutcome = (typeof SPOT_CHECK_OUTCOMES)[number]
const SPOT_CHECK_OUTCOMES = Object.freeze(['wrong', 'not-wrong', 'abandoned', 'open'] as const)

/** Questions with the same sampling probability, and the outcomes of those that were sampled. */
export interface Stretch extends AskedAt {
  readonly sampled: number
  readonly wrong: number
  /** Abandoned or open. They count as wrong at upper ends. */
  readonly unknown: number
}

/** The complete state of the monitor: a few numbers. A state restored from JSON continues bit for bit. */
export interface RiskState {
  /** Questions at intake, sampled or not, by their sampling probability; one entry per probability. */
  readonly asked: readonly Stretch[]
  /** Sampled questions by outcome. Their sum is the number of spot checks. */
  readonly wrong: number
  readonly notWrong: number
  readonly abandoned: number
  readonly open: number
  /** Largest log M_n so far, at least 0. */
  readonly largestLogCapital: number
  /** When M_n first reached 1 / eta; null before that. */
  readonly alarm: { readonly questions: number; readonly sampled: number } | null
}

export interface RiskMonitor {
  readonly start: RiskState
  /** Adds the next spot check, in the order of sampling, with its sampling probability. */
  observe(state: RiskState, outcome: SpotCheckOutcome, spotCheckRate: number): RiskState
  /** Adds questions that were not sampled. */
  pass(state: RiskState, unsampled: AskedAt): RiskState
  /** The current log M_n. */
  logCapital(state: RiskState): number
}

/**
 * Tests "the wrong-action rate is at most beta" after every question. X_i indicates that question i is sampled, acted
 * on and wrong, so E[X_i | past] <= p_i beta under that hypothesis. The alarm is raised when M_n >= 1 / eta, which
 * under that hypothesis ever happens with probability at most eta. Only `wrong` counts: unknown outcomes can delay an
 * alarm but never raise one, whatever the order in which labels arrive.
 *
 * Assumption: question i is sampled with probability p_i before anything is known about it.
 */
export function riskMonitor({ beta, eta }: AlarmSettings): RiskMonitor {
  checkAlarmSettings('riskMonitor', { beta, eta })
  const threshold = -Math.log(eta)

  return {
    start: START,
    observe(state, outcome, spotCheckRate) {
      const field = FIELD_OF[choice('riskMonitor', 'outcome', outcome, SPOT_CHECK_OUTCOMES)]
      const passed = passBy(state, { spotCheckRate, questions: 1 })
      const next = { ...passed, [field]: passed[field] + 1, asked: withSampled(passed.asked, outcome, spotCheckRate) }
      // Without a wrong outcome M_n falls, so neither the largest value nor the alarm can change.
      if (outcome !== 'wrong') return next
      const now = logCapital(ALARM_EXPONENTS, next, beta)
      const isFirst = next.alarm === null && now >= threshold
      return {
        ...next,
        largestLogCapital: Math.max(next.largestLogCapital, now),
        alarm: isFirst ? { questions: questionsOf(next), sampled: sampledOf(next) } : next.alarm,
      }
    },
    pass: passBy,
    logCapital: (state) => logCapital(ALARM_EXPONENTS, state, beta),
  }
}

export function sampledOf({ wrong, notWrong, abandoned, open }: RiskState): number {
  return wrong + notWrong + abandoned + open
}

const START: RiskState = Object.freeze({
  asked: Object.freeze([]),
  wrong: 0,
  notWrong: 0,
  abandoned: 0,
  open: 0,
  largestLogCapital: 0,
  alarm: null,
})

const FIELD_OF = Object.freeze({
  wrong: 'wrong',
  'not-wrong': 'notWrong',
  abandoned: 'abandoned',
  open: 'open',
} as const)

function passBy(state: RiskState, { spotCheckRate, questions }: AskedAt): RiskState {
  checkSpotCheckRate('riskMonitor', spotCheckRate)
  if (!(Number.isSafeInteger(questions) && questions >= 0)) {
    throw new CertificateError('riskMonitor', 'questions', 'a whole number of at least 0', questions)
  }
  if (questions === 0) return state
  const at = state.asked.findIndex((one) => one.spotCheckRate === spotCheckRate)
  const before = state.asked[at]
  if (before === undefined) {
    return { ...state, asked: [...state.asked, { spotCheckRate, questions, sampled: 0, wrong: 0, unknown: 0 }] }
  }
  return { ...state, asked: state.asked.with(at, { ...before, questions: before.questions + questions }) }
}

/** Counts one question of the stretch, which is already among its questions, as sampled. */
function withSampled(asked: readonly Stretch[], outcome: SpotCheckOutcome, spotCheckRate: number): readonly Stretch[] {
  const isWrong = outcome === 'wrong'
  const isUnknown = outcome === 'abandoned' || outcome === 'open'
  return asked.map((stretch) =>
    stretch.spotCheckRate === spotCheckRate
      ? {
          ...stretch,
          sampled: stretch.sampled + 1,
          wrong: stretch.wrong + (isWrong ? 1 : 0),
          unknown: stretch.unknown + (isUnknown ? 1 : 0),
        }
      : stretch,
  )
}
