import { type AlphaRule, betaFor, type ResolvedBudget } from '../budget.ts'
import { type CurveFits, estimate, interval } from './curve-fits.ts'
import type { LabelFloor } from './label-floor.ts'
import type { SizeTrials } from './learning-curve.ts'
import type { Estimate, LabelsOutlook, LastDoubling } from './plan.ts'
import { labelsFor } from './root-decay.ts'
import { isHalf } from './smallest-beta.ts'
import { spread } from './spread.ts'
import { actOf } from './trial.ts'

export interface OutlookInput {
  readonly n: number
  readonly budget: ResolvedBudget
  readonly rule: AlphaRule
  readonly floor: LabelFloor
  readonly sizes: readonly SizeTrials[]
  readonly fits: CurveFits | null
  readonly scoreChangesAt: number | null
  /** Whether no number of labels is enough if all pilot answers are right. */
  readonly needsWrongAnswers: boolean
}

/** A curve over a factor of four in size is no evidence beyond this many times the available labels. */
const FARTHEST = 20

/** How many labels are missing if this beta is not reached, or why no number is given. */
export function labelsMissing(input: OutlookInput): LabelsOutlook {
  const { n, budget, floor, fits } = input
  if (!budget.feasible) return { kind: 'unreachable', reason: 'no-alpha', limit: null }
  if (floor.alike === null) {
    return { kind: 'unreachable', reason: 'neighbourhoods', limit: exactly(floor.smallestBeta!) }
  }
  // More than a trillion, which is beyond every multiple of the labels.
  if (floor.labels === null) return { kind: 'far', moreThan: FARTHEST * n }
  // A curve of betas with lower floors says nothing about a floor that no score reaches.
  const isCurveUninformative = input.needsWrongAnswers && isOneKind(input)
  return fits === null || isCurveUninformative ? withoutCurve(input, floor.labels) : byCurve(input, floor.labels, fits)
}

/** Whether half of the largest certificates had pilot answers of one kind, all right or all wrong. */
function isOneKind({ sizes }: OutlookInput): boolean {
  const last = sizes.at(-1)
  return last !== undefined && isHalf(last.trials, (trial) => trial.isOneKind)
}

function byCurve(
  { n, budget, rule, sizes, scoreChangesAt }: OutlookInput,
  atLeast: number,
  fits: CurveFits,
): LabelsOutlook {
  const needed = interval(fits, (fit) => labelsFor(fit, budget.alpha))
  const tried = sizes.at(-1)?.labels ?? 0
  const farthest = FARTHEST * n
  const least = Math.max(atLeast, tried + 1)
  const value = Math.max(least, Math.ceil(needed.value))
  const end = scoreChangesAt !== null && tried < scoreChangesAt ? scoreChangesAt : Infinity
  if (value >= end && farthest >= end) return { kind: 'score-changes', at: end }
  if (value === Infinity && end === Infinity) {
    const limit = estimate(fits, (fit) => betaFor(Math.min(1 - 1e-9, fit.limit), budget, rule))
    return { kind: 'unreachable', reason: 'panel', limit }
  }
  if (value > farthest) return { kind: 'far', moreThan: farthest }
  return {
    kind: 'missing',
    needed: value,
    low: Math.max(least, Math.ceil(needed.low)),
    high: needed.high > farthest || needed.high >= end ? null : Math.max(value, Math.ceil(needed.high)),
    least,
    missing: Math.max(0, value - n),
  }
}

function withoutCurve(input: OutlookInput, atLeast: number): LabelsOutlook {
  const { n, sizes, scoreChangesAt } = input
  if (n < atLeast) return { kind: 'too-few-labels' }
  if (isOneKind(input)) return { kind: 'one-kind' }
  // There are sizes on both sides of the change, and those before it belong to another curve.
  const kinds = new Set(sizes.flatMap(({ trials }) => trials.map(({ hasFullScore }) => hasFullScore)))
  return kinds.size > 1 && scoreChangesAt !== null
    ? { kind: 'score-changes', at: scoreChangesAt }
    : { kind: 'no-curve' }
}

/** The effect of the last doubling of the labels; null without a trial on half of the training half. */
export function lastDoubling(sizes: readonly SizeTrials[]): LastDoubling | null {
  const last = sizes.at(-1)
  const half = sizes.find(({ labels }) => last && Math.abs(2 * labels - last.labels) <= 1)
  if (!last || !half) return null
  const act = spread(
    last.trials.map((trial, split) => {
      const before = actOf(half.trials[split]!)
      const after = actOf(trial)
      return before === null || after === null ? null : after - before
    }),
  )
  return act && { from: half.labels, to: last.labels, act }
}

function exactly(value: number): Estimate {
  return { value, low: value, high: value }
}
