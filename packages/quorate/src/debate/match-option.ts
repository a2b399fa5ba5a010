import type { QuestionOption } from '../record/question.ts'
import { foldedForm, plainForm, skeletonForm } from './option-forms.ts'
import { unescapedEntities } from './reply-text.ts'
import { unwrapped } from './unwrap.ts'

/** `several`: two options fit equally well, or the words name more than one. */
export type OptionMatch =
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' }

export interface OptionMatcher {
  /** Words that are one option and nothing else: its name, its text, or both. */
  whole(words: string): OptionMatch
  /** Words that begin with one option and go on: `B, because ...`. */
  leading(words: string): OptionMatch
  /** Whether the words only repeat what the prompt asked for: `A|B|C`, `...`. */
  isEcho(words: string): boolean
  /** Whether more letters could make another option of these words: `1` where there is a `10`. */
  isPrefix(words: string): boolean
}

/** Longer than this beyond the longest option, words cannot be an option. */
const ROOM_AROUND = 200

/**
 * Compares words with options, never the other way round: names and texts may hold any character and become no pattern.
 * Exact comes before folded, folded before look-alikes, names before texts; two options in the same place are `several`.
 */
export function optionMatcher(options: readonly QuestionOption[]): OptionMatcher {
  const tables = tablesOf(options)
  const longest = Math.max(...options.map(({ name, text }) => name.length + text.length)) + ROOM_AROUND
  const whole = (words: string): OptionMatch => {
    if (words.length > longest) return NONE
    for (const form of unwrapped(words)) {
      const match = looked(form, tables)
      if (match.kind !== 'none') return match
    }
    return NONE
  }
  const full = (words: string): OptionMatch => {
    const match = whole(words)
    return match.kind === 'none' && words.length <= longest ? nameAndText(words, options, whole) : match
  }
  return {
    whole: full,
    leading: (words) => {
      const match = full(words)
      return match.kind === 'none' ? leadingName(words.slice(0, longest), options, whole) : match
    },
    isEcho: (words) => isEcho(words, whole),
    isPrefix: (words) => {
      const form = foldedForm(words)
      return options.some(({ name }) => foldedForm(name) !== form && foldedForm(name).startsWith(form))
    },
  }
}

const NONE: OptionMatch = { kind: 'none' }
const SEVERAL: OptionMatch = { kind: 'several' }

type Table = ReadonlyMap<string, OptionMatch>
type FormTable = readonly [(words: string) => string, Table]

function tablesOf(options: readonly QuestionOption[]): readonly FormTable[] {
  const names = options.map(({ name }) => name)
  const texts = options.map(({ text }) => text)
  // Latin letters stand for others only if all names could be Latin: of А, Б, В, Г the third is no B.
  const areLatin = names.every((name) => /^[\x20-\x7e]*$/u.test(skeletonForm(name)))
  return [
    [plainForm, tableOf(names, plainForm)],
    [plainForm, tableOf(texts, plainForm)],
    [foldedForm, tableOf(names, foldedForm)],
    [foldedForm, tableOf(texts, foldedForm)],
    [skeletonForm, tableOf(names, areLatin ? skeletonForm : foldedForm)],
  ]
}

function tableOf(words: readonly string[], form: (words: string) => string): Table {
  const table = new Map<string, OptionMatch>()
  for (const [index, word] of words.entries()) {
    const key = form(word)
    if (key !== '') table.set(key, table.has(key) ? SEVERAL : { kind: 'option', index })
  }
  return table
}

function looked(words: string, tables: readonly FormTable[]): OptionMatch {
  for (const decoded of new Set([words, unescapedEntities(words)])) {
    for (const [form, table] of tables) {
      const match = table.get(form(decoded))
      if (match !== undefined) return match
    }
  }
  return NONE
}

