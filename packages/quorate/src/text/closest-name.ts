/** The name that `typed` was probably meant to be; undefined if none is near. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: editDistance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, name.length / 2))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.name
}

/** Counts the insertions, deletions and replacements that turn `from` into `to` (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === wanted ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
