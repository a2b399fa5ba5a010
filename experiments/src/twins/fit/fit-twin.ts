import { seededRandom } from '@quorate/certificate'
import { confidentAccuracy, lastErrors, measureAggregates, pairSharesOf } from '../aggregates.ts'
import { drawSpoken } from '../draw-debates.ts'
import type { TwinParameters } from '../latent-model.ts'
import { type Aggregates, TARGETS, type TwinName, type TwinTarget } from '../targets.ts'
import { type Fit, leastSquares, type Residuals, sumOfSquares } from './least-squares.ts'
import { roundsOfSpoken } from './rounds-of-spoken.ts'
import {
  MIDDLE,
  offsetCount,
  parametersAt,
  pointOf,
  preferredAt,
  SHARED_COORDINATES,
  type SharedTraits,
} from './search-space.ts'

/** The effort of a fit. Every stage simulates the same questions at every point (common random numbers). */
export interface FitEffort {
  readonly seed: number
  /**
   * Number of random points. The best `starts` of them are refined together with the stored one, and the best refined
   * one is polished.
   */
  readonly tries: number
  readonly starts: number
  readonly searchCount: number
  readonly refineCount: number
  readonly polishCount: number
}

export const FIT_EFFORT: FitEffort = Object.freeze({
  seed: 1,
  tries: 200,
  starts: 1,
  searchCount: 600,
  refineCount: 2500,
  polishCount: 8000,
})

export interface FitStart extends SharedTraits {
  /** Where the search begins, in addition to random points. */
  readonly stored: TwinParameters
}

/** Finds parameters whose simulated aggregates match the published ones. No policy and no certificate is run. */
export function fitTwin(
  name: TwinName,
  { stored, ...traits }: FitStart,
  effort: FitEffort = FIT_EFFORT,
): { parameters: TwinParameters; loss: number } {
  const target = TARGETS[name]
  const residuals = (count: number): Residuals => {
    return (point) =>
      residualsAt(name, parametersAt(point, target, traits), { seed: effort.seed, count }).concat(ridge(point))
  }
  const starts = bestStarts(residuals(effort.searchCount), target, effort)
  const [refined] = [pointOf(stored), ...starts]
    .map((start) => leastSquares(residuals(effort.refineCount), start, { iterations: 7, difference: 0.04 }))
    .toSorted(byLoss)
  const polish = { iterations: 2, difference: 0.03 }
  const { point, loss } = leastSquares(residuals(effort.polishCount), refined!.point, polish)
  return { parameters: parametersAt(point, target, traits), loss }
}

/**
 * Differences that give a residual of 1: half a point of a share, a tenth of a round, two points of a subgroup's error
 * or of a share of pairs.
 */
const TOLERANCE = { share: 0.005, round: 0.1, groupError: 0.02, pairs: 0.02 }

function residualsAt(name: TwinName, parameters: TwinParameters, size: { seed: number; count: number }): number[] {
  const { aggregates, subgroups, confident, pairs } = TARGETS[name]
  const debates = roundsOfSpoken(drawSpoken(name, parameters, size))
  const measured = measureAggregates(debates)
  const errors = lastErrors(debates)
  // as: the keys of an object built with exactly this type.
  const overall = (Object.keys(aggregates) as (keyof Aggregates)[]).map((key) => {
    return (measured[key] - aggregates[key]) / (key === 'unanimousRound' ? TOLERANCE.round : TOLERANCE.share)
  })
  const groups = subgroups.flatMap(({ name: group, lastError }) =>
    lastError === null ? [] : [((errors.get(group) ?? lastError) - lastError) / TOLERANCE.groupError],
  )
  const sure = confident ? [(confidentAccuracy(debates, confident) - confident.accuracy) / TOLERANCE.share] : []
  const found = pairs ? pairSharesOf(debates, pairs) : []
  const crowding = found.map((share, bin) => (share - pairs!.shares[bin]!) / TOLERANCE.pairs)
  return [...overall, ...groups, ...sure, ...crowding]
}

const RIDGE = 2

/**
 * There are more parameters than targets, so among points that fit equally well this prefers the one nearest to the
 * preferred point.
 */
function ridge(point: readonly number[]): number[] {
  return point.map((coordinate, place) => RIDGE * (coordinate - preferredAt(place)))
}

function bestStarts(residuals: Residuals, target: TwinTarget, { seed, tries, starts }: FitEffort) {
  const random = seededRandom(seed)
  const offsets: number[] = new Array(offsetCount(target)).fill(MIDDLE)
  return Array.from({ length: tries }, (): Fit => {
    const point = [...Array.from({ length: SHARED_COORDINATES }, random), ...offsets]
    return { point, loss: sumOfSquares(residuals(point)) }
  })
    .filter(({ loss }) => !Number.isNaN(loss))
    .toSorted(byLoss)
    .slice(0, starts)
    .map(({ point }) => point)
}

function byLoss(left: Fit, right: Fit): number {
  return left.loss - right.loss
}
