import type { ReviewItem } from 'quorate/contract'

/** The key of each option in the order of the task: 1 to 9, 0 for the tenth, null for the rest. Keys never change. */
export function optionKeys(names: readonly string[]): readonly (string | null)[] {
  return names.map((_, index) => (index < 10 ? String((index + 1) % 10) : null))
}

/** The index of the option that a key selects; null if it selects none. */
export function optionOfKey(names: readonly string[], key: string): number | null {
  const index = optionKeys(names).indexOf(key)
  return index >= 0 ? index : null
}

/** A list with more labels than this has a search field, because there are only ten keys. */
export const SHORT_LIST = 10

/** The labels that contain the words, with their indexes, which determine the keys. Those that begin with them come first. */
export function labelsWith(options: ReviewItem['options'], words: string) {
  const wanted = words.trim().toLowerCase()
  const all = options.map((option, index) => ({ option, index }))
  if (wanted === '') return all
  const begins = ({ option: { name } }: (typeof all)[number]) => name.toLowerCase().startsWith(wanted)
  const holds = ({ option: { name, text } }: (typeof all)[number]) =>
    name.toLowerCase().includes(wanted) || (text ?? '').toLowerCase().includes(wanted)
  return [...all.filter(begins), ...all.filter((one) => !begins(one) && holds(one))]
}
