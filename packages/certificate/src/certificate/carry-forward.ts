import type { RoundSummary } from '../beliefs/debate.ts'
import type { ReadPanel } from './panel.ts'

/**
 * Panels that failed after r of T rounds, with round r standing in for rounds r+1..T; the others as they are. Labelled
 * wrong in those rounds, they make the bounds valid although such debates are acted on before they fail.
 *
 * Call the debate that goes on this way after a failure, and is wrong from there on, the extended one. Extended debates
 * are independent draws with every round, so their probability to be acted on and wrong is at most beta like that of any
 * rows. A real debate is acted on only in rounds that it held, where the extended one is the same, with the same answer:
 * whenever the real one is acted on and wrong, so is the extended one. Left out instead, the debates that fail are
 * missing from the cells in which they are acted on, and those that remain are easier.
 *
 * `agents`: names by round, null where rows differ.
 */
export function carriedForward(
  panels: readonly ReadPanel[],
  agents: readonly (readonly string[] | null)[],
): readonly ReadPanel[] {
  const isShort = ({ rounds }: ReadPanel) => rounds.length < agents.length
  // The array itself where nothing changes: what was fitted on it is known by it.
  if (!panels.some(isShort)) return panels
  return panels.map((panel) => (isShort(panel) ? carried(panel, agents) : panel))
}

function carried({ record, rounds }: ReadPanel, agents: readonly (readonly string[] | null)[]): ReadPanel {
  const last = rounds.at(-1)!
  const quiet = withoutNews(last)
  const missing = agents.slice(rounds.length).map((names) => (names === null ? quiet : seated(quiet, names)))
  return { record, rounds: [...rounds, ...missing] }
}

/** In a growing panel later rounds have agents that were never asked: they are taken to think like the panel. */
function seated(last: RoundSummary, names: readonly string[]): RoundSummary {
  if (names.length === last.agents.length && names.every((name) => last.agents.includes(name))) return last
  const support = names.map((name) => {
    const seat = last.agents.indexOf(name)
    return seat < 0 ? last.social[last.prediction]! : last.agentSupport[seat]!
  })
  return { ...last, agents: names, agentSupport: Float64Array.from(support) }
}

/** A round that repeats the one before. Field by field: a round that is read from columns has none to be spread. */
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
    changed: round.changed,
    isTied: round.isTied,
    hasNews: false,
    everChanged: round.everChanged,
    optionsVoted: round.optionsVoted,
    agentSupport: round.agentSupport,
  }
}
