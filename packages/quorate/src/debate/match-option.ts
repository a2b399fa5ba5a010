import type { QuestionOption } from '../record/question.ts'
import { unescapedEntities, withoutInvisible } from './reply/reply-text.ts'

/** `several`: more than one option fits equally well. */
export type OptionMatch =
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' }

export interface OptionMatcher {
  /** Matches words that are one option and nothing else: its name, its text, or both. */
  whole(words: string): OptionMatch
  /** Like `whole`, or one option with a reason that names no other: `B, because it rains.` */
  stated(words: string): OptionMatch
  /** Whether more letters could turn these words into another option, such as `1` if there is a `10`. */
  isPrefix(words: string): boolean
}

/** Words that exceed the longest option by more than this cannot be an option. */
const ROOM_AROUND = 200

/** One matcher for each list of options: all replies to a question are compared with the same options. */
const matchers = new WeakMap<readonly QuestionOption[], OptionMatcher>()

/**
 * Compares words with options, never the other way round. Names and texts may contain any character and never become a
 * pattern. Exact forms come before folded ones, folded ones before look-alikes, and names before texts. If two options
 * match at the same level, the result is `several`.
 */
export function optionMatcher(options: readonly QuestionOption[]): OptionMatcher {
  const matcher = matchers.get(options) ?? newMatcher(options)
  matchers.set(options, matcher)
  return matcher
}

function newMatcher(options: readonly QuestionOption[]): OptionMatcher {
  const tables = tablesOf(options)
  const longest = Math.max(...options.map(({ name, text }) => name.length + text.length)) + ROOM_AROUND
  const whole = (words: string): OptionMatch => {
    if (words.length > longest) return NONE
    for (const form of unwrapped(words)) {
      const match = lookUp(form, tables)
      if (match.kind !== 'none') return match
    }
    return NONE
  }
  return {
    whole,
    stated(words) {
      const match = whole(words)
      if (match.kind !== 'none' || words.length > longest) return match
      const [, head = '', reason = ''] = WITH_REASON.exec(words) ?? []
      const reasoned = whole(head)
      if (reasoned.kind !== 'option') return reasoned
      const others = options.filter((_, index) => index !== reasoned.index)
      const isPlain = !options.some(hasReason) && !SENTENCES.test(reason)
      return isPlain && !others.some((option) => isNamedIn(reason, option)) ? reasoned : NONE
    },
    isPrefix(words) {
      const form = foldedForm(words)
      return options.some(({ name }) => foldedForm(name) !== form && foldedForm(name).startsWith(form))
    },
  }
}

const WITH_REASON = /^(.+?),? because (.+)$/isu
/** A second sentence or a turn within the first could take it back. */
const SENTENCES = /[.?!;:…。！？；：—–\n]\s*\S| - |\b(?:but|no|wait|however|actually|though|although)\b/iu

/** Beside the option `It rains because of wind`, `It rains because ...` need not mean `It rains`. */
function hasReason({ name, text }: QuestionOption): boolean {
  return /\bbecause\b/iu.test(`${name} ${text}`)
}

function isNamedIn(words: string, { name, text }: QuestionOption): boolean {
  return [name, text].some((form) => spaced(words).includes(spaced(form)))
}

/** The folded words between single spaces. */
function spaced(text: string): string {
  return ` ${foldedForm(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

const NONE: OptionMatch = { kind: 'none' }
const SEVERAL: OptionMatch = { kind: 'several' }

type Table = ReadonlyMap<string, OptionMatch>
type FormTable = readonly [(words: string) => string, Table]

function tablesOf(options: readonly QuestionOption[]): readonly FormTable[] {
  const names = options.map(({ name }) => [name])
  const texts = options.map(({ text }) => [text])
  // Look-alikes count only if all names could be Latin: of А, Б, В, Г the third is no B.
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

/** The ways to write a name with the text of the same option, such as `B: Paris`, `(B) Paris` and `Paris (B)`. */
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

function lookUp(words: string, tables: readonly FormTable[]): OptionMatch {
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
 * The words unchanged, then with one layer of decoration after the other removed: markup, bold, quotes, brackets,
 * `Option`, a full stop. The first form that is an option wins, so an option may itself look like `(B)` or `**`.
 */
function unwrapped(words: string): readonly string[] {
  const bare = words.replace(/<[^<>]{1,200}>/gu, ' ').trim()
  const starts = [bare, bare.normalize('NFKC'), bare.normalize('NFKC').replace(/[*_`]/gu, '').trim()]
  return [...new Set([words.trim(), ...starts, ...starts.flatMap(undecorated)])].filter((form) => form !== '')
}

function undecorated(words: string): readonly string[] {
  const forms = [words]
  for (let depth = 0; depth < DEEPEST; depth++) {
    const current = forms.at(-1) ?? ''
    const next = DECORATIONS.reduce<string | null>((found, decoration) => found ?? without(current, decoration), null)
    if (next === null) break
    forms.push(next)
  }
  return forms
}

/**
 * The first group of each pattern is the inner text. No pattern repeats a group inside a repetition, so all are linear
 * on any text. A mark right before a digit is not removed: `-1` is not `1`, `.5` is not `5`, and `>1` is not `1`.
 */
const DECORATIONS: readonly RegExp[] = [
  /^\\(?:boxed|text|mathrm|textbf|mathbf)\{([^{}]*(?:\{[^{}]*\})?)\}$/su,
  /^(?:\*{1,3}|_{1,3}|`{1,3}|~~)([^*_`~].*[^*_`~]|[^*_`~])(?:\*{1,3}|_{1,3}|`{1,3}|~~)$/su,
  /^\\?[([{$]{1,2} ?(.*[^ ]) ?\\?[)\]}$]{1,2}$/su,
  /^["'“”‘’«»„「『](.*)["'“”‘’«»」』]$/su,
  /^(?:the |my )?(?:final |correct |best )?(?:option|choice|answer|letter|alternative)(?: is)? ?(?:[:#]|[.-](?![\d.]))? ?(.+)$/isu,
  /^(?:antwort|réponse|respuesta|risposta|resposta|答案|回答) ?: ?(.+)$/isu,
  /^i (?:still |now )?(?:choose|pick|select|vote for|go with) (.+)$/isu,
  /^(?:so|thus|therefore),? ((?:the |my |i |\\|\$).+)$/isu,
  /^(.+)[.,;:!。]$/su,
  /^([^([]*)[)\]]$/su,
  /^(?:[#•→▶✅✔]|[=>-](?![\d.])) ?(.+)$/su,
]

function without(words: string, decoration: RegExp): string | null {
  const inside = decoration.exec(words)?.[1]?.trim()
  return inside === undefined || inside === '' || inside === words ? null : inside
}

/** One line without invisible characters and with single spaces. */
function plainForm(text: string): string {
  return withoutInvisible(text).normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Like `plainForm`, without case and compatibility forms: full-width, circled and mathematical letters become plain. */
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

/** From Unicode's confusables (UTS 39), only pairs that have the same shape in common fonts. */
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
