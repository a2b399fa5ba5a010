import {
  type BoundSettings,
  clopperPearsonInterval,
  type MonitorPower,
  monitorPower,
  questionsOf,
  type RiskMonitor,
  type RiskState,
  rateBounds,
  realisedRate,
  riskMonitor,
  sampledOf,
} from '@quorate/certificate'
import type { MonitorView, RatePoint, Wealth } from '../contract/monitor.ts'
import type { Millis, RateChange } from '../store/store.ts'
import { type ArrivalWalk, arrivalWalk, type CountedSpotCheck, type Walk } from './arrival-walk.ts'
import { labelThatCounts, type SampledQuestion, spotCheckOutcome } from './spot-check-outcome.ts'

export interface RiskInput {
  readonly beta: number
  /** The current probability of a spot check; 0: nothing is sampled. */
  readonly spotCheckRate: number
  readonly eta: number
  /** Spot checks among the arrivals after `since`, in order of arrival. */
  readonly spotChecks: readonly SampledQuestion[]
  /** The probabilities that arrivals after `since` were sampled with. */
  readonly rates: readonly RateChange[]
  /** The last arrival before the monitor restarted. */
  readonly since: number
  /** The last arrival that counts. */
  readonly arrivals: number
  readonly now: Millis
  /**
   * How long a review can be undone. Its label counts afterwards: figures that change at once would reveal the panel's answer
   * to a blind reviewer, who could still change the review.
   */
  readonly undoMs: Millis
  /** When the policy was suspended; later arrivals are not among `arrivals`. Null: it is not suspended. */
  readonly frozenAt: Millis | null
}

/** Whether the rate of wrong actions is within the budget, as measured by spot checks. */
export interface RiskReport {
  readonly spotChecks: MonitorView['spotChecks'] & {
    /** Abandoned before they were decided. Upper limits count them as wrong. */
    readonly abandoned: number
    /** Questions before the oldest open spot check, which the rate and its bounds are about. */
    readonly settled: number
  }
  readonly alarm: MonitorView['alarm'] &
    RiskAlarm & {
      /** Number of questions over which `falseAlarm` and the delays were computed; null: nothing is sampled. */
      readonly horizon: number | null
    }
}

/** The evidence that can suspend the policy. */
export interface RiskAlarm extends Wealth {
  readonly eta: number
  /** The current value. `wealth` is the largest since the start, so 1 / wealth is a p-value at every moment. */
  readonly now: number
  /** When the threshold was reached; null: it was not. */
  readonly at: { readonly arrival: number; readonly sampled: number } | null
}

/** Default probability that a monitor ever raises a false alarm. */
export const USUAL_ETA = 0.05
const HISTORY_POINTS = 100

/**
 * The rate, its interval and its bounds are about all questions before the oldest open spot check. That rate is too low if
 * wrong ones are labelled last, so `upperWithOpen` also gives the rate if every open one is wrong. The alarm includes later
 * spot checks and counts open ones as not wrong. That can only delay it, while waiting for a single label could postpone it for
 * ever. `power` is that of the same settings, if the caller has computed it already.
 */
