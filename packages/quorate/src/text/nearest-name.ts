/** Names up to this length may differ in one letter, longer ones in two. */
const SHORT = 5

/** The name that an unknown name probably means, ignoring case, blanks and punctuation; null if none is near. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const meant = bare(wanted)
  const most = meant.length > SHORT ? 2 : 1
  const near = names.flatMap((name) => {
    const other = bare(name)
    if (other === '' || Math.abs(other.length - meant.length) > most) return []
    const edits = editsBetween(meant, other)
    return edits > most ? [] : [{ name, edits }]
  })
  return near.sort((left, right) => left.edits - right.edits)[0]?.name ?? null
}

/** The flag, key or command that `typed` probably means. There are few to choose from, so up to half of it may differ. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: editsBetween(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, name.length / 2))
  return near.sort((left, right) => left.edits - right.edits)[0]?.name
}

function bare(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Counts letters that are inserted, left out, replaced or swapped with their neighbour (optimal string alignment). */
export function editsBetween(left: string, right: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = next
  }
  return last[right.length] ?? 0
}
