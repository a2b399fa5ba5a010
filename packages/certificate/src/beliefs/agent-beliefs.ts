import type { Elicitation } from './debate.ts'
import type { CheckedTurn } from './read-turn.ts'
import { tiedMaxima } from './tied-maxima.ts'

export interface AgentBeliefs {
  /** Probability of each option; sums to 1. */
  readonly beliefs: Float64Array
  /** Index of the option voted for, -1 for an abstention. */
  readonly vote: number
  /** Whether the turn has an answer, but not what the elicitation reads. */
  readonly isMissing: boolean
}

/**
 * What an agent believes, by the one elicitation that the whole panel is read by. A turn without it is an abstention:
 * uniform beliefs and no vote, which is not dissent. Nothing stands in for it, since a certificate knows only agents that
 * were read alike: a vote read as certainty where a confidence is missing would pass for the surest agent of all.
 *
 * The vote is the agent's answer. Where only its beliefs are known it is their one maximum; two equal maxima are no vote.
 */
export function agentBeliefs(turn: CheckedTurn, optionCount: number, elicitation: Elicitation): AgentBeliefs {
  const { answer, given, stated, sampled } = turn
  if (elicitation === 'given' && given !== null) return voting(answer, given)
  if (elicitation === 'samples' && sampled !== null) {
    return sampled.some((count) => count > 0) ? voting(answer, frequencies(sampled)) : abstention(optionCount, false)
  }
  const certainty = elicitation === 'vote' ? 1 : elicitation === 'stated' ? stated : null
  if (answer === null || certainty === null) return abstention(optionCount, answer !== null)
  return { beliefs: around(answer, certainty, optionCount), vote: answer, isMissing: false }
}

function voting(answer: number | null, beliefs: Float64Array): AgentBeliefs {
  const [first = -1, second] = tiedMaxima(beliefs)
  return { beliefs, vote: answer ?? (second === undefined ? first : -1), isMissing: false }
}

function abstention(optionCount: number, isMissing: boolean): AgentBeliefs {
  return { beliefs: new Float64Array(optionCount).fill(1 / optionCount), vote: -1, isMissing }
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
