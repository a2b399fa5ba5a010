import { CertificateError } from '../certificate-error.ts'
import { definedOnly, onlyNames } from '../choice.ts'
import { MOST_LEAVES } from './tree-ensemble.ts'

export interface BoostingOptions {
  /** Share of each tree's step that is taken, in (0, 1]. */
  readonly learningRate: number
  readonly trees: number
  /** Leaves per tree, 2 to 32. */
  readonly maximumLeaves: number
  readonly minimumLeafRows: number
  /** Added to the second derivative of every leaf, at least 0. */
  readonly l2: number
  /** Bins per feature, 2 to 255. */
  readonly maximumBins: number
}

/** Defaults of scikit-learn's HistGradientBoostingClassifier without early stopping. */
export const DEFAULT_BOOSTING: BoostingOptions = Object.freeze({
  learningRate: 0.1,
  trees: 100,
  maximumLeaves: 31,
  minimumLeafRows: 20,
  l2: 0,
  maximumBins: 255,
})

export function resolveBoostingOptions(where: string, overrides: Partial<BoostingOptions>): BoostingOptions {
  onlyNames(where, overrides, Object.keys(DEFAULT_BOOSTING))
  const merged: BoostingOptions = { ...DEFAULT_BOOSTING, ...definedOnly(overrides) }
  const { learningRate, l2 } = merged
  if (!(learningRate > 0 && learningRate <= 1)) {
    throw new CertificateError(where, 'learningRate', 'in (0, 1]', learningRate)
  }
  if (!(l2 >= 0 && l2 < Infinity)) throw new CertificateError(where, 'l2', 'at least 0 and finite', l2)
  checkWhole(where, 'trees', merged.trees, 1, 100_000)
  checkWhole(where, 'maximumLeaves', merged.maximumLeaves, 2, MOST_LEAVES)
  checkWhole(where, 'minimumLeafRows', merged.minimumLeafRows, 1, Number.MAX_SAFE_INTEGER)
  checkWhole(where, 'maximumBins', merged.maximumBins, 2, 255)
  return Object.freeze(merged)
}

function checkWhole(where: string, parameter: string, value: number, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most)) {
    throw new CertificateError(where, parameter, `a whole number in [${least}, ${most}]`, value)
  }
}
