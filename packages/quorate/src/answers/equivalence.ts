import { canonicalJson } from '@quorate/certificate'
import type { JsonField, OpenAnswers } from '../record/open-answers.ts'
import { jsonOf } from '../record/parse-stored.ts'
import { unfencedJson } from '../text/json-line.ts'
import { isSameMath, MATH_ENGINE } from './math-engine.ts'

/**
 * Decides when two open answers are the same. It is a fixed function of the two texts: it sees no label, no other question and
 * no later round. It need not be transitive, because an answer is compared only with the representative of a class.
 */
export interface Equivalence {
  /** Name, version and settings, for the fingerprint of a panel. */
  readonly words: string
  /** Describes the answer, for the prompt. */
  readonly form: string
  /** Whether the text can be read as such an answer. */
  isReadable(answer: string): boolean
  isSame(representative: string, answer: string): boolean | Promise<boolean>
}

/** Asks a model whether two answers are the same. */
export type Compare = (representative: string, answer: string) => Promise<boolean>

/** Raised with every change after which two texts could be the same that were not, or the other way round. */
const EQUIVALENCE_VERSION = 2

/** `compare` asks the judge, for answers of kind judged. Without it, such answers can be read but not compared. */
export function equivalenceOf(answers: OpenAnswers, compare: Compare = notCompared): Equivalence {
  const engine = answers.kind === 'math' ? `, ${MATH_ENGINE}` : ''
  const words = `${answers.kind} rules ${EQUIVALENCE_VERSION}${engine}, ${canonicalJson(answers)}`
  return { words, ...rulesOf(answers, compare) }
}

function notCompared(): never {
  throw new Error('equivalenceOf: answers of kind judged are compared by a judge, and there is none')
}

type Rules = Omit<Equivalence, 'words'>
/** Reads an answer, null if the text is none, and compares two answers that were read. */
interface Compared<Read> {
  read(answer: string): Read | null
  isSame(one: Read, other: Read): boolean
}

function rulesOf(answers: OpenAnswers, compare: Compare): Rules {
  switch (answers.kind) {
    case 'number':
      return { form: numberForm(answers.unit), ...byReading(numberRules(answers)) }
    case 'text':
      return { form: 'a short text, the answer alone and no sentence around it', ...byReading(textRules(answers)) }
    case 'json':
      return { form: jsonForm(answers.fields), ...byReading(jsonRules(answers.fields)) }
    case 'math':
      return {
        form: 'a mathematical expression in LaTeX, simplified and without $',
        isReadable: (answer) => mathText(answer) !== '',
        isSame: (one, other) => isSameMath(mathText(one), mathText(other)),
      }
    case 'judged':
      return {
        form: 'a short text, the answer alone and no sentence around it',
        isReadable: (answer) => answer.trim() !== '',
        isSame: compare,
      }
  }
}

function byReading<Read>({ read, isSame }: Compared<Read>): Pick<Rules, 'isReadable' | 'isSame'> {
  return {
    isReadable: (answer) => read(answer) !== null,
    isSame(representative, answer) {
      const [one, other] = [read(representative), read(answer)]
      return one !== null && other !== null && isSame(one, other)
    },
  }
}

function numberForm(unit: string | undefined): string {
  return unit === undefined ? 'a number' : `a number in ${unit}`
}

function numberRules({
  absTol,
  relTol,
  unit,
}: {
  readonly absTol: number
  readonly relTol: number
  readonly unit?: string | undefined
}): Compared<number> {
  return {
    read: (answer) => readNumber(answer, unit),
    isSame(one, other) {
      const apart = Math.abs(one - other)
      return apart <= absTol || apart <= relTol * Math.max(Math.abs(one), Math.abs(other))
    },
  }
}

