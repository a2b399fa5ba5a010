/** A tag as it stands in a reply: `<answer>`, `</ Answer >`, `<response agent="bob">`, `<br/>`. */
export interface Tag {
  /** Lower case. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly hasAttributes: boolean
  readonly start: number
  /** After its `>`. */
  readonly end: number
}

/** Longer than any tag that means something; bounds the work at each `<`. */
const LONGEST_TAG = 300
const SHAPE = /^<\s?(\/?)\s?([\p{L}][\p{L}\p{N}_:.-]{0,60})(\s[^<>]*|)(\/?)>$/u

/** Every tag of a text, in order, in time proportional to its length. */
export function scanTags(text: string): readonly Tag[] {
  const tags: Tag[] = []
  let start = text.indexOf('<')
  let close = -1
  while (start >= 0) {
    if (close < start) close = text.indexOf('>', start)
    if (close < 0) break
    const next = text.indexOf('<', start + 1)
    // Another `<` comes first: no tag begins here.
    const tag = next >= 0 && next < close ? null : tagAt(text, start, close + 1)
    if (tag !== null) tags.push(tag)
    start = next
  }
  return tags
}

function tagAt(text: string, start: number, end: number): Tag | null {
  const length = end - start
  if (length > LONGEST_TAG) return null
  const shape = SHAPE.exec(text.slice(start, end))
  if (shape === null) return null
  const [, slash, name = '', rest = '', closing] = shape
  const isEmpty = closing === '/' || rest.endsWith('/')
  return {
    name: name.toLowerCase(),
    kind: slash === '/' ? 'close' : isEmpty ? 'empty' : 'open',
    hasAttributes: rest.replace('/', '').trim() !== '',
    start,
    end: start + length,
  }
}
