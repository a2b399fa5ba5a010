import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { ALARM_EXPONENTS, logCapital } from './log-capital.ts'
import { checkMonitorSettings, type MonitorSettings } from './monitor-settings.ts'

/**
 * What a spot check came to. `wrong`: acted on, and a person says that the answer is wrong. `not-wrong`: acted on and
 * right, or not acted on, whatever its label. `undecidable`: acted on, and the person could not tell or called the
 * question bad. `open`: acted on without a label yet, or not decided yet.
 */
export type SpotCheckOutcome = (typeof SPOT_CHECK_OUTCOMES)[number]
const SPOT_CHECK_OUTCOMES = Object.freeze(['wrong', 'not-wrong', 'undecidable', 'open'] as const)

/** All that the monitor remembers: a few numbers, whose JSON continues bit for bit. */
export interface RiskState {
  /** At intake, drawn or not. */
  readonly questions: number
  /** Of them, by outcome; their sum is the number of draws. */
  readonly wrong: number
  readonly notWrong: number
  readonly undecidable: number
  readonly open: number
  /** Largest log M_n so far, at least 0. */
  readonly largestLogCapital: number
  /** Where M_n first reached 1 / eta; null while it has not. */
  readonly alarm: { readonly questions: number; readonly draws: number } | null
}

export interface RiskMonitor {
  readonly start: RiskState
  /** The next draw in draw order, after `undrawn` questions that were not drawn (default 0). */
  observe(state: RiskState, outcome: SpotCheckOutcome, undrawn?: number): RiskState
  /** Questions that were not drawn. */
  pass(state: RiskState, undrawn: number): RiskState
  /** log M_n now. */
  logCapital(state: RiskState): number
}

/**
 * Tests "the wrong-action rate is at most beta" after every question (method.md, section 10). X_i = drawn, acted on and
 * wrong, so that E[X_i | past] <= p beta under that hypothesis; the alarm is raised when M_n >= 1 / eta, which ever
 * happens with probability at most eta. Only `wrong` counts: outcomes that are not known can delay an alarm, never
 * raise one, in whatever order labels come in.
 *
 * Assumption: each question is drawn with probability p before anything is known of it.
 */
export function riskMonitor(settings: MonitorSettings): RiskMonitor {
  checkMonitorSettings('riskMonitor', settings)
  const r = settings.spotCheckRate * settings.beta
  const line = -Math.log(settings.eta)

  return {
    start: START,
    observe(state, outcome, undrawn = 0) {
      const field = FIELD_OF[choice('riskMonitor', 'outcome', outcome, SPOT_CHECK_OUTCOMES)]
      const passed = passBy(state, undrawn)
      const next = { ...passed, questions: passed.questions + 1, [field]: passed[field] + 1 }
      // Without a wrong one M_n falls: neither the largest nor the alarm can change.
      if (outcome !== 'wrong') return next
      const now = logCapital(ALARM_EXPONENTS, next, r)
      const isFirst = next.alarm === null && now >= line
      return {
        ...next,
        largestLogCapital: Math.max(next.largestLogCapital, now),
        alarm: isFirst ? { questions: next.questions, draws: drawsOf(next) } : next.alarm,
      }
    },
    pass: passBy,
    logCapital: (state) => logCapital(ALARM_EXPONENTS, state, r),
  }
}

export function drawsOf({ wrong, notWrong, undecidable, open }: RiskState): number {
  return wrong + notWrong + undecidable + open
}

const START: RiskState = Object.freeze({
  questions: 0,
  wrong: 0,
  notWrong: 0,
  undecidable: 0,
  open: 0,
  largestLogCapital: 0,
  alarm: null,
})

const FIELD_OF = Object.freeze({
  wrong: 'wrong',
  'not-wrong': 'notWrong',
  undecidable: 'undecidable',
  open: 'open',
} as const)

function passBy(state: RiskState, undrawn: number): RiskState {
  if (!(Number.isSafeInteger(undrawn) && undrawn >= 0)) {
    throw new CertificateError('riskMonitor', 'undrawn', 'a whole number of at least 0', undrawn)
  }
  return undrawn === 0 ? state : { ...state, questions: state.questions + undrawn }
}
