import type { ResolvedBudget } from '../budget.ts'
import { type CurveFits, estimate } from './curve-fits.ts'
import type { LabelFloor } from './label-floor.ts'
import type { SplitTrials } from './learning-curve.ts'
import type { Estimate, LabelsOutlook, LastDoubling } from './plan.ts'
import { labelsFor } from './root-decay.ts'
import { spread } from './spread.ts'
import { actOf } from './trial.ts'

export interface OutlookInput {
  readonly n: number
  /** Labels that are known not to be enough. */
  readonly calibration: number
  readonly budget: ResolvedBudget
  readonly floor: LabelFloor
  readonly fits: CurveFits | null
}

/** A curve over a factor of four is no evidence for more than this many times the labels there are. */
const FARTHEST = 20

/** How many labels are missing where this beta is not reached, or why no number is given. */
export function labelsMissing({ n, calibration, budget, floor, fits }: OutlookInput): LabelsOutlook {
  const { alpha, feasible } = budget
  const reserved = budget.delta + budget.epsilon
  if (!feasible) return { kind: 'unreachable', reason: 'no-alpha', limit: null }
  if (floor.alike === null) {
    return { kind: 'unreachable', reason: 'neighbourhoods', limit: exactly(floor.smallestBeta!) }
  }
  if (fits === null) return { kind: 'too-few-labels' }
  const needed = estimate(fits, (fit) => labelsFor(fit, alpha))
  if (needed.value === Infinity) {
    return { kind: 'unreachable', reason: 'panel', limit: estimate(fits, ({ limit }) => reserved + limit) }
  }
  const farthest = FARTHEST * n
  if (needed.value > farthest) return { kind: 'far', moreThan: farthest }
  const known = Math.max(floor.labels!, calibration + 1)
  const least = Math.max(known, Math.ceil(needed.value))
  return {
    kind: 'missing',
    needed: least,
    low: Math.max(known, Math.ceil(needed.low)),
    high: needed.high > farthest ? null : Math.max(least, Math.ceil(needed.high)),
    missing: Math.max(0, least - n),
  }
}

/** What the last doubling of the labels brought; null without a trial on half of the training half. */
export function lastDoubling(splits: readonly SplitTrials[]): LastDoubling | null {
  const sizes = splits[0]?.map(({ labels }) => labels) ?? []
  const to = sizes.at(-1)
  if (to === undefined) return null
  const half = sizes.findIndex((labels) => Math.abs(2 * labels - to) <= 1)
  if (half === -1) return null
  const act = spread(
    splits.map((trials) => {
      const before = actOf(trials[half]!)
      const after = actOf(trials.at(-1)!)
      return before === null || after === null ? null : after - before
    }),
  )
  return act && { from: sizes[half]!, to, act }
}

function exactly(value: number): Estimate {
  return { value, low: value, high: value }
}
