import type { DebateSoFar, DebateTurn } from '../../src/debate/debate-record.ts'

const OPTIONS = ['A', 'B', 'C', 'D'] as const
const COPIES = 40
const ONE_WRONG_IN = 20

/**
 * What real debates would look like in numbers, had the panel been right: each is repeated, and its right option is what
 * the panel said first, except for one in twenty. Nothing here says anything about the model.
 */
export function withSimulatedLabels(debates: readonly Pick<DebateSoFar, 'rounds'>[]): string {
  const rows = Array.from({ length: COPIES }, () => debates).flat()
  const lines = rows.map(({ rounds }, index) => {
    const given = panelAnswer(rounds[0] ?? [])
    const other = OPTIONS.find((option) => option !== given) ?? 'A'
    const turns = rounds.map((round) => round.map(({ agent, answer, beliefs }) => ({ agent, answer, beliefs })))
    const gold = index % ONE_WRONG_IN === 0 ? other : given
    return JSON.stringify({ id: `simulated-${index}`, options: OPTIONS, gold, rounds: turns })
  })
  return `${lines.join('\n')}\n`
}

/** The option with the largest sum of probabilities; a vote counts as one. */
function panelAnswer(turns: readonly DebateTurn[]): string {
  const sum = (option: string) =>
    turns.reduce(
      (all, { answer, beliefs }) => all + (beliefs === null ? Number(answer === option) : (beliefs[option] ?? 0)),
      0,
    )
  const [best = 'A'] = [...OPTIONS].sort((a, b) => sum(b) - sum(a))
  return best
}