/** `1,234.5`, `-3/4`, `1.2e3`, `1.2 x 10^3`, `45 %`, `$12`, `3.2 km`. The decimal separator is a point. */
const NUMBER =
  /^(?:[$€£¥] ?)?([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)(?:e([+-]?\d{1,3})| ?[x×*·] ?10 ?\^ ?\{?([+-]?\d{1,3})\}?)?(?: ?\/ ?(\d{1,12}(?:\.\d+)?))?(?: ?([^\d\s.,;/][^\d;]{0,40}?))?\.?$/iu

function readNumber(answer: string, unit: string | undefined): number | null {
  const bare = answer
    .normalize('NFKC')
    .replace(/[−‐‑‒–]/gu, '-')
    .trim()
    .replace(/^(?:\\?\$|\\\()|(?:\\?\$|\\\))$/gu, '')
    .trim()
    .replace(/\\(?:,|!|;| )/gu, '')
    .replace(/\\%/gu, '%')
    .trim()
  const found = NUMBER.exec(bare)
  if (found === null || !/\d/u.test(found[1] ?? '')) return null
  const [, digits = '', exponent, power, divisor, named] = found
  const value = (Number(digits.replaceAll(',', '')) * 10 ** Number(exponent ?? power ?? 0)) / Number(divisor ?? 1)
  const factor = factorOf(named?.trim(), unit)
  return factor === null || !Number.isFinite(value) ? null : value * factor
}

/** Quantity and size of each unit. Prefixes are written out, because a wrong guess would be a wrong answer. */
const UNITS: ReadonlyMap<string, readonly [quantity: string, size: number]> = new Map(
  Object.entries({
    length: { mm: 1e-3, cm: 1e-2, m: 1, km: 1e3, in: 0.0254, ft: 0.3048, mi: 1609.344 },
    mass: { mg: 1e-6, g: 1e-3, kg: 1, t: 1e3, lb: 0.45359237, oz: 0.028349523125 },
    time: { ms: 1e-3, s: 1, min: 60, h: 3600, d: 86_400 },
    volume: { ml: 1e-3, l: 1 },
    share: { '%': 0.01, '‰': 0.001 },
  }).flatMap(([quantity, units]) => Object.entries(units).map(([name, size]) => [name, [quantity, size]] as const)),
)

/** The factor from the named unit to the unit of the answer; null if there is none. */
function factorOf(named: string | undefined, unit: string | undefined): number | null {
  if (named === undefined || named === unit) return 1
  const from = UNITS.get(named)
  if (unit === undefined) return named === '%' ? 0.01 : null
  const to = UNITS.get(unit)
  return from !== undefined && to !== undefined && from[0] === to[0] ? from[1] / to[1] : null
}

function textRules({ normalise }: { readonly normalise: readonly string[] }): Compared<string> {
  const isOn = new Set(normalise)
  return {
    read(answer) {
      let text = answer.normalize('NFC').trim()
      if (isOn.has('accents'))
        text = text
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
          .normalize('NFC')
      if (isOn.has('case')) text = text.toLowerCase()
      if (isOn.has('punctuation')) text = text.replace(/[\p{P}\p{S}]+/gu, ' ')
      if (isOn.has('articles')) text = text.replace(/(?<![\p{L}\p{N}])(?:the|an?)(?![\p{L}\p{N}])/giu, ' ')
      if (isOn.has('space') || isOn.has('punctuation') || isOn.has('articles')) text = text.replace(/\s+/gu, ' ').trim()
      return text === '' ? null : text
    },
    isSame: (one, other) => one === other,
  }
}

function jsonForm(fields: Readonly<Record<string, JsonField>>): string {
  const listed = Object.entries(fields).map(([name, each]) => {
    return `${JSON.stringify(name)}: ${each.kind === 'number' ? numberForm(each.unit) : 'a text'}`
  })
  return `a JSON object {${listed.join(', ')}}`
}

function jsonRules(fields: Readonly<Record<string, JsonField>>): Compared<ReadonlyMap<string, string>> {
  const rules = new Map(Object.entries(fields).map(([name, each]) => [name, fieldRules(each)]))
  return {
    read(answer) {
      const value = jsonObject(answer)
      const read = new Map<string, string>()
      for (const [name, rule] of rules) {
        const member: unknown = value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
        const text = typeof member === 'number' || typeof member === 'string' ? String(member) : null
        if (text === null || !rule.isReadable(text)) return null
        read.set(name, text)
      }
      return read
    },
    isSame: (one, other) => [...rules].every(([name, rule]) => rule.isSame(one.get(name) ?? '', other.get(name) ?? '')),
  }
}

function fieldRules(each: JsonField) {
  return each.kind === 'number' ? byReading(numberRules(each)) : byReading(textRules(each))
}

function jsonObject(answer: string): object | null {
  const value = jsonOf(unfencedJson(answer))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

/** The expression without its delimiters, its box and its spacing commands. */
function mathText(answer: string): string {
  let text = answer.normalize('NFC').trim().replace(/\.$/u, '')
  for (const [open, close] of [
    ['$$', '$$'],
    ['$', '$'],
    ['\\(', '\\)'],
    ['\\[', '\\]'],
  ] as const) {
    if (text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close)) {
      text = text.slice(open.length, -close.length).trim()
    }
  }
  return (/^\\boxed\{(.*)\}$/su.exec(text)?.[1] ?? text)
    .replace(/\\(?:left|right|,|!|;)/gu, '')
    .replaceAll('\\dfrac', '\\frac')
    .trim()
}

/** The classes of a debate: the answers so far, and the class of each further answer. */
export interface AnswerClasses {
  /** The class of the next answer, in the fixed order of rounds and agents; null if no class is left for it. */
  place(answer: string): Promise<string | null>
  /** The classes whose answer is the same as this one. */
  sameAs(text: string): Promise<string[]>
}

/** `most`: the largest number of classes. `known`: the representatives of classes 1, 2, ... so far. */
export function answerClasses(rules: Equivalence, most: number, known: readonly string[] = []): AnswerClasses {
  const representatives = [...known]
  const classOf = async (answer: string): Promise<number> => {
    for (const [at, representative] of representatives.entries()) {
      if (representative === answer || (await rules.isSame(representative, answer))) return at
    }
    return -1
  }
  return {
    async place(answer) {
      const found = await classOf(answer)
      if (found >= 0) return String(found + 1)
      return representatives.length >= most ? null : String(representatives.push(answer))
    },
    async sameAs(text) {
      const same: string[] = []
      for (const [at, representative] of representatives.entries()) {
        if (representative === text || (await rules.isSame(representative, text))) same.push(String(at + 1))
      }
      return same
    },
  }
}
