import { editsBetween } from '../../../text/nearest-name.ts'

/** The most edits between a misspelt word and its correction. */
const MOST_EDITS = 2
const SHORTEST = 4

/**
 * Replaces each unknown word by the nearest, most frequent word of the texts; null: there is no such word, or none is unknown.
 */
export function likelyWords(typed: string, texts: readonly string[]): string | null {
  const known = new Map<string, number>()
  for (const text of texts) {
    for (const word of new Set(wordsOf(text))) known.set(word, (known.get(word) ?? 0) + 1)
  }
  const words = wordsOf(typed)
  const likely = words.map((word) => (known.has(word) ? word : nearest(word, known)))
  const isNew = likely.some((word, index) => word !== words[index])
  return isNew && likely.every((word) => word !== null) ? likely.join(' ') : null
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function nearest(word: string, known: ReadonlyMap<string, number>): string | null {
  if (word.length < SHORTEST) return null
  const near = [...known].flatMap(([other, count]) => {
    const edits = Math.abs(other.length - word.length) > MOST_EDITS ? MOST_EDITS + 1 : editsBetween(word, other)
    return edits > MOST_EDITS ? [] : [{ other, count, edits }]
  })
  return near.sort((left, right) => left.edits - right.edits || right.count - left.count)[0]?.other ?? null
}