export function riskReport(input: RiskInput, power?: MonitorPower): RiskReport {
  const { beta, spotCheckRate, eta, since, arrivals, rates } = input
  checkOrder(input)
  const monitor = riskMonitor({ beta, eta })
  const walk = arrivalWalk(monitor, rates)
  const spotChecks = countedSpotChecks(input, walk)
  const firstOpen = spotChecks.findIndex(({ outcome }) => outcome === 'open')
  const closed = firstOpen < 0 ? spotChecks : spotChecks.slice(0, firstOpen)
  const start = { state: monitor.start, arrival: since }
  const {
    walked,
    history,
    alarmAt: early,
  } = follow(walk, closed, { from: start, point: (state, { arrivedAt }) => pointOf(state, eta, arrivedAt) })
  const settled = walk.upTo(walked, (spotChecks[firstOpen]?.arrival ?? arrivals + 1) - 1)
  const rest = follow(walk, spotChecks.slice(closed.length), { from: settled, point: () => null })
  const { state: latest } = walk.upTo(rest.walked, arrivals)
  return {
    spotChecks: {
      rate: spotCheckRate,
      sampled: sampledOf(latest),
      labelled: labelledOf(spotChecks),
      frozenAt: input.frozenAt,
      abandoned: latest.abandoned,
      settled: questionsOf(settled.state),
      wrong: wrongShare(settled.state),
      uniform: bandOf(settled.state, eta),
      openSpotChecks: openOf(spotChecks),
      right: rightShare(closed),
      uncounted: uncountedOf(spotChecks.slice(closed.length)),
      upperWithOpen: shareWithOpen(latest),
      history,
    },
    alarm: {
      ...wealthOf(monitor, latest, eta),
      at: latest.alarm && { arrival: early ?? rest.alarmAt ?? arrivals, sampled: latest.alarm.sampled },
      ...powerOf(spotCheckRate === 0 ? NO_POWER : (power ?? monitorPower({ beta, spotCheckRate, eta }))),
    },
  }
}

/** The alarm alone, with the same figures. Nothing else is needed for a certificate that is not the active one. */
export function riskAlarm(input: RiskInput): RiskAlarm {
  const { beta, eta, since, arrivals, rates } = input
  checkOrder(input)
  const monitor = riskMonitor({ beta, eta })
  const walk = arrivalWalk(monitor, rates)
  const from = { state: monitor.start, arrival: since }
  const { walked, alarmAt } = follow(walk, countedSpotChecks(input, walk), { from, point: () => null })
  const { state } = walk.upTo(walked, arrivals)
  return {
    ...wealthOf(monitor, state, eta),
    at: state.alarm && { arrival: alarmAt ?? arrivals, sampled: state.alarm.sampled },
  }
}

/** At most 1e12, which is conclusive already: JSON has no infinity. */
export function finiteWealth(logCapital: number): number {
  return Math.min(1e12, Math.exp(logCapital))
}

interface ReportedSpotCheck extends CountedSpotCheck {
  readonly isLabelled: boolean
  readonly isActed: boolean
  readonly arrivedAt: Millis
}

function countedSpotChecks({ spotChecks, ...times }: RiskInput, { rateOf }: ArrivalWalk): readonly ReportedSpotCheck[] {
  return spotChecks.flatMap((spotCheck) => {
    const { arrival, arrivedAt } = spotCheck
    const spotCheckRate = rateOf(arrival)
    if (spotCheckRate === null) return []
    const isLabelled = labelThatCounts(spotCheck, times) !== null
    const isActed = spotCheck.decision?.kind === 'act'
    return [{ arrival, outcome: spotCheckOutcome(spotCheck, times), spotCheckRate, isLabelled, isActed, arrivedAt }]
  })
}

function labelledOf(spotChecks: readonly ReportedSpotCheck[]): number {
  return spotChecks.filter(({ isLabelled }) => isLabelled).length
}

function openOf(spotChecks: readonly ReportedSpotCheck[]): MonitorView['spotChecks']['openSpotChecks'] {
  const times = spotChecks.filter(({ outcome }) => outcome === 'open').map(({ arrivedAt }) => arrivedAt)
  return { count: times.length, oldestAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)) }
}

function rightShare(closed: readonly ReportedSpotCheck[]): MonitorView['spotChecks']['right'] {
  const acted = closed.filter(({ isActed }) => isActed)
  if (acted.length === 0) return null
  const count = acted.filter(({ outcome }) => outcome === 'not-wrong').length
  const of = acted.length
  return { count, of, share: count / of, ...clopperPearsonInterval(count, of, 0.95) }
}

/** Spot checks with a known outcome after an open one. */
function uncountedOf(later: readonly ReportedSpotCheck[]): MonitorView['spotChecks']['uncounted'] {
  const known = later.filter(({ outcome }) => outcome !== 'open')
  return { count: known.length, labelled: labelledOf(known) }
}

