import { closingTag, type Region, withoutRegions } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/**
 * The reply without what it quotes: block quotes, code fences, code spans with markup in them, elements that stand for
 * another's words (`<quote>`, `<response agent="bob">`, the marks of our own prompt, `<bob>`), and private thinking.
 * One walk, first come first served, because any of these may hold halves of the others. What is never closed goes on
 * to the end: better a reminder than another agent's answer.
 */
export function hideQuotes(text: string, others: readonly string[] = []): string {
  const tags = scanTags(text)
  const quoting = quotingNames(others)
  const walk: Walk = { text, tags, quoting, position: 0, tag: 0, hidden: [], latest: new Map() }
  while (walk.position < text.length) {
    if (isLineStart(walk) && (hideQuotedLine(walk) || hideFence(walk))) continue
    walkLine(walk)
  }
  return withoutRegions(text, merged(walk.hidden), TAKEN_OUT)
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
  position: number
  /** Index of the next tag. */
  tag: number
  readonly hidden: Region[]
  /** Where in `hidden` the latest element of a name stands; it may have been swallowed since. */
  readonly latest: Map<string, Region>
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

function quotingNames(others: readonly string[]): ReadonlySet<string> {
  const named = others.map((name) => name.toLowerCase()).filter((name) => name.length > 2 && !RESERVED.has(name))
  return new Set([...QUOTING, ...named])
}

function isQuoting({ name, hasAttributes }: Tag, quoting: ReadonlySet<string>): boolean {
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

const QUOTED_LINE = /^ ?(?:[-*+•] |\d{1,3}[.)] )?>/u
const FENCE = /^ ?(?:[-*+•] |\d{1,3}[.)] )?(`{3,}|~{3,})/u

function hideQuotedLine(walk: Walk): boolean {
  const end = lineEnd(walk.text, walk.position)
  if (!QUOTED_LINE.test(walk.text.slice(walk.position, Math.min(end, walk.position + 12)))) return false
  hide(walk, end, null)
  return true
}

function hideFence(walk: Walk): boolean {
  const { text } = walk
  const opening = lineEnd(text, walk.position)
  const fence = FENCE.exec(text.slice(walk.position, opening))?.[1]
  if (fence === undefined) return false
  // A line of three or more backticks that holds more of them is a code span.
  if (fence[0] === '`' && text.slice(text.indexOf(fence, walk.position) + fence.length, opening).includes('`')) {
    return false
  }
  let start = opening + 1
  while (start < text.length) {
    const end = lineEnd(text, start)
    const line = text.slice(start, end).trim()
    start = end + 1
    if (line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length)) break
  }
  hide(walk, Math.min(start - 1, text.length), null)
  return true
}

/** To the end of the line, or to where an element that begins on it ends. */
function walkLine(walk: Walk): void {
  const end = lineEnd(walk.text, walk.position)
  while (walk.tag < walk.tags.length) {
    const tag = walk.tags[walk.tag]
    if (tag === undefined || tag.start >= end) break
    if (tag.start < walk.position) {
      walk.tag++
    } else if (hideCodeSpan(walk, tag, end)) {
      return
    } else if (tag.kind === 'open' && isQuoting(tag, walk.quoting)) {
      const closing = closingTag(walk.tags, walk.tag)
      const last = closing === null ? undefined : walk.tags[closing]
      walk.position = tag.start
      hide(walk, last?.end ?? walk.text.length, tag.name)
      return
    } else {
      if (tag.kind === 'close') hideBefore(walk, tag)
      walk.tag++
    }
  }
  walk.position = end + 1
}

/** Markup between backticks on one line is spoken of, not used. */
function hideCodeSpan(walk: Walk, tag: Tag, end: number): boolean {
  const before = walk.text.slice(Math.max(walk.position, tag.start - LONGEST_SPAN), tag.start)
  const after = walk.text.slice(tag.end, Math.min(end, tag.end + LONGEST_SPAN))
  const ticks = before.match(/`+/gu)?.length ?? 0
  if (ticks % 2 === 0 || !after.includes('`')) return false
  walk.position = tag.start - (before.length - before.lastIndexOf('`'))
  hide(walk, tag.end + after.indexOf('`') + 1, null)
  return true
}
const LONGEST_SPAN = 400

/**
 * A closing tag that closes nothing: the text that the last element of its name quoted brought a closing tag of its
 * own, so that all up to here is still quoted. Thinking often comes without its opening tag: then all before is hidden.
 */
function hideBefore(walk: Walk, tag: Tag): void {
  const element = walk.latest.get(tag.name)
  if (element === undefined && !THINKING.has(tag.name)) return
  const start = element?.start ?? 0
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
}

function merged(regions: readonly Region[]): readonly Region[] {
  const result: Region[] = []
  for (const region of regions) {
    const last = result.at(-1)
    if (last !== undefined && region.start < last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, region.end) }
    } else {
      result.push(region)
    }
  }
  return result
}
