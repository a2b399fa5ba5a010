/** The key of each option in the order of the task: 1-9, then 0 for the tenth; null: it has none. Keys never move. */
export function optionKeys(names: readonly string[]): readonly (string | null)[] {
  return names.map((_, index) => (index < 10 ? String((index + 1) % 10) : null))
}

/** Which option a key selects. */
export function optionOfKey(names: readonly string[], key: string): number | null {
  const place = optionKeys(names).indexOf(key)
  return place >= 0 ? place : null
}