interface Following<Point> {
  readonly from: Walk
  readonly point: (state: RiskState, spotCheck: ReportedSpotCheck) => Point
}

interface Followed<Point> {
  readonly walked: Walk
  readonly history: Point[]
  /** The arrival at which these spot checks raised the alarm; null: they did not. */
  readonly alarmAt: number | null
}

/** Observes the spot checks and records at most HISTORY_POINTS points at equal distances, the last spot check among them. */
function follow<Point>(
  { observe }: ArrivalWalk,
  spotChecks: readonly ReportedSpotCheck[],
  { from, point }: Following<Point>,
): Followed<Point> {
  const every = Math.max(1, Math.ceil(spotChecks.length / HISTORY_POINTS))
  const history: Point[] = []
  let walked = from
  let alarmAt: number | null = null
  for (const [index, spotCheck] of spotChecks.entries()) {
    const hadAlarm = walked.state.alarm !== null
    walked = observe(walked, spotCheck)
    if (!hadAlarm && walked.state.alarm !== null) alarmAt = spotCheck.arrival
    if ((spotChecks.length - 1 - index) % every === 0) history.push(point(walked.state, spotCheck))
  }
  return { walked, history, alarmAt }
}

function pointOf(state: RiskState, eta: BoundSettings['eta'], at: Millis): RatePoint {
  const { rate = null, lower = 0, upper = 1 } = bandOf(state, eta) ?? {}
  const { wrong } = state
  return { at, sampled: sampledOf(state), wrong, rate: rate ?? wrong / sampledOf(state), lower, upper }
}

/** Half of eta for each side, so that both bounds hold together with the printed level. The alarm tests one side only. */
function bandOf(state: RiskState, eta: BoundSettings['eta']): MonitorView['spotChecks']['uniform'] {
  const band = rateBounds(state, { eta: eta / 2 })
  // The level is printed, so rounding errors must not show.
  return band && { ...band, level: Number(band.level.toFixed(9)) }
}

function wrongShare(state: RiskState): MonitorView['spotChecks']['wrong'] {
  const found = realisedRate(state)
  return found && { count: found.wrong, of: found.sampled, share: found.rate, ...found.interval }
}

/** Over all spot checks, with every unknown outcome counted as wrong. */
function shareWithOpen(state: RiskState): MonitorView['spotChecks']['upperWithOpen'] {
  const found = realisedRate(state)
  if (found === null) return null
  const { wrong, abandoned, open } = state
  return { count: wrong + abandoned + open, of: found.sampled, share: found.rateAtMost, ...found.interval }
}

function wealthOf(monitor: RiskMonitor, state: RiskState, eta: number) {
  return {
    wealth: finiteWealth(state.largestLogCapital),
    now: finiteWealth(monitor.logCapital(state)),
    alarmAt: 1 / eta,
    counted: questionsOf(state),
    isAlarm: state.alarm !== null,
    eta,
  }
}

function powerOf({ falseAlarm, horizon, delays }: Omit<MonitorPower, 'horizon'> & { readonly horizon: number | null }) {
  return { falseAlarm, horizon, power: delays.map(({ rate, median }) => ({ rate, medianDelay: median })) }
}

/** Without spot checks the rate is unknown and no alarm can be raised. */
const NO_POWER = Object.freeze({ falseAlarm: 0, horizon: null, delays: Object.freeze([]) })

function checkOrder({ spotChecks, since, arrivals }: RiskInput): void {
  let last = since
  for (const { arrival } of spotChecks) {
    if (!(Number.isSafeInteger(arrival) && arrival > last && arrival <= arrivals)) {
      throw new RangeError(
        `riskReport: spotChecks: expected an arrival after ${last} and up to ${arrivals}, got ${arrival}`,
      )
    }
    last = arrival
  }
}
