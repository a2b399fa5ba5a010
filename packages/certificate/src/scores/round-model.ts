import { type BoostedTreesFile, fitBoostedTrees, predictTrees } from '../smoothers/boosted-trees.ts'
import { fitLogistic } from '../smoothers/logistic-regression.ts'
import { standardise } from '../smoothers/standardise.ts'

/** An estimate of P(right) from the features of one round. It contains only JSON values. */
export type RoundModel =
  /** Labels of one class determine only their rate. */
  | { readonly kind: 'constant'; readonly probability: number }
  | {
      readonly kind: 'logistic'
      readonly means: readonly number[]
      readonly scales: readonly number[]
      readonly weights: readonly number[]
      readonly intercept: number
    }
  | ({ readonly kind: 'trees' } & BoostedTreesFile)

/** Rows of features, row-major, with a label each. */
export interface LabelledFeatures {
  readonly values: Float64Array
  readonly columns: number
  readonly right: Uint8Array
}

export interface LogisticMethod {
  readonly kind: 'logistic'
  /** C of the L2 penalty. A smaller value is a stronger penalty. */
  readonly penalty: number
}

export interface TreesMethod {
  readonly kind: 'trees'
}

const BOOSTING = Object.freeze({ trees: 60, learningRate: 0.08, maximumLeaves: 6, minimumLeafRows: 15, l2: 2 })

export function fitRoundModel(method: LogisticMethod | TreesMethod, rows: LabelledFeatures): RoundModel {
  const { values, columns, right } = rows
  let successes = 0
  for (const label of right) successes += label
  if (successes === 0 || successes === right.length) {
    return { kind: 'constant', probability: successes === 0 ? LEAST : MOST_OF_ONE_CLASS }
  }
  if (method.kind === 'trees') return { kind: 'trees', ...fitBoostedTrees(values, columns, right, BOOSTING).toJSON() }
  const counts = new Uint8Array(right.length).fill(1)
  const standardised = standardise(values, columns, counts)
  const { intercept, weights } = fitLogistic(
    { rows: standardised.rows, columns, successes: right, counts },
    method.penalty,
  )
  return {
    kind: 'logistic',
    means: [...standardised.means],
    scales: [...standardised.scales],
    weights: [...weights],
    intercept,
  }
}

/** Labels of one class give an estimate that is no closer to certainty than this. */
const LEAST = 0.02
/** The estimate if all labels are right. */
export const MOST_OF_ONE_CLASS = 1 - LEAST

/** P(right) at the row that begins at `offset`. */
export function predictRound(model: RoundModel, values: Float64Array, offset: number): number {
  if (model.kind === 'constant') return model.probability
  if (model.kind === 'trees') return predictTrees(model, values, offset)
  const { means, scales, weights } = model
  let logOdds = model.intercept
  for (let column = 0; column < weights.length; column++) {
    logOdds += (weights[column]! * (values[offset + column]! - means[column]!)) / scales[column]!
  }
  return 1 / (1 + Math.exp(-logOdds))
}
