import { CertificateError } from '../certificate-error.ts'
import { type LogisticInput, logisticLoss } from './logistic-loss.ts'
import { quasiNewton } from './quasi-newton.ts'

export interface LogisticFit {
  readonly intercept: number
  readonly weights: Float64Array
  readonly iterations: number
}

/**
 * Logistic regression with an L2 penalty and a free intercept: minimises
 * 1/2 |w|^2 + penalty sum_i [counts_i log(1 + exp f_i) - successes_i f_i] (scikit-learn's LogisticRegression(C)).
 *
 * The penalty keeps the minimum finite and unique under separation and collinear columns. Steps continue while the
 * gradient still decreases, at least to the larger of 1e-10 and 16 times its rounding error, so the order of the rows
 * affects the result by no more than about 1e-13. Labels of one class are refused, since their intercept would be
 * infinite.
 */
export function fitLogistic(input: LogisticInput, penalty = 1): LogisticFit {
  if (!(penalty > 0 && penalty < Infinity)) {
    throw new CertificateError('fitLogistic', 'penalty', 'greater than 0 and finite', penalty)
  }
  const loss = logisticLoss('fitLogistic', input, penalty)
  const { size } = loss
  const tolerance = Math.max(1e-10, 16 * loss.rounding)
  const descent = quasiNewton(loss)
  const step = new Float64Array(size)
  let [here, there] = [new Float64Array(size), new Float64Array(size)]
  let [slope, slopeThere] = [new Float64Array(size), new Float64Array(size)]
  here[size - 1] = loss.start
  let value = loss.value(here, slope)
  let steepest = largest(slope)
  let renew = true

  for (let iterations = 0; iterations < MAXIMUM_ITERATIONS; iterations++) {
    if (renew && !descent.renew()) break
    step.set(slope)
    descent.step(step)
    let valueThere = Infinity
    for (let share = 1; share > 1e-12; share /= 2) {
      for (let i = 0; i < size; i++) there[i] = here[i]! - share * step[i]!
      valueThere = loss.value(there, slopeThere)
      if (valueThere <= value + 1e-12 * Math.abs(value)) break
    }
    const steepestThere = largest(slopeThere)
    if (!(steepestThere < steepest) && steepest <= tolerance) {
      return { intercept: here[size - 1]!, weights: here.slice(0, input.columns), iterations }
    }
    descent.learn(here, there, slope, slopeThere)
    renew = !(steepestThere < 0.75 * steepest) && steepestThere > loss.rounding
    ;[here, there, slope, slopeThere] = [there, here, slopeThere, slope]
    value = valueThere
    steepest = steepestThere
  }
  throw new CertificateError('fitLogistic', 'rows', 'scaled so that the steps converge', `a gradient of ${steepest}`)
}

/** Ordinary data need 10 to 30. */
const MAXIMUM_ITERATIONS = 1000

function largest(vector: Float64Array): number {
  let size = 0
  for (let i = 0; i < vector.length; i++) size = Math.max(size, Math.abs(vector[i]!))
  return size
}
