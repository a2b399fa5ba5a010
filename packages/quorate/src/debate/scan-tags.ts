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
  while (start >= 0) {
    const tag = tagAt(text, start)
    if (tag !== null) tags.push(tag)
    start = text.indexOf('<', tag?.end ?? start + 1)
  }
  return tags
}

function tagAt(text: string, start: number): Tag | null {
  const piece = text.slice(start, start + LONGEST_TAG)
  const length = piece.indexOf('>') + 1
  if (length === 0 || piece.lastIndexOf('<', length - 1) > 0) return null
  const shape = SHAPE.exec(piece.slice(0, length))
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
