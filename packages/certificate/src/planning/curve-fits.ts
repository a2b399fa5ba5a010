import { type Random, seededRandom } from '../random.ts'
import { normalQuantile } from '../special/normal-quantile.ts'
import { type CurveSize, sizesOfSameScore } from './learning-curve.ts'
import type { Estimate } from './plan.ts'
import { type DecayPoint, fitRootDecay, type RootDecay } from './root-decay.ts'
import { drawnAlpha } from './smallest-beta.ts'
import { deviation, quantile } from './spread.ts'

/** The curve of the smallest alpha, and refits of it for other halves and another file. */
export interface CurveFits {
  readonly fit: RootDecay
  /** Null where a resample of splits has no curve. */
  readonly refits: readonly (RootDecay | null)[]
}

const FEWEST_POINTS = 3
const REFITS = 400

/**
 * Fits a curve; null if fewer than three sizes have a point, since a curve fits any two points. A refit resamples the
 * splits with replacement and shifts all points by one error of the file. The mean over splits of one file does not
 * show that error, but each split alone does: a random half varies about its file as much as the file varies about the
 * truth (half-sample replication, McCarthy 1969).
 */
export function fitCurve(curve: readonly CurveSize[], seed: number): CurveFits | null {
  const sizes = sizesOfSameScore(curve).filter(({ reach }) => reach.beta !== null)
  if (sizes.length < FEWEST_POINTS) return null
  const splits = sizes[0]!.reach.alone.map((_, split) => split)
  const random = seededRandom(seed)
  const ofFile = deviation(sizes.at(-1)!.reach.aloneAlpha.filter((own) => own !== null))
  const refits = Array.from({ length: REFITS }, () => {
    const drawn = splits.map(() => Math.floor(random() * splits.length))
    const shift = ofFile * student(random, splits.length - 1)
    return refitted(sizes, splits, { drawn, shift })
  })
  return { fit: fitRootDecay(sizes.map(({ labels, reach }) => ({ labels, value: alphaOf(reach) }))), refits }
}

/** A figure of the curve with the 10 % and 90 % points of its refits. A refit without a curve counts as infinite. */
export function interval({ fit, refits }: CurveFits, figure: (fit: RootDecay) => number) {
  const value = figure(fit)
  const sorted = refits.map((refit) => (refit === null ? Infinity : figure(refit))).sort((a, b) => a - b)
  return { value, low: Math.min(value, quantile(sorted, 0.1)), high: Math.max(value, quantile(sorted, 0.9)) }
}

/** The same, as part of a plan. */
export function estimate(fits: CurveFits, figure: (fit: RootDecay) => number): Estimate {
  const { value, low, high } = interval(fits, figure)
  return { value, low, high: high === Infinity ? null : high }
}

/** Refits the curve to its points, each shifted by the difference between the resample and all splits. */
function refitted(
  sizes: readonly CurveSize[],
  splits: readonly number[],
  { drawn, shift }: { readonly drawn: readonly number[]; readonly shift: number },
): RootDecay | null {
  const points = sizes.flatMap(({ labels, reach }): DecayPoint[] => {
    const now = drawnAlpha(reach, drawn)
    const before = drawnAlpha(reach, splits)
    return now === null || before === null ? [] : [{ labels, value: alphaOf(reach) + now - before + shift }]
  })
  return points.length < FEWEST_POINTS ? null : fitRootDecay(points)
}

function alphaOf({ alpha }: CurveSize['reach']): number {
  return alpha! // never null: sizes without a beta have no point
}

/** A draw from Student's t distribution, whose tails make up for the poor estimate of spread from few splits. */
function student(random: Random, freedom: number): number {
  let squares = 0
  for (let at = 0; at < freedom; at++) squares += normal(random) ** 2
  return normal(random) / Math.sqrt(squares / freedom)
}

function normal(random: Random): number {
  return normalQuantile(random() + 2 ** -33) // never 0 nor 1
}
