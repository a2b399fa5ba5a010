import { seededRandom } from '../random.ts'
import { alphaCurve, type SplitTrials } from './learning-curve.ts'
import type { Estimate } from './plan.ts'
import { fitRootDecay, type RootDecay } from './root-decay.ts'
import { quantile } from './spread.ts'

/** The curve of the smallest alpha fitted to all splits, and to as many splits drawn again with repetition. */
export interface CurveFits {
  readonly fit: RootDecay
  readonly refits: readonly RootDecay[]
}

const FEWEST_POINTS = 3
const REFITS = 400

/** Null where fewer than three sizes have a point: through two, every curve goes. */
export function fitCurve(splits: readonly SplitTrials[], seed: number): CurveFits | null {
  const points = alphaCurve(splits)
  if (points.length < FEWEST_POINTS) return null
  const random = seededRandom(seed)
  const refits = Array.from({ length: REFITS }, () => {
    const drawn = splits.map(() => splits[Math.floor(random() * splits.length)]!)
    const again = alphaCurve(drawn)
    return again.length < FEWEST_POINTS ? null : fitRootDecay(again)
  })
  return { fit: fitRootDecay(points), refits: refits.filter((refit) => refit !== null) }
}

/** A figure of the curve with the 10 % and 90 % points of its refits. Splits overlap: it is a spread, not a proof. */
export function estimate({ fit, refits }: CurveFits, figure: (fit: RootDecay) => number): Estimate {
  const value = figure(fit)
  const sorted = refits.map(figure).sort((a, b) => a - b)
  return { value, low: Math.min(value, quantile(sorted, 0.1)), high: Math.max(value, quantile(sorted, 0.9)) }
}
