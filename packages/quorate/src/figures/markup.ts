import { visibleText } from './visible-text.ts'

const MARKUP = Symbol('markup')

/** SVG or HTML that only `markup` can make. The symbol is private, so no parsed file can forge it. */
export interface Markup {
  readonly [MARKUP]: string
}

/** Strings are escaped, numbers are written as coordinates, `null` and `false` are left out, and lists are joined. */
export type Part = string | number | Markup | null | false | readonly Part[]

/**
 * A template whose values are escaped unless they are markup themselves. Attribute values must be in double quotes. The
 * literal parts of the template are trusted.
 */
export function markup(texts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  const written = texts.map((text, index) => text + (index < values.length ? partText(values[index] ?? null) : ''))
  return { [MARKUP]: written.join('') }
}

export function markupText(made: Markup): string {
  return made[MARKUP]
}

function partText(part: Part): string {
  if (part === null || part === false) return ''
  if (typeof part === 'string') return escaped(visibleText(part))
  if (typeof part === 'number') return coordinate(part)
  if (isList(part)) return part.map(partText).join('')
  return markupText(part)
}

function isList(part: Markup | readonly Part[]): part is readonly Part[] {
  return Array.isArray(part)
}

/** Rounds to a hundredth of a pixel. */
function coordinate(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`markup: a coordinate must be a finite number, got ${value}`)
  return String(Math.round(value * 100) / 100 || 0)
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign)
}
