import type { AnswerMark } from './answer-marks.ts'
import { parseConfidence } from './parse-confidence.ts'
import { scanTags } from './scan-tags.ts'

const NAMES = new Set(['confidence', 'probability', 'certainty'])
const LONGEST = 80
const CUE = /\b(?:confidence|certainty)\b(?: level| score)?[*_]{0,3} ?(?:is|[:=]) ?([^\n]{1,80})/giu

/**
 * The last confidence that a reply states for its own answer, as a probability; null when it states none that can be
 * read. One that follows an answer of somebody else is that somebody's.
 */
export function statedConfidence(text: string, marks: readonly AnswerMark[]): number | null {
  const stated = tagged(text)
  const all = stated.length > 0 ? stated : worded(text)
  const own = all.filter(({ start }) => !(lastBefore(marks, start)?.isAttributed ?? false))
  const last = own.at(-1)
  return last === undefined ? null : parseConfidence(last.words)
}

interface Stated {
  readonly start: number
  readonly words: string
}

function tagged(text: string): readonly Stated[] {
  const tags = scanTags(text).filter(({ name, kind }) => NAMES.has(name) && kind !== 'empty')
  return tags.flatMap((tag, index) => {
    if (tag.kind !== 'open') return []
    const next = tags[index + 1]
    const end = next?.kind === 'close' ? next.start : tag.end + LONGEST
    const words = text.slice(tag.end, end)
    return [{ start: tag.start, words: next?.kind === 'close' ? words : (words.trim().split('\n', 1)[0] ?? '') }]
  })
}

function worded(text: string): readonly Stated[] {
  return [...text.matchAll(CUE)].map((found) => ({
    start: found.index,
    words: (found[1] ?? '').replace(/(?<=\d|%)[,;.]? .*$/u, ''),
  }))
}

function lastBefore(marks: readonly AnswerMark[], position: number): AnswerMark | undefined {
  return marks.findLast(({ start, end }) => start < position && end <= position)
}
