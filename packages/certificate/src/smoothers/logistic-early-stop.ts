import { lbfgs } from './lbfgs.ts'
import { type LogisticInput, logisticLoss } from './logistic-loss.ts'
import type { LogisticFit } from './logistic-regression.ts'

/** The regression of `fitLogistic` with C = 1, stopped where scikit-learn's default solver stops; see `lbfgs`. */
export function fitLogisticEarly(input: LogisticInput): Omit<LogisticFit, 'iterations'> {
  const loss = logisticLoss('fitLogisticEarly', input, 1)
  const found = lbfgs(loss.value, loss.size)
  return { intercept: found.at(-1)!, weights: found.slice(0, input.columns) }
}
