import type { DebateColumns } from 'quorate/contract'

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
