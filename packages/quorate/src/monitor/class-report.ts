import {
  type Certificate,
  className,
  type RiskState,
  rateBounds,
  realisedRate,
  riskMonitor,
} from '@quorate/certificate'
import type { ClassView } from '../contract/monitor.ts'
import type { SpotCheck } from '../store/store.ts'
import type { RiskInput } from './risk-report.ts'
import { labelThatCounts, type SampledQuestion, spotCheckOutcome } from './spot-check-outcome.ts'

/** A class of debates for which a certificate promises a floor. */
export interface PromisedClass {
  readonly name: string
  /** Of the debates that it acts on, this share is right at least. */
  readonly floor: number
  readonly kinds: ReadonlySet<number>
  /** Of a certificate that keeps its promise in each group; null: of all questions. */
  readonly group: string | null
}

/** None where the certificate promises no floor, and where a model graded: its floor is about grades, and people label spot checks. */
export function promisedClasses(certificate: Certificate): readonly PromisedClass[] {
  if (certificate.kind !== 'total') return []
  const { floor, isJudged } = certificate.promise
  if (floor === null || isJudged) return []
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

/** A spot check with what its class follows from. */
export type ClassedSpotCheck = SampledQuestion & {
  readonly decision:
    | (SampledQuestion['decision'] & Pick<NonNullable<SpotCheck['decision']>, 'debateKind' | 'group'>)
    | null
}

export interface ClassInput extends Pick<RiskInput, 'eta' | 'now' | 'undoMs'> {
  readonly classes: readonly PromisedClass[]
  /** In order of arrival. */
  readonly spotChecks: readonly ClassedSpotCheck[]
}

export type ClassReport = ClassView & {
  /**
   * Labelled spot checks of the class after which the evidence reached its threshold; null: it did not. Everybody reads it, so that
   * spot checks without a label are not counted: their number would reveal that they are spot checks.
   */
  readonly at: number | null
}

/**
 * For each class the share right among spot checks that were acted on, and a test of "at least `floor` are right" that may be
 * looked at after every one of them. Whether a question is sampled does not depend on its answer, so each acted spot check of a class
 * is wrong with probability at most 1 - floor under that hypothesis, whatever came before: this is the monitor of the total
 * with every acted spot check as a question that was sampled for certain. eta is divided among the classes.
 *
 * The class of a spot check that is still being debated is not known. The figures end before it: to leave it out would count a
 * later one in its place. For the alarm it counts as right in every class. That can only delay the alarm, while waiting
 * for it would let a caller who leaves debates open put the alarm off.
 */
export function classReport({ classes, spotChecks, eta, now, undoMs }: ClassInput): readonly ClassReport[] {
  const times = { now, undoMs }
  const read = spotChecks.map((spotCheck) => ({ spotCheck, outcome: spotCheckOutcome(spotCheck, times) }))
  const isUndecided = ({ spotCheck, outcome }: (typeof read)[number]) =>
    spotCheck.decision === null && outcome === 'open'
  const share = eta / classes.length
  return classes.map((each) => {
    const counted = read.filter((one) => isUndecided(one) || isOf(each, one.spotCheck))
    const own = counted.filter((one) => !isUndecided(one))
    const monitor = riskMonitor({ beta: 1 - each.floor, eta: share })
    function observed(state: RiskState, { outcome }: (typeof read)[number]): RiskState {
      return monitor.observe(state, outcome, 1)
    }
    const closed = upTo(counted, ({ outcome }) => outcome === 'open')
    const settled = closed.reduce(observed, monitor.start)
    const latest = counted.slice(closed.length).reduce(observed, settled)
    const found = realisedRate(settled)
    const bounds = rateBounds(settled, { eta: share / 2 })
    return {
      name: each.name,
      floor: each.floor,
      sampled: own.length,
      labelled: own.filter(({ spotCheck }) => labelThatCounts(spotCheck, times) !== null).length,
      // What nobody can tell is not known to be right.
      right: found && {
        count: settled.notWrong,
        of: found.sampled,
        share: settled.notWrong / found.sampled,
        lower: 1 - found.interval.upper,
        upper: 1 - found.interval.lower,
      },
      // Each class fails with probability at most `share`, so all of them together hold with 1 - eta. No digits of rounding.
      uniform: bounds && { lower: 1 - bounds.upper, upper: 1 - bounds.lower, level: Number((1 - eta).toFixed(9)) },
      alarm: {
        wealth: Math.min(MOST_WEALTH, Math.exp(latest.largestLogCapital)),
        alarmAt: 1 / share,
        counted: own.length,
        isAlarm: latest.alarm !== null,
      },
      at: latest.alarm && counted.slice(0, latest.alarm.sampled).filter(({ outcome }) => outcome !== 'open').length,
    }
  })
}

/** Those before the first for which it holds. */
function upTo<Item>(items: readonly Item[], isEnd: (item: Item) => boolean): readonly Item[] {
  const end = items.findIndex(isEnd)
  return end < 0 ? items : items.slice(0, end)
}

/** A wealth that proves everything; JSON has no infinity. */
const MOST_WEALTH = 1e12

function isOf({ kinds, group }: PromisedClass, { decision }: ClassedSpotCheck): boolean {
  if (decision?.kind !== 'act' || decision.debateKind === null || !kinds.has(decision.debateKind)) return false
  return group === null || group === (decision.group ?? '')
}
