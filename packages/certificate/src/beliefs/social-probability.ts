import { CertificateError, quoted } from '../certificate-error.ts'
import type { RoundRecord } from './debate.ts'
import { twelveDecimals } from './twelve-decimals.ts'

/**
 * Mean of the agents' beliefs, to twelve decimals. An agent that `weights` does not name has weight 1.
 *
 * The same beliefs give the same bits in whatever order the agents stand and whichever agent holds which: each option's
 * beliefs are summed in order of size. Two agents who swap their words must not move the panel's state.
 */
export function socialProbability(round: RoundRecord, weights?: ReadonlyMap<string, number>): Float64Array {
  const agentCount = round.agents.length
  const optionCount = round.beliefs.length / agentCount
  const shares = agentWeights(round.agents, weights)
  const total = sumBySize(shares.slice())
  const terms = new Float64Array(agentCount)
  return Float64Array.from({ length: optionCount }, (_, option) => {
    for (let agent = 0; agent < agentCount; agent++) {
      terms[agent] = shares[agent]! * round.beliefs[agent * optionCount + option]!
    }
    return twelveDecimals(sumBySize(terms) / total)
  })
}

/** Relative to the largest, which is then 1: no sum of them overflows and the total is never lost below it. */
function agentWeights(agents: readonly string[], weights: ReadonlyMap<string, number> | undefined): Float64Array {
  const shares = Float64Array.from(agents, (agent) => {
    const weight = weights?.get(agent) ?? 1
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

/** Sorts its argument in place. */
function sumBySize(terms: Float64Array): number {
  return terms.sort().reduce((sum, term) => sum + term, 0)
}
