import type { AgentTurn, Debate, Grade } from '@quorate/certificate'
import type { DebateColumns } from 'quorate/contract'

/** In the column of answers: the agent took no turn. */
const NO_TURN = -2
/** In the column of labels: the reviewer could not tell, or called the question bad. */
const UNJUDGED = -2
/** In the column of labels: the panel's answers were graded, or several options are right. */
const GRADED = -3

/** Turns columns into debates. Their beliefs must be read as `given`. */
export function debatesOfColumns(columns: DebateColumns): Debate[] {
  const { ids, optionLists, options, groups, gold, agents, rounds } = columns
  checkLengths(columns)
  let belief = 0
  let answer = 0
  return ids.map((id, row) => {
    const names = optionLists[options[row] ?? -1] ?? []
    const debated = Array.from({ length: rounds }, () => {
      const turns = agents.flatMap((agent, seat) => {
        const vote = columns.answers[answer + seat] ?? NO_TURN
        const from = belief + seat * names.length
        return vote === NO_TURN ? [] : [turnOf(agent, names[vote] ?? null, beliefsAt(columns.beliefs, from, names))]
      })
      answer += agents.length
      belief += agents.length * names.length
      return turns
    })
    const grades = gold[row] === GRADED ? gradesAt(columns, row) : null
    return {
      id,
      group: groups[row] ?? null,
      options: names,
      gold: names[gold[row] ?? -1] ?? null,
      verdict: gold[row] === UNJUDGED ? 'cannot-tell' : null,
      grades,
      rounds: debated,
    }
  })
}

function gradesAt({ right, rounds }: DebateColumns, row: number): Grade[] {
  return Array.from({ length: rounds }, (_, at) => ({ round: at + 1, right: right[row * rounds + at] === 1 }))
}

function turnOf(agent: string, answer: string | null, beliefs: Record<string, number> | null): AgentTurn {
  return { agent, answer, beliefs }
}

function beliefsAt(
  beliefs: DebateColumns['beliefs'],
  from: number,
  names: readonly string[],
): Record<string, number> | null {
  if (typeof beliefs[from] !== 'number') return null
  return Object.fromEntries(names.map((name, option) => [name, beliefs[from + option] ?? 0]))
}

/** Refuses columns of a wrong length, which would shift every later debate. */
function checkLengths({ ids, optionLists, options, agents, rounds, beliefs, answers, ...rest }: DebateColumns): void {
  const cells = ids.length * rounds * agents.length
  const each = options.map((list) => rounds * agents.length * (optionLists[list]?.length ?? Number.NaN))
  const expected = {
    isRepresentative: [rest.isRepresentative.length, ids.length],
    options: [options.length, ids.length],
    groups: [rest.groups.length, ids.length],
    gold: [rest.gold.length, ids.length],
    right: [rest.right.length, ids.length * rounds],
    answers: [answers.length, cells],
    beliefs: [beliefs.length, each.reduce((sum, count) => sum + count, 0)],
  }
  for (const [name, [found, wanted]] of Object.entries(expected)) {
    if (found !== wanted) throw new Error(`operating point: ${name} has ${found} entries, expected ${wanted}`)
  }
}
