import {
  type BoundSettings,
  drawsOf,
  type MonitorPower,
  monitorPower,
  type RiskMonitor,
  type RiskState,
  rateBounds,
  realisedRate,
  riskMonitor,
  type SpotCheckOutcome,
} from '@quorate/certificate'
import type { MonitorView } from '../contract/monitor.ts'
import { type DrawnQuestion, spotCheckOutcome } from './spot-check-outcome.ts'

export interface RiskInput {
  readonly beta: number
  /** Probability of a draw, the same for all questions since the start; 0: nothing is drawn. */
  readonly spotCheckRate: number
  readonly eta: number
  /** Of arrivals after `since`, in that order. */
  readonly draws: readonly DrawnQuestion[]
  /** The last arrival before the monitor began anew. */
  readonly since: number
  /** The last arrival. */
  readonly arrivals: number
}

/** Whether the wrong-action rate is within the budget, as far as spot checks can say. */
export interface RiskReport {
  readonly spotChecks: MonitorView['spotChecks'] & {
    /** Acted on, and whoever looked could not tell or called the question bad: wrong at the upper ends. */
    readonly undecidable: number
    /** Acted on without a label, or not decided yet. */
    readonly open: number
    /** Questions up to the oldest open draw, which the rate and its bounds are about. */
    readonly settled: number
  }
  readonly alarm: MonitorView['alarm'] & {
    /** `wealth` is the largest since the start, so that 1 / wealth is a p-value at every moment; this is the last. */
    readonly now: number
    /** Where it reached the line; null: it did not. */
    readonly at: { readonly arrival: number; readonly draws: number } | null
    /** Questions that `falseAlarm` and the delays were followed for. */
    readonly horizon: number | null
  }
}

/** Chance that a monitor raises an alarm for nothing, unless told otherwise. */
export const USUAL_ETA = 0.05
/** A wealth that proves everything; JSON has no infinity. */
const MOST_WEALTH = 1e12
const HISTORY_POINTS = 100

/**
 * Rate, interval and bounds are about all questions before the oldest open draw. The alarm looks at later draws too,
 * with open ones as not wrong: that can only delay it, while waiting for one label could put it off for ever. `power`: of
 * the same settings, for who has it already.
 */
export function riskReport(input: RiskInput, power?: MonitorPower): RiskReport {
  const { beta, spotCheckRate, eta, since, arrivals } = input
  checkOrder(input)
  if (spotCheckRate === 0) return unwatched(input)
  const settings = { beta, spotCheckRate, eta }
  const monitor = riskMonitor(settings)
  const outcomes = input.draws.map((draw) => ({ outcome: spotCheckOutcome(draw), at: draw.arrival - since }))
  const firstOpen = outcomes.findIndex(({ outcome }) => outcome === 'open')
  const closed = firstOpen < 0 ? outcomes : outcomes.slice(0, firstOpen)
  const { state: counted, history } = follow(monitor, closed, (state) => historyPoint(state, settings))
  const settledTo = (outcomes[firstOpen]?.at ?? arrivals - since + 1) - 1
  const settled = upTo(monitor, counted, settledTo)
  const { state } = follow(monitor, outcomes.slice(closed.length), () => null, settled)
  const latest = upTo(monitor, state, arrivals - since)
  const bounds = rateBounds(settled, settings)
  return {
    spotChecks: {
      rate: spotCheckRate,
      ...{ drawn: drawsOf(latest), labelled: input.draws.filter(({ label }) => label !== null).length },
      ...{ undecidable: latest.undecidable, open: latest.open, settled: settled.questions },
      wrong: wrongShare(settled),
      uniform: bounds && { ...bounds, level: 1 - eta },
      history,
    },
    alarm: { ...wealthOf(monitor, latest, input), ...powerOf(power ?? monitorPower(settings)) },
  }
}

type Outcomes = readonly { readonly outcome: SpotCheckOutcome; readonly at: number }[]

/** Along the draws, with at most so many points on the way, the last draw among them. */
function follow<Point>(
  monitor: RiskMonitor,
  outcomes: Outcomes,
  point: (state: RiskState) => Point,
  from = monitor.start,
): { readonly state: RiskState; readonly history: Point[] } {
  const every = Math.max(1, Math.ceil(outcomes.length / HISTORY_POINTS))
  const history: Point[] = []
  let state = from
  for (const [index, { outcome, at }] of outcomes.entries()) {
    state = monitor.observe(state, outcome, at - 1 - state.questions)
    if ((outcomes.length - 1 - index) % every === 0) history.push(point(state))
  }
  return { state, history }
}

function upTo(monitor: RiskMonitor, state: RiskState, questions: number): RiskState {
  return monitor.pass(state, questions - state.questions)
}

function historyPoint(state: RiskState, settings: BoundSettings) {
  const bounds = rateBounds(state, settings)
  return {
    drawn: drawsOf(state),
    rate: state.wrong / drawsOf(state),
    lower: bounds?.lower ?? 0,
    upper: bounds?.upper ?? 1,
  }
}

function wrongShare(state: RiskState): MonitorView['spotChecks']['wrong'] {
  const found = realisedRate(state)
  return found && { count: found.wrong, of: found.draws, share: found.rate, ...found.interval }
}

function wealthOf(monitor: RiskMonitor, state: RiskState, { eta, since }: RiskInput) {
  const wealth = (log: number) => Math.min(MOST_WEALTH, Math.exp(log))
  return {
    wealth: wealth(state.largestLogCapital),
    now: wealth(monitor.logCapital(state)),
    alarmAt: 1 / eta,
    counted: state.questions,
    isAlarm: state.alarm !== null,
    at: state.alarm && { arrival: since + state.alarm.questions, draws: state.alarm.draws },
    eta,
  }
}

function powerOf({ falseAlarm, horizon, delays }: MonitorPower) {
  return { falseAlarm, horizon, power: delays.map(({ rate, median }) => ({ rate, medianDelay: median })) }
}

/** Without draws nothing can be known of the rate, and no alarm can be raised. */
function unwatched({ eta, since, arrivals }: RiskInput): RiskReport {
  return {
    spotChecks: {
      ...{ rate: 0, drawn: 0, labelled: 0, undecidable: 0, open: 0, settled: 0 },
      ...{ wrong: null, uniform: null, history: [] },
    },
    alarm: {
      ...{ wealth: 1, now: 1, alarmAt: 1 / eta, counted: arrivals - since, isAlarm: false, at: null },
      ...{ eta, falseAlarm: 0, horizon: null, power: [] },
    },
  }
}

function checkOrder({ draws, since, arrivals }: RiskInput): void {
  let last = since
  for (const { arrival } of draws) {
    if (!(Number.isSafeInteger(arrival) && arrival > last && arrival <= arrivals)) {
      throw new RangeError(`riskReport: draws: expected an arrival after ${last} and up to ${arrivals}, got ${arrival}`)
    }
    last = arrival
  }
}
