import type { Debate, Grade } from '@quorate/certificate'
import { ANSWER_CODES, type DebateColumns, LABEL_CODES } from 'quorate/contract'

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
        const vote = columns.answers[answer + seat] ?? ANSWER_CODES.notAsked
        const from = belief + seat * names.length
        if (vote === ANSWER_CODES.notAsked) return []
        return [{ agent, answer: names[vote] ?? null, beliefs: beliefsAt(columns.beliefs, from, names) }]
      })
      answer += agents.length
      belief += agents.length * names.length
      return turns
    })
    const grades = gold[row] === LABEL_CODES.graded ? gradesAt(columns, row) : null
    return {
      id,
      group: groups[row] ?? null,
      options: names,
      gold: names[gold[row] ?? -1] ?? null,
      verdict: gold[row] === LABEL_CODES.unjudged ? 'cannot-tell' : null,
      grades,
      rounds: debated,
    }
  })
}

/** The columns of exactly these debates, in this order; null if one is missing. */
export function inOrderOf(ids: readonly string[], columns: DebateColumns | null): DebateColumns | null {
  if (columns === null || ids.length === 0 || columns.ids.length !== ids.length) return null
  const rowOf = new Map(columns.ids.map((id, row) => [id, row]))
  const rows = ids.flatMap((id) => rowOf.get(id) ?? [])
  if (rows.length !== ids.length) return null
  const starts = beliefStarts(columns)
  const turns = columns.rounds * columns.agents.length
  return {
    ...columns,
    ids: [...ids],
    isRepresentative: picked(columns.isRepresentative, rows),
    options: picked(columns.options, rows),
    groups: picked(columns.groups, rows),
    gold: picked(columns.gold, rows),
    right: rows.flatMap((row) => columns.right.slice(row * columns.rounds, (row + 1) * columns.rounds)),
    answers: rows.flatMap((row) => columns.answers.slice(row * turns, (row + 1) * turns)),
    beliefs: rows.flatMap((row) => columns.beliefs.slice(starts[row], starts[row + 1])),
  }
}

function gradesAt({ right, rounds }: DebateColumns, row: number): Grade[] {
  return Array.from({ length: rounds }, (_, at) => ({ round: at + 1, right: right[row * rounds + at] === 1 }))
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

function picked<Value>(values: readonly Value[], rows: readonly number[]): Value[] {
  // Rows are positions in the columns. debatesOfColumns checks that all columns have the right length.
  return rows.map((row) => values[row] as Value)
}

/** Where the beliefs of each debate start, followed by where the last ones end. */
function beliefStarts({ options, optionLists, rounds, agents }: DebateColumns): number[] {
  const starts = [0]
  for (const list of options) {
    starts.push((starts.at(-1) ?? 0) + rounds * agents.length * (optionLists[list]?.length ?? 0))
  }
  return starts
}