/** `B: Paris`, `(B) Paris`, `B Paris`, `Paris (B)`: a name and the text of the same option. */
function nameAndText(
  words: string,
  options: readonly QuestionOption[],
  whole: (words: string) => OptionMatch,
): OptionMatch {
  const bare = plainForm(words)
  const start = withoutLabel(bare)
  for (const [index, { name }] of options.entries()) {
    const rest = afterName(start, name) ?? (bare.startsWith(`${name} `) ? bare.slice(name.length) : null)
    const other = rest === null ? NONE : whole(rest)
    if (other.kind === 'option') return other.index === index ? other : SEVERAL
  }
  const bracketed = /^([^()]+) ?\(([^()]+)\)\.?$/u.exec(bare)
  const [first, second] = [whole(bracketed?.[1] ?? ''), whole(bracketed?.[2] ?? '')]
  if (first.kind !== 'option' || second.kind !== 'option') return NONE
  return first.index === second.index ? first : SEVERAL
}

function leadingName(
  words: string,
  options: readonly QuestionOption[],
  whole: (words: string) => OptionMatch,
): OptionMatch {
  const start = withoutLabel(plainForm(words))
  const fitting = options.flatMap(({ name }, index) => {
    const rest = afterName(start, name)
    return rest === null ? [] : [{ index, rest, rank: 2 * name.length + (start.startsWith(plainForm(name)) ? 1 : 0) }]
  })
  const best = Math.max(...fitting.map(({ rank }) => rank))
  const [found, rival] = fitting.filter(({ rank }) => rank === best)
  if (found === undefined) return NONE
  if (rival !== undefined) return SEVERAL
  const { index, rest } = found
  const alone = whole(rest)
  if (alone.kind === 'option') return alone.index === index ? alone : SEVERAL
  return namesAnother(rest, index, whole) ? SEVERAL : { kind: 'option', index }
}

function withoutLabel(words: string): string {
  return words.replace(OPENING, '').replace(LABEL, '').replace(OPENING, '')
}

/** What follows the name and a mark that ends it; null where the words do not begin so. */
function afterName(bare: string, name: string): string | null {
  const start = startLength(bare, plainForm(name))
  if (start === null) return null
  const rest = bare.slice(start).replace(/^[*_`"'”’)\]}$]{1,6}/u, (closing) => (/[)\]}]/u.test(closing) ? ')' : ''))
  const mark = ENDING.exec(rest)
  if (mark === null) return null
  return rest.slice(mark[0].length)
}

/** Exact letters, else folded where the folding keeps the length, else look-alikes. */
function startLength(words: string, name: string): number | null {
  if (name === '') return null
  if (words.startsWith(name)) return name.length
  const start = words.slice(0, name.length)
  const isStrong = /^[*_`"'”’ ]{0,4}[:.)\],;]/u.test(words.slice(name.length))
  const isSame = foldedForm(start) === foldedForm(name) || skeletonForm(start) === foldedForm(name)
  return isSame && isStrong ? name.length : null
}

const OPENING = /^[*_`"'“‘([{$ ]{1,12}/u
const LABEL = /^(?:the |my )?(?:final |correct |best )?(?:option|choice|answer|letter|alternative)(?: is)? ?[:#]? ?/iu
/** `1.5`, `1:30`, `B-cell` and `Bob` do not begin with an option. */
const ENDING =
  /^ ?:(?!\d) ?|^ ?\) ?|^[.,;!](?: |$)| [-–—] | (?=\()|^ (?=(?:because|since|as|for|given|due|which|with|based)\b)|^$/u

/** `B and C`, `B, C`, `B or maybe D`: another option in a list that begins here. */
function namesAnother(rest: string, index: number, whole: (words: string) => OptionMatch): boolean {
  const pieces = rest.slice(0, 200).split(/,|;|\/|&|\+|\band\b|\bor\b|\bmaybe\b|\bnot\b/u, 6)
  return pieces.some((piece) => {
    const match = whole(piece)
    return match.kind === 'several' || (match.kind === 'option' && match.index !== index)
  })
}

const PLACEHOLDERS = new Set(['...', '…', 'letter', 'your answer', 'your choice', 'answer', 'option', 'x', '?'])

function isEcho(words: string, whole: (words: string) => OptionMatch): boolean {
  const bare = plainForm(words).replace(/^[{[(<]|[})\]>]$/gu, '')
  if (whole(words).kind === 'option') return false
  if (bare === '' || PLACEHOLDERS.has(bare.toLowerCase())) return true
  const pieces = bare.slice(0, 2000).split('|')
  return pieces.length > 1 && pieces.every((piece) => whole(piece).kind === 'option' || /^[ .…]*$/u.test(piece))
}
