import type { AnswerMark } from './answer-marks.ts'
import { isAttributed, type Speakers } from './attribution.ts'
import type { Echoes } from './echoes.ts'
import { parseConfidence } from './parse-confidence.ts'
import { outsideQuotations } from './quotation-marks.ts'
import type { Region } from './regions.ts'
import { scanTags } from './scan-tags.ts'

const NAMES = new Set(['confidence', 'probability', 'certainty'])
const LONGEST = 80
const LEAD = 400
const MOST_STATED = 20
const CUE = /\b(?:confidence|certainty)\b(?: level| score)?[*_]{0,3} ?(?:is|[:=]) ?([^\n]{1,80})/giu

export interface ConfidenceContext {
  readonly marks: readonly AnswerMark[]
  /** Where the answer was read. */
  readonly at: Region
  readonly speakers: Speakers
  readonly echoes: Echoes
}

/**
 * The last confidence that a reply states for its own answer, as a probability; null when it states none that can be
 * read. One that follows an answer of somebody else, or words that give it to somebody else, is that somebody's; one that
 * others have stated alike counts only right beside the answer.
 */
export function statedConfidence(text: string, context: ConfidenceContext): number | null {
  const { marks, speakers, echoes } = context
  const stated = tagged(text)
  const all = stated.length > 0 ? stated : worded(text)
  const last = all.slice(-MOST_STATED).findLast((one) => {
    const mark = lastBefore(marks, one.start)
    const lead = text.slice(Math.max(mark?.end ?? 0, one.start - LEAD), one.start)
    if (mark?.isAttributed === true || isAttributed(lead, speakers)) return false
    return isInPlace(text, one, context.at) || !echoes.hold(text.slice(one.start, one.end))
  })
  return last === undefined ? null : parseConfidence(last.words)
}

/** Of an answer in tags: inside them, or nothing but decoration between the two; in words it comes after. */
function isInPlace(text: string, { start, end }: Stated, at: Region): boolean {
  if (text[at.start] !== '<') return false
  if (start >= at.start && end <= at.end) return true
  const isBefore = end <= at.start && text[start] === '<'
  const gap = isBefore ? text.slice(end, at.start) : text.slice(at.end, start)
  return (isBefore || start >= at.end) && /^[\s*_.#-]*$/u.test(gap.slice(0, LEAD))
}

interface Stated extends Region {
  readonly words: string
}

function tagged(text: string): readonly Stated[] {
  const tags = scanTags(text).filter(({ name, kind }) => NAMES.has(name) && kind !== 'empty')
  return tags.flatMap((tag, index) => {
    if (tag.kind !== 'open') return []
    const next = tags[index + 1]
    const end = next?.kind === 'close' ? next.start : tag.end + LONGEST
    const words = text.slice(tag.end, end)
    const isClosed = next?.kind === 'close'
    const shown = isClosed ? words : (words.trim().split('\n', 1)[0] ?? '')
    return [{ start: tag.start, end: isClosed ? next.end : tag.end + shown.length, words: shown }]
  })
}

function worded(text: string): readonly Stated[] {
  const stated = [...text.matchAll(CUE)].map((found) => {
    const [whole, rest = ''] = found
    const words = rest.replace(/(?<=\d|%)[,;.]? .*$/u, '')
    return { start: found.index, end: found.index + whole.length - rest.length + words.length, words }
  })
  return outsideQuotations(text, stated)
}

function lastBefore(marks: readonly AnswerMark[], position: number): AnswerMark | undefined {
  return marks.findLast(({ start, end }) => start < position && end <= position)
}
