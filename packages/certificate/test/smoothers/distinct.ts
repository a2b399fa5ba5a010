/** Rows (state, label) gathered by distinct state, in order of the coordinates. */
export function distinct(states: readonly (readonly number[])[], labels: readonly number[]) {
  const dimension = states[0]?.length ?? 0
  const sums = new Map<string, { readonly state: readonly number[]; successes: number; count: number }>()
  for (const [row, state] of states.entries()) {
    const entry = sums.get(state.join()) ?? { state, successes: 0, count: 0 }
    entry.successes += labels[row]!
    entry.count++
    sums.set(state.join(), entry)
  }
  const entries = [...sums.values()].sort((a, b) => compare(a.state, b.state))
  return {
    points: Float64Array.from(entries.flatMap(({ state }) => state)),
    dimension,
    successes: entries.map(({ successes }) => successes),
    counts: entries.map(({ count }) => count),
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((value, i) => value !== b[i])
  return axis < 0 ? 0 : a[axis]! - b[axis]!
}
