import { type QuotationWalk, quotationMarks, quotationWalk } from './quotation-marks.ts'
import { type CutText, closingTag, cutRegions, firstFrom, mergedRegions, type Region } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/** `doubtful`: what was hidden by something without an end or without a beginning; what it holds may be meant. */
export interface OwnWords extends CutText {
  readonly doubtful: string
}

/**
 * The reply without what it quotes: block quotes, code fences, code spans and quotation marks with markup in them,
 * elements that stand for another's words (`<quote>`, `<response agent="bob">`, the marks of our own prompt, `<bob>`),
 * and private thinking. One walk, first come first served, because any of these may hold halves of the others. What is
 * never closed goes on to the end: better a reminder than another agent's answer.
 */
export function hideQuotes(text: string, others: readonly string[] = []): OwnWords {
  const tags = scanTags(text)
  const walk: Walk = {
    text,
    tags,
    quoting: quotingNames(others),
    quotations: quotationWalk(quotationMarks(text, tags)),
    ticks: [...text.matchAll(/`+/gu)].map(({ index }) => index),
    position: 0,
    tag: 0,
    lineEnd: -1,
    hidden: [],
    latest: new Map(),
    doubtful: [],
  }
  while (walk.position < text.length) {
    if (isLineStart(walk) && (hideQuotedLine(walk) || hideFence(walk))) continue
    walkLine(walk)
  }
  const doubtful = mergedRegions(walk.doubtful.toSorted((a, b) => a.start - b.start))
  const words = doubtful.map(({ start, end }) => text.slice(start, end))
  return { ...cutRegions(text, mergedRegions(walk.hidden), TAKEN_OUT), doubtful: words.join('\n') }
}

/** A reply that is one code fence and nothing else is no quotation: its inside. */
export function withoutOuterFence(text: string): string {
  const whole = text.trim()
  const first = lineEnd(whole, 0)
  const last = whole.lastIndexOf('\n')
  const fence = /^(`{3,}|~{3,})[^`]*$/u.exec(whole.slice(0, first))?.[1]
  if (fence === undefined || last <= first || whole.slice(last).trim() !== fence) return text
  const inside = whole.slice(first + 1, last)
  return /^ ?(?:`{3,}|~{3,})/mu.test(inside) ? text : inside
}

interface Walk {
  readonly text: string
  readonly tags: readonly Tag[]
  readonly quoting: ReadonlySet<string>
  readonly quotations: QuotationWalk
  /** Where runs of backticks begin. */
  readonly ticks: readonly number[]
  position: number
  /** Index of the next tag. */
  tag: number
  /** Of the line of `position`, once it was looked for: a line may hold very many tags. */
  lineEnd: number
  readonly hidden: Region[]
  /** Where in `hidden` the latest element of a name stands; it may have been swallowed since. */
  readonly latest: Map<string, Region>
  readonly doubtful: Region[]
}

/** Elements that quote whatever their attributes. */
const QUOTING = ['quote', 'blockquote', 'q', 'cite', 'quoted', 'quotation', 'agent', 'responses', 'previous', 'history']
  .concat(['previous_responses', 'previous_round', 'transcript', 'question', 'options', 'prompt', 'example', 'pre'])
  .concat(['code', 'context', 'untrusted', 'other', 'others'])
/** Elements that quote only with attributes: models also put them around a reply of their own. */
const QUOTING_WITH_ATTRIBUTES = new Set(['response', 'reply', 'message', 'turn', 'statement', 'output', 'answer_of'])
const THINKING = new Set(['think', 'thinking', 'thought', 'thoughts', 'scratchpad', 'draft'])
/** The marks of our own prompts carry a code after the name. */
const MARKED = /^(?:response|reply|agent|turn|message)[-_][\p{L}\p{N}_.-]+$/u

/** Names of agents that mean something else as elements, and short ones such as `b`, do not count. */
const RESERVED = new Set(['answer', 'answers', 'final', 'reasoning', 'confidence', 'response', 'option', 'strong'])

export function quotingNames(others: readonly string[]): ReadonlySet<string> {
  const named = others.map((name) => name.toLowerCase()).filter((name) => name.length > 2 && !RESERVED.has(name))
  return new Set([...QUOTING, ...named])
}

/** Whether an element stands for another's words or for private thinking. */
export function isQuoting({ name, hasAttributes }: Tag, quoting: ReadonlySet<string>): boolean {
  return (
    quoting.has(name) || THINKING.has(name) || MARKED.test(name) || (hasAttributes && QUOTING_WITH_ATTRIBUTES.has(name))
  )
}

function isLineStart({ text, position }: Walk): boolean {
  return position === 0 || text[position - 1] === '\n'
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function endOfLine(walk: Walk): number {
  if (walk.lineEnd < walk.position) walk.lineEnd = lineEnd(walk.text, walk.position)
  return walk.lineEnd
}

const QUOTED_LINE = /^ ?(?:[-*+•] |\d{1,3}[.)] )?>/u
const FENCE = /^ ?(?:[-*+•] |\d{1,3}[.)] )?(`{3,}|~{3,})/u

function hideQuotedLine(walk: Walk): boolean {
  const end = endOfLine(walk)
  if (!QUOTED_LINE.test(walk.text.slice(walk.position, Math.min(end, walk.position + 12)))) return false
  hide(walk, end, null)
  return true
}

function hideFence(walk: Walk): boolean {
  const { text } = walk
  const opening = endOfLine(walk)
  if (!FENCE.test(text.slice(walk.position, Math.min(opening, walk.position + 12)))) return false
  const fence = FENCE.exec(text.slice(walk.position, opening))?.[1]
  if (fence === undefined) return false
  // A line of three or more backticks that holds more of them is a code span.
  if (fence[0] === '`' && text.slice(text.indexOf(fence, walk.position) + fence.length, opening).includes('`')) {
    return false
  }
  const end = fenceEnd(text, opening + 1, fence)
  if (end === null) walk.doubtful.push({ start: opening, end: text.length })
  hide(walk, end ?? text.length, null)
  return true
}

/** End of the line that closes a fence; null where none does. */
function fenceEnd(text: string, from: number, fence: string): number | null {
  let start = from
  while (start < text.length) {
    const end = lineEnd(text, start)
    const line = text.slice(start, end).trim()
    if (line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length)) return end
    start = end + 1
  }
  return null
}

/** To the end of the line, or to where something ends that is hidden and begins on it. */
function walkLine(walk: Walk): void {
  const end = endOfLine(walk)
  while (walk.tag < walk.tags.length) {
    const tag = walk.tags[walk.tag]
    if (tag === undefined || tag.start >= end) break
    if (tag.start < walk.position) {
      walk.tag++
    } else if (hideCodeSpan(walk, tag, end) || hideQuotation(walk, tag) || hideElement(walk, tag)) {
      return
    } else {
      if (tag.kind === 'close') hideBefore(walk, tag)
      walk.tag++
    }
  }
  walk.position = end + 1
}

function hideElement(walk: Walk, tag: Tag): boolean {
  if (tag.kind !== 'open' || !isQuoting(tag, walk.quoting)) return false
  const closing = closingTag(walk.tags, walk.tag)
  const last = closing === null ? undefined : walk.tags[closing]
  if (last === undefined) walk.doubtful.push({ start: tag.end, end: walk.text.length })
  walk.position = tag.start
  hide(walk, last?.end ?? walk.text.length, tag.name)
  return true
}

/** Markup between quotation marks is somebody's words, whatever else it holds. */
function hideQuotation(walk: Walk, tag: Tag): boolean {
  const quotation = walk.quotations.around(tag.start)
  if (quotation === null) return false
  // It may have begun on an earlier line.
  walk.position = Math.max(walk.hidden.at(-1)?.end ?? 0, quotation.start)
  hide(walk, quotation.end, null)
  return true
}

/** Markup between backticks on one line is spoken of, not used. */
function hideCodeSpan(walk: Walk, tag: Tag, end: number): boolean {
  const { ticks } = walk
  const count = ticksBefore(ticks, tag.start) - ticksBefore(ticks, Math.max(walk.position, tag.start - LONGEST_SPAN))
  const after = ticks[ticksBefore(ticks, tag.end)] ?? end
  if (count % 2 === 0 || after >= Math.min(end, tag.end + LONGEST_SPAN)) return false
  walk.position = walk.text.lastIndexOf('`', tag.start)
  hide(walk, after + 1, null)
  return true
}
const LONGEST_SPAN = 400

function ticksBefore(ticks: readonly number[], position: number): number {
  return firstFrom(ticks.length, (index) => (ticks[index] ?? 0) >= position)
}

/**
 * A closing tag that closes nothing: the text that the last element of its name quoted brought a closing tag of its
 * own, so that all up to here is still quoted. Thinking often comes without its opening tag: then all before is hidden.
 */
function hideBefore(walk: Walk, tag: Tag): void {
  const element = walk.latest.get(tag.name)
  if (element === undefined && !THINKING.has(tag.name)) return
  const start = element?.start ?? 0
  walk.doubtful.push({ start: element?.end ?? 0, end: tag.start })
  while ((walk.hidden.at(-1)?.start ?? -1) >= start) walk.hidden.pop()
  const region = { start, end: tag.end }
  walk.hidden.push(region)
  walk.latest.set(tag.name, region)
}

function hide(walk: Walk, end: number, name: string | null): void {
  const region = { start: walk.position, end }
  walk.hidden.push(region)
  if (name !== null) walk.latest.set(name, region)
  // A quoted line leaves its line end, so that the next line still starts as one.
  walk.position = walk.text[end] === '\n' && name === null ? end + 1 : Math.max(end, walk.position + 1)
  walk.quotations.skip(region)
}
