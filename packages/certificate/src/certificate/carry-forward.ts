import type { RoundSummary } from '../beliefs/debate.ts'
import type { ReadDebate } from './read-debates.ts'

/**
 * Carries round r forward as rounds r+1..T in debates that failed after r of T rounds. Other debates stay unchanged. With
 * label "wrong" in the carried rounds, the bounds are valid although such debates may be acted on before they fail.
 *
 * Call a debate that continues this way after a failure, and is wrong from there on, the extended debate. Extended
 * debates are independent draws with every round, so the probability that one is acted on and wrong is at most beta, as
 * for any rows. A real debate is acted on only in rounds that took place. There the extended debate is the same and has
 * the same answer, so whenever the real debate is acted on and wrong, the extended one is too. If failed debates were
 * left out instead, they would be missing from the cells in which they are acted on, and the remaining debates are
 * easier.
 *
 * `agents` has the names by round; null where rows differ.
 */
export function carriedForward(
  debates: readonly ReadDebate[],
  agents: readonly (readonly string[] | null)[],
): readonly ReadDebate[] {
  const isShort = ({ rounds }: ReadDebate) => rounds.length < agents.length
  // Returns the same array if nothing changes, because fitted scores are cached by array.
  if (!debates.some(isShort)) return debates
  return debates.map((debate) => (isShort(debate) ? carried(debate, agents) : debate))
}

function carried({ record, rounds }: ReadDebate, agents: readonly (readonly string[] | null)[]): ReadDebate {
  const last = rounds.at(-1)!
  const quiet = withoutNews(last)
  const missing = agents.slice(rounds.length).map((names) => (names === null ? quiet : seated(quiet, names)))
  return { record, rounds: [...rounds, ...missing] }
}

/**
 * In a growing panel, later rounds have agents that were never asked. They get the panel's social probability as their
 * support.
 */
function seated(last: RoundSummary, names: readonly string[]): RoundSummary {
  if (names.length === last.agents.length && names.every((name) => last.agents.includes(name))) return last
  const support = names.map((name) => {
    const seat = last.agents.indexOf(name)
    return seat < 0 ? last.social[last.prediction]! : last.agentSupport[seat]!
  })
  return { ...last, agents: names, agentSupport: Float64Array.from(support) }
}

/**
 * A round that repeats the one before. The fields are copied one by one because a summary that reads from columns has
 * no own fields to spread.
 */
function withoutNews(round: RoundSummary): RoundSummary {
  return {
    agents: round.agents,
    social: round.social,
    prediction: round.prediction,
    p1: round.p1,
    p2: round.p2,
    margin: round.margin,
    entropy: round.entropy,
    disagreement: round.disagreement,
    abstentions: round.abstentions,
    supportPath: round.supportPath,
    stability: round.stability,
    hasChanged: round.hasChanged,
    isTied: round.isTied,
    hasNews: false,
    hasEverChanged: round.hasEverChanged,
    optionsVoted: round.optionsVoted,
    agentSupport: round.agentSupport,
  }
}
