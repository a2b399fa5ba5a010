import type { DebateRecord, RoundRecord, RoundSummary } from './debate.ts'
import { predict } from './prediction.ts'
import { socialProbability } from './social-probability.ts'
import { tiedMaxima } from './tied-maxima.ts'
import { meanOfTwelveDecimals, twelveDecimals } from './twelve-decimals.ts'

export interface SummaryOptions {
  /** Breaks ties of predictions; an integer in [0, 2^32), 0 by default. */
  readonly seed?: number
  /** Weight of each agent in the social probability, by name; 1 for agents that are not named. */
  readonly weights?: ReadonlyMap<string, number>
}

/**
 * Summarises every round of a debate together with the rounds before it. Later rounds play no part, so a prefix has the
 * same summaries.
 */
export function summariseRounds(debate: DebateRecord, options: SummaryOptions = {}): RoundSummary[] {
  const summaries: RoundSummary[] = []
  for (const [index, round] of debate.rounds.entries()) {
    const social = socialProbability(round, options.weights)
    const prediction = predict(social, debate.id, index + 1, options.seed ?? 0)
    const before = debate.rounds[index - 1]
    summaries.push({
      agents: round.agents,
      social,
      prediction,
      ...shapeOf(social),
      ...votesOf(round, prediction),
      ...pathOf(summaries, social, prediction),
      isTied: tiedMaxima(social).length > 1,
      hasNews: before === undefined || !isSameRound(before, round),
      hasEverChanged: summaries.some((earlier) => isSettled(earlier) && earlier.prediction !== prediction),
      agentSupport: supportOf(round, prediction, social.length),
    })
  }
  return summaries
}

function shapeOf(social: Float64Array) {
  const [p1 = 0, p2 = 0] = social.toSorted().reverse()
  let entropy = 0
  for (const probability of social) if (probability > 0) entropy -= probability * Math.log(probability)
  // Rounded because engines may differ in the last bit of a logarithm.
  return { p1, p2, margin: twelveDecimals(p1 - p2), entropy: twelveDecimals(entropy) }
}

function votesOf({ votes }: RoundRecord, prediction: number) {
  let [others, none, options] = [0, 0, 0]
  for (let seat = 0; seat < votes.length; seat++) {
    const vote = votes[seat]!
    if (vote < 0) none++
    else if (vote !== prediction) others++
    if (vote >= 0 && votes.indexOf(vote) === seat) options++
  }
  return { disagreement: others / votes.length, abstentions: none / votes.length, optionsVoted: options }
}

function pathOf(before: readonly RoundSummary[], social: Float64Array, prediction: number) {
  const rounds = before.length + 1
  const support = [...before.map((round) => round.social[prediction]!), social[prediction]!]
  const agreeing = before.filter((round) => round.prediction === prediction).length + 1
  const last = before.at(-1)
  return {
    supportPath: meanOfTwelveDecimals(support),
    stability: agreeing / rounds,
    hasChanged: last !== undefined && last.prediction !== prediction,
  }
}

function isSettled({ isTied, abstentions }: RoundSummary): boolean {
  return !isTied && abstentions < 1
}

/** Whether both rounds have the same agents, in any order, and each agent has exactly the same beliefs in both. */
function isSameRound(before: RoundRecord, now: RoundRecord): boolean {
  const agentCount = now.agents.length
  if (before.agents.length !== agentCount || before.beliefs.length !== now.beliefs.length) return false
  const optionCount = now.beliefs.length / agentCount
  return now.agents.every((name, seat) => {
    const earlier = before.agents[seat] === name ? seat : before.agents.indexOf(name)
    if (earlier < 0) return false
    for (let option = 0; option < optionCount; option++) {
      if (now.beliefs[seat * optionCount + option] !== before.beliefs[earlier * optionCount + option]) return false
    }
    return true
  })
}

function supportOf(round: RoundRecord, prediction: number, optionCount: number): Float64Array {
  const support = new Float64Array(round.agents.length)
  for (let agent = 0; agent < support.length; agent++) {
    support[agent] = round.beliefs[agent * optionCount + prediction]!
  }
  return support
}
