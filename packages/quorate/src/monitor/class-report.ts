import {
  type Certificate,
  className,
  drawsOf,
  type RiskState,
  rateBounds,
  realisedRate,
  riskMonitor,
  type SpotCheckOutcome,
} from '@quorate/certificate'
import type { ClassView } from '../contract/monitor.ts'
import type { Draw } from '../store/store.ts'
import type { RiskInput } from './risk-report.ts'
import { type DrawnQuestion, labelThatCounts, spotCheckOutcome } from './spot-check-outcome.ts'

/** A class of debates for which a certificate promises a floor. */
export interface PromisedClass {
  readonly name: string
  /** Of the debates that it acts on, this share is right at least. */
  readonly floor: number
  readonly kinds: ReadonlySet<number>
  /** Of a certificate that keeps its promise in each group; null: of all questions. */
  readonly group: string | null
}

/** None where the certificate promises no floor. */
export function promisedClasses(certificate: Certificate): readonly PromisedClass[] {
  if (certificate.kind !== 'total') return []
  const { floor } = certificate.promise
  if (floor === null) return []
  return [...certificate.outcomes].flatMap(([group, { classes }]) =>
    classes
      .filter(({ state }) => state === 'acts')
      .map((count) => ({
        name: `${certificate.groupConditional ? `${group}: ` : ''}${className(count)}`,
        floor,
        kinds: new Set<number>(count.kinds),
        group: certificate.groupConditional ? group : null,
      })),
  )
}

/** A draw with what its class follows from. */
export type ClassedDraw = DrawnQuestion & {
  readonly decision: (DrawnQuestion['decision'] & Pick<NonNullable<Draw['decision']>, 'debateKind' | 'group'>) | null
}

export interface ClassInput extends Pick<RiskInput, 'eta' | 'now' | 'undoMs'> {
  readonly classes: readonly PromisedClass[]
  /** In order of arrival. */
  readonly draws: readonly ClassedDraw[]
}

export type ClassReport = ClassView & {
  /** Acted draws of the class at which the evidence reached its threshold; null: it did not. */
  readonly at: number | null
}

/**
 * For each class the share right among spot checks that were acted on, and a test of "at least `floor` are right" that may be
 * looked at after every one of them. Whether a question is drawn does not depend on its answer, so each acted draw of a class
 * is wrong with probability at most 1 - floor under that hypothesis, whatever came before: this is the monitor of the total
 * with every acted draw as a question that was drawn for certain. eta is divided among the classes.
 *
 * Draws are read up to the first one that is still being debated. Its class is not known, and to leave it out would count a
 * later one in its place.
 */
export function classReport({ classes, draws, eta, now, undoMs }: ClassInput): readonly ClassReport[] {
  const times = { now, undoMs }
  const undecided = draws.findIndex((draw) => draw.decision === null && spotCheckOutcome(draw, times) === 'open')
  const decided = undecided < 0 ? draws : draws.slice(0, undecided)
  const share = eta / classes.length
  return classes.map((each) => {
    const own = decided.filter((draw) => isOf(each, draw))
    const outcomes = own.map((draw) => spotCheckOutcome(draw, times))
    const monitor = riskMonitor({ beta: 1 - each.floor, eta: share })
    const firstOpen = outcomes.indexOf('open')
    const settled = outcomes.slice(0, firstOpen < 0 ? outcomes.length : firstOpen).reduce(observed, monitor.start)
    const latest = outcomes.slice(drawsOf(settled)).reduce(observed, settled)
    function observed(state: RiskState, outcome: SpotCheckOutcome): RiskState {
      return monitor.observe(state, outcome, 1)
    }
    const found = realisedRate(settled)
    const bounds = rateBounds(settled, { eta: share / 2 })
    return {
      name: each.name,
      floor: each.floor,
      drawn: own.length,
      labelled: own.filter((draw) => labelThatCounts(draw, times) !== null).length,
      right: found && {
        count: found.draws - found.wrong,
        of: found.draws,
        share: 1 - found.rate,
        lower: 1 - found.interval.upper,
        upper: 1 - found.interval.lower,
      },
      // It is printed: no digits of rounding.
      uniform: bounds && {
        lower: 1 - bounds.upper,
        upper: 1 - bounds.lower,
        level: Number(bounds.level.toFixed(9)),
      },
      alarm: {
        wealth: Math.min(MOST_WEALTH, Math.exp(latest.largestLogCapital)),
        alarmAt: 1 / share,
        counted: own.length,
        isAlarm: latest.alarm !== null,
      },
      at: latest.alarm?.draws ?? null,
    }
  })
}

/** A wealth that proves everything; JSON has no infinity. */
const MOST_WEALTH = 1e12

function isOf({ kinds, group }: PromisedClass, { decision }: ClassedDraw): boolean {
  if (decision?.kind !== 'act' || decision.debateKind === null || !kinds.has(decision.debateKind)) return false
  return group === null || group === (decision.group ?? '')
}
