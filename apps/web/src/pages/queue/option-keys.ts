import type { ReviewItem } from 'quorate/contract'

/** The key of each option in the order of the task: 1-9, then 0 for the tenth; null: it has none. Keys never move. */
export function optionKeys(names: readonly string[]): readonly (string | null)[] {
  return names.map((_, index) => (index < 10 ? String((index + 1) % 10) : null))
}

/** Which option a key selects. */
export function optionOfKey(names: readonly string[], key: string): number | null {
  const place = optionKeys(names).indexOf(key)
  return place >= 0 ? place : null
}

/** More labels than keys: they are found by their letters. */
export const SHORT_LIST = 10

/** With their places among all labels, which their keys follow from. Those that begin with the words come first. */
export function labelsWith(options: ReviewItem['options'], words: string) {
  const wanted = words.trim().toLowerCase()
  const all = options.map((option, index) => ({ option, index }))
  if (wanted === '') return all
  const begins = ({ option: { name } }: (typeof all)[number]) => name.toLowerCase().startsWith(wanted)
  const holds = ({ option: { name, text } }: (typeof all)[number]) =>
    name.toLowerCase().includes(wanted) || (text ?? '').toLowerCase().includes(wanted)
  return [...all.filter(begins), ...all.filter((one) => !begins(one) && holds(one))]
}
