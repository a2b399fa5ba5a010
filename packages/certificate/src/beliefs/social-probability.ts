import { CertificateError, quoted } from '../certificate-error.ts'
import type { RoundRecord } from './debate.ts'
import { twelveDecimals } from './twelve-decimals.ts'

/**
 * Weighted mean of the agents' beliefs, to twelve decimals. An agent that `weights` does not name has weight 1.
 *
 * The terms of each option are summed in order of size, so the order of the agents never changes a bit. With equal
 * weights it does not matter either which agent has which belief: two agents who swap their beliefs must not change the
 * panel's state.
 */
export function socialProbability(round: RoundRecord, weights?: ReadonlyMap<string, number>): Float64Array {
  const agentCount = round.agents.length
  const optionCount = round.beliefs.length / agentCount
  // Without weights every factor is 1, so skipping the multiplications gives the same bits.
  const shares = weights === undefined ? null : agentWeights(round.agents, weights)
  const total = shares === null ? agentCount : sumBySize(shares.slice())
  const terms = new Float64Array(agentCount)
  const social = new Float64Array(optionCount)
  for (let option = 0; option < optionCount; option++) {
    for (let agent = 0; agent < agentCount; agent++) {
      const belief = round.beliefs[agent * optionCount + option]!
      terms[agent] = shares === null ? belief : shares[agent]! * belief
    }
    social[option] = twelveDecimals(sumBySize(terms) / total)
  }
  return social
}

/** Weights relative to the largest, which becomes 1. No sum of them overflows, and the total does not underflow. */
function agentWeights(agents: readonly string[], weights: ReadonlyMap<string, number>): Float64Array {
  const shares = Float64Array.from(agents, (agent) => {
    const weight = weights.get(agent) ?? 1
    if (!(weight >= 0 && weight < Infinity)) {
      throw new CertificateError(
        'socialProbability',
        `weights[${quoted(agent)}]`,
        'a finite number of at least 0',
        weight,
      )
    }
    return weight
  })
  const largest = shares.reduce((most, share) => Math.max(most, share), 0)
  if (!(largest > 0)) {
    throw new CertificateError('socialProbability', 'weights', 'above 0 for at least one agent of the round', weights)
  }
  return shares.map((share) => share / largest)
}

/** Up to this many terms, insertion sort is faster. */
const FEW = 16

/** Sorts its argument in place. */
function sumBySize(terms: Float64Array): number {
  if (terms.length > FEW) terms.sort()
  else insertionSort(terms)
  let sum = 0
  for (let at = 0; at < terms.length; at++) sum += terms[at]!
  return sum
}

function insertionSort(terms: Float64Array): void {
  for (let next = 1; next < terms.length; next++) {
    const term = terms[next]!
    let at = next - 1
    for (; at >= 0 && terms[at]! > term; at--) terms[at + 1] = terms[at]!
    terms[at + 1] = term
  }
}
