import type { Budget } from '@quorate/certificate'

const MOST_DELTA = 0.03
const MOST_EPSILON = 0.02

/** How the demo splits beta: .03 and .02 at .10 and above, in proportion below. */
export function demoBudget(beta: number): Budget {
  return Object.freeze({
    beta,
    delta: Math.min(MOST_DELTA, decimal(0.3 * beta)),
    epsilon: Math.min(MOST_EPSILON, decimal(0.2 * beta)),
  })
}

function decimal(value: number): number {
  return Math.round(value * 1e9) / 1e9
}
