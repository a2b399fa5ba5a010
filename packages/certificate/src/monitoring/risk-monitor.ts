import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { ALARM_EXPONENTS, type AskedAt, logCapital, questionsOf } from './log-capital.ts'
import { type AlarmSettings, checkAlarmSettings, checkSpotCheckRate } from './monitor-settings.ts'

/**
 * What a spot check came to. `wrong`: acted on, and a person says that the answer is wrong, cannot tell, or calls the question
 * bad. `not-wrong`: acted on and right, or not acted on, whatever its label. `abandoned`: never decided, and nobody comes back to
 * it. `open`: acted on without a label yet, or not decided yet.
 */
export type SpotCheckOutcome = (typeof SPOT_CHECK_OUTCOMES)[number]
const SPOT_CHECK_OUTCOMES = Object.freeze(['wrong', 'not-wrong', 'abandoned', 'open'] as const)

/** Questions that were sampled with the same probability, and what came of them. */
export interface Stretch extends AskedAt {
  readonly sampled: number
  readonly wrong: number
  /** Abandoned or open: wrong at upper ends. */
  readonly unknown: number
}

/** All that the monitor remembers: a few numbers, whose JSON continues bit for bit. */
export interface RiskState {
  /** At intake, sampled or not, by the probability that they were sampled with, each once. */
  readonly asked: readonly Stretch[]
  /** Of them, by outcome; their sum is the number of spot checks. */
  readonly wrong: number
  readonly notWrong: number
  readonly abandoned: number
  readonly open: number
  /** Largest log M_n so far, at least 0. */
  readonly largestLogCapital: number
  /** Where M_n first reached 1 / eta; null while it has not. */
  readonly alarm: { readonly questions: number; readonly sampled: number } | null
}

export interface RiskMonitor {
  readonly start: RiskState
  /** The next spot check in the order of sampling, sampled with this probability. */
  observe(state: RiskState, outcome: SpotCheckOutcome, spotCheckRate: number): RiskState
  /** Questions that were not sampled. */
  pass(state: RiskState, unsampled: AskedAt): RiskState
  /** log M_n now. */
  logCapital(state: RiskState): number
}

/**
 * Tests "the wrong-action rate is at most beta" after every question. X_i = sampled, acted on and
 * wrong, so that E[X_i | past] <= p_i beta under that hypothesis; the alarm is raised when M_n >= 1 / eta, which ever
 * happens with probability at most eta. Only `wrong` counts: outcomes that are not known can delay an alarm, never
 * raise one, in whatever order labels come in.
 *
 * Assumption: question i is sampled with probability p_i before anything is known of it.
 */
export function riskMonitor({ beta, eta }: AlarmSettings): RiskMonitor {
  checkAlarmSettings('riskMonitor', { beta, eta })
  const threshold = -Math.log(eta)

  return {
    start: START,
    observe(state, outcome, spotCheckRate) {
      const field = FIELD_OF[choice('riskMonitor', 'outcome', outcome, SPOT_CHECK_OUTCOMES)]
      const passed = passBy(state, { spotCheckRate, questions: 1 })
      const next = { ...passed, [field]: passed[field] + 1, asked: drawnIn(passed.asked, outcome, spotCheckRate) }
      // Without a wrong one M_n falls: neither the largest nor the alarm can change.
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

/** One of its questions, which is counted already, was sampled. */
function drawnIn(asked: readonly Stretch[], outcome: SpotCheckOutcome, spotCheckRate: number): readonly Stretch[] {
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
