import type { Elicitation } from './debate.ts'
import type { CheckedTurn } from './read-turn.ts'
import { tiedMaxima } from './tied-maxima.ts'

export interface AgentBeliefs {
  /** Probability of each option; sums to 1. */
  readonly beliefs: Float64Array
  /** Index of the option voted for, -1 for an abstention. */
  readonly vote: number
}

/**
 * What an agent believes, by the elicitation asked for or the next one that its turn has: given or samples, then
 * stated, then vote. Without any of them the agent abstains: uniform beliefs and no vote, which is not dissent.
 *
 * The vote is the agent's answer. Where only its beliefs are known it is their one maximum; two equal maxima are no vote.
 */
export function agentBeliefs(turn: CheckedTurn, optionCount: number, elicitation: Elicitation): AgentBeliefs {
  if (elicitation === 'given' && turn.given !== null) return voting(turn, turn.given)
  if (elicitation === 'samples' && turn.sampled !== null) {
    return turn.sampled.some((count) => count > 0) ? voting(turn, frequencies(turn.sampled)) : abstention(optionCount)
  }
  if (turn.answer === null) return abstention(optionCount)
  const stated = elicitation === 'vote' ? 1 : (turn.stated ?? 1)
  return { beliefs: around(turn.answer, stated, optionCount), vote: turn.answer }
}

function voting(turn: CheckedTurn, beliefs: Float64Array): AgentBeliefs {
  const [first = -1, second] = tiedMaxima(beliefs)
  return { beliefs, vote: turn.answer ?? (second === undefined ? first : -1) }
}

function abstention(optionCount: number): AgentBeliefs {
  return { beliefs: new Float64Array(optionCount).fill(1 / optionCount), vote: -1 }
}

function frequencies(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}

/** The stated probability on the answer, the rest spread evenly; a vote is certainty. One option alone has it all. */
function around(answer: number, stated: number, optionCount: number): Float64Array {
  const beliefs = new Float64Array(optionCount)
  if (optionCount > 1) beliefs.fill((1 - stated) / (optionCount - 1))
  beliefs[answer] = optionCount > 1 ? stated : 1
  return beliefs
}
