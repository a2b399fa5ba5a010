import { lbfgs } from './lbfgs.js'
import { logisticLoss } from './logistic-loss.js'
/** The regression of `fitLogistic` with C = 1, stopped where scikit-learn's default solver stops; see `lbfgs`. */
export function fitLogisticEarly(input) {
  const loss = logisticLoss('fitLogisticEarly', input, 1)
  const found = lbfgs(loss.value, loss.size)
  return { intercept: found.at(-1), weights: found.slice(0, input.columns) }
}
