import type { QuestionOption } from '../record/question.ts'
import { unescapedEntities, withoutMarks } from './reply/reply-text.ts'

/** `several`: two options fit equally well. */
export type OptionMatch =
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' }

export interface OptionMatcher {
  /** Words that are one option and nothing else: its name, its text, or both. */
  whole(words: string): OptionMatch
  /** Whether more letters could make another option of these words: `1` where there is a `10`. */
  isPrefix(words: string): boolean
}

/** Longer than this beyond the longest option, words cannot be an option. */
const ROOM_AROUND = 200

/** All replies to a question are compared with the same options. */
const matchers = new WeakMap<readonly QuestionOption[], OptionMatcher>()

/**
 * Compares words with options, never the other way round: names and texts may hold any character and become no pattern.
 * Exact comes before folded, folded before look-alikes, names before texts; two options in the same place are `several`.
 */
export function optionMatcher(options: readonly QuestionOption[]): OptionMatcher {
  const matcher = matchers.get(options) ?? newMatcher(options)
  matchers.set(options, matcher)
  return matcher
}

function newMatcher(options: readonly QuestionOption[]): OptionMatcher {
  const tables = tablesOf(options)
  const longest = Math.max(...options.map(({ name, text }) => name.length + text.length)) + ROOM_AROUND
  return {
    whole(words) {
      if (words.length > longest) return NONE
      for (const form of unwrapped(words)) {
        const match = looked(form, tables)
        if (match.kind !== 'none') return match
      }
      return NONE
    },
    isPrefix(words) {
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
  const names = options.map(({ name }) => [name])
  const texts = options.map(({ text }) => [text])
  // Latin letters stand for others only if all names could be Latin: of А, Б, В, Г the third is no B.
  const areLatin = options.every(({ name }) => /^[\x20-\x7e]*$/u.test(skeletonForm(name)))
  return [
    [plainForm, tableOf(names, plainForm)],
    [plainForm, tableOf(texts, plainForm)],
    [foldedForm, tableOf(names, foldedForm)],
    [foldedForm, tableOf(texts, foldedForm)],
    [foldedForm, tableOf(options.map(nameWithText), foldedForm)],
    [skeletonForm, tableOf(names, areLatin ? skeletonForm : foldedForm)],
  ]
}

/** `B: Paris`, `(B) Paris`, `Paris (B)`: a name and the text of the same option. */
function nameWithText({ name, text }: QuestionOption): readonly string[] {
  const before = [`${name}:`, `${name}.`, `${name})`, `(${name})`, `${name},`, `${name} -`, `${name} =`, name]
  return [...before.map((start) => `${start} ${text}`), `${name} (${text})`, `${text} (${name})`]
}

function tableOf(words: readonly (readonly string[])[], form: (words: string) => string): Table {
  const table = new Map<string, OptionMatch>()
  for (const [index, forms] of words.entries()) {
    for (const key of new Set(forms.map(form))) {
      if (key !== '') table.set(key, table.has(key) ? SEVERAL : { kind: 'option', index })
    }
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

const DEEPEST = 6

/**
 * The words as they stand, then with one coat of decoration after the other taken off: markup, bold, quotes, brackets,
 * `Option`, a full stop. The first that is an option wins, so that an option may itself look like `(B)` or `**`.
 */
function unwrapped(words: string): readonly string[] {
  const bare = words.replace(/<[^<>]{1,200}>/gu, ' ').trim()
  const starts = [bare, bare.normalize('NFKC'), bare.normalize('NFKC').replace(/[*_`]/gu, '').trim()]
  return [...new Set([words.trim(), ...starts, ...starts.flatMap(coatsOff)])].filter((form) => form !== '')
}

function coatsOff(words: string): readonly string[] {
  const forms = [words]
  for (let depth = 0; depth < DEEPEST; depth++) {
    const current = forms.at(-1) ?? ''
    const next = COATS.reduce<string | null>((found, coat) => found ?? without(current, coat), null)
    if (next === null) break
    forms.push(next)
  }
  return forms
}

/** Each pattern's first group is what is inside. None repeats a group inside a repetition: linear on any text. */
const COATS: readonly RegExp[] = [
  /^\\(?:boxed|text|mathrm|textbf|mathbf)\{([^{}]*(?:\{[^{}]*\})?)\}$/su,
  /^(?:\*{1,3}|_{1,3}|`{1,3}|~~)([^*_`~].*[^*_`~]|[^*_`~])(?:\*{1,3}|_{1,3}|`{1,3}|~~)$/su,
  /^\\?[([{$]{1,2} ?(.*[^ ]) ?\\?[)\]}$]{1,2}$/su,
  /^["'“”‘’«»„「『](.*)["'“”‘’«»」』]$/su,
  /^(?:the |my )?(?:final |correct |best )?(?:option|choice|answer|letter|alternative)(?: is)? ?[:#.-]? ?(.+)$/isu,
  /^(.+)[.,;:!]$/su,
  /^([^([]*)[)\]]$/su,
  /^[#•→▶✅✔=>-] ?(.+)$/su,
]

function without(words: string, coat: RegExp): string | null {
  const inside = coat.exec(words)?.[1]?.trim()
  return inside === undefined || inside === '' || inside === words ? null : inside
}

/** One line as it stands: invisible characters gone, white space single. */
function plainForm(text: string): string {
  return withoutMarks(text).normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** The same without case and without compatibility forms: full-width, circled and mathematical letters become plain. */
export function foldedForm(text: string): string {
  return plainForm(text.normalize('NFKC'))
    .replace(/[−‐‑‒–—]/gu, '-')
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/[“”]/gu, '"')
    .toLowerCase()
}

/** The folded form with Cyrillic and Greek letters replaced by the Latin ones that they look like. */
function skeletonForm(text: string): string {
  return foldedForm(text.normalize('NFKC').replace(LOOK_ALIKE, (letter) => LATIN.get(letter) ?? letter))
}

/** After Unicode's confusables (UTS 39): only pairs that are the same shape in common fonts. */
const SHAPES: readonly (readonly [string, string])[] = [
  ['АВЕЅЗІЈКМНОРСТУХԌԚԜ', 'ABES3IJKMHOPCTYXGQW'],
  ['аеѕіјорсухԁԛԝһ', 'aesijopcyxdqwh'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αορν', 'aopv'],
]
const LATIN: ReadonlyMap<string, string> = new Map(
  SHAPES.flatMap(([foreign, latin]) => [...foreign].map((letter, index) => [letter, [...latin][index] ?? ''] as const)),
)
const LOOK_ALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu')
