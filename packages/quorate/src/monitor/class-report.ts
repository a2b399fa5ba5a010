import {
  type Certificate,
  className,
  groupPrefix,
  type RiskState,
  rateBounds,
  realisedRate,
  riskMonitor,
} from '@quorate/certificate'
import type { ClassView } from '../contract/monitor.ts'
import type { SpotCheck } from '../store/store.ts'
import { finiteWealth, type RiskInput } from './risk-report.ts'
import { labelThatCounts, type SampledQuestion, spotCheckOutcome } from './spot-check-outcome.ts'

/** A class of debates for which a certificate promises a floor. */
export interface PromisedClass {
  readonly name: string
  /** At least this share of the debates that it acts on is right. */
  readonly floor: number
  readonly kinds: ReadonlySet<number>
  /** The group, if the certificate keeps its promise in each group ('' without one); null: all questions. */
  readonly group: string | null
}

/**
 * Empty if the certificate promises no floor, or if a model graded: then the floor is about grades, but people label spot
 * checks.
 */
export function promisedClasses(certificate: Certificate): readonly PromisedClass[] {
  if (certificate.kind !== 'total') return []
  const { floor, isJudged } = certificate.promise
  if (floor === null || isJudged) return []
  return [...certificate.outcomes].flatMap(([group, { classes }]) =>
    classes
      .filter(({ state }) => state === 'acts')
      .map((count) => ({
        name: `${groupPrefix(group)}${className(count)}`,
        floor,
        kinds: new Set<number>(count.kinds),
        group,
      })),
  )
}

/** A spot check with the fields that determine its class. */
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
   * Number of labelled spot checks of the class after which the evidence reached its threshold; null: it did not. Everybody may
   * read it, so it excludes spot checks without a label: their number would reveal which questions are spot checks.
   */
  readonly at: number | null
}

/**
 * For each class, the share right among spot checks that were acted on, and a test of "at least `floor` are right" that stays
 * valid when it is checked after each of them. Sampling does not depend on the answer. Under that hypothesis each acted spot
 * check of a class is therefore wrong with probability at most 1 - floor, whatever came before. So the test is the monitor of
 * the total, with every acted spot check as a question that was sampled with probability 1. eta is divided among the classes.
 *
 * The class of a spot check that is still being debated is unknown. The figures end before it, because leaving it out would
 * count a later one in its place. For the alarm it counts as right in every class, which can only delay the alarm. If the alarm
 * waited for it instead, a caller could postpone the alarm by leaving debates open.
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
      // A spot check that nobody could judge is not known to be right.
      right: found && {
        count: settled.notWrong,
        of: found.sampled,
        share: settled.notWrong / found.sampled,
        lower: 1 - found.interval.upper,
        upper: 1 - found.interval.lower,
      },
      // The bounds of each class fail with probability at most `share`, so all of them hold together with 1 - eta. It is
      // printed, so rounding errors must not show.
      uniform: bounds && { lower: 1 - bounds.upper, upper: 1 - bounds.lower, level: Number((1 - eta).toFixed(9)) },
      alarm: {
        wealth: finiteWealth(latest.largestLogCapital),
        alarmAt: 1 / share,
        counted: own.length,
        isAlarm: latest.alarm !== null,
      },
      at: latest.alarm && counted.slice(0, latest.alarm.sampled).filter(({ outcome }) => outcome !== 'open').length,
    }
  })
}

/** The items before the first one that is the end. */
function upTo<Item>(items: readonly Item[], isEnd: (item: Item) => boolean): readonly Item[] {
  const end = items.findIndex(isEnd)
  return end < 0 ? items : items.slice(0, end)
}

function isOf({ kinds, group }: PromisedClass, { decision }: ClassedSpotCheck): boolean {
  if (decision?.kind !== 'act' || decision.debateKind === null || !kinds.has(decision.debateKind)) return false
  return group === null || group === (decision.group ?? '')
}
