import type { ModelReply } from '../../model/model.ts'
import { type OptionMatch, optionMatcher } from '../match-option.ts'
import { parseConfidence } from './parse-confidence.ts'
import { type AnswerForm, isOpenAnswer, type OpenForm, type ParsedAnswer, unreadable } from './parsed-answer.ts'
import { unescapedMarkup } from './reply-text.ts'

/** Nobody who means one answer writes so many. */
const MOST_MARKS = 200
const CONFIDENCE_PLACEHOLDER = '0-100'

/**
 * The part of a prompt that asks for an answer between marks. The marks carry a code that stands nowhere else in the
 * prompt, so no other text that the agent is shown can hold an answer.
 */
export function taggedForm({ options, open, code, hasConfidence }: AnswerForm): string {
  const answer = `<answer-${code}>${open === undefined ? placeholder(options) : '...'}</answer-${code}>`
  const confidence = hasConfidence ? `<confidence-${code}>${CONFIDENCE_PLACEHOLDER}</confidence-${code}>` : ''
  return [
    `Think step by step, then return: <reasoning>...</reasoning>${answer}${confidence}`,
    ...(open === undefined ? [] : [`The answer is ${open.form}.`]),
    `Copy the code ${code} as it stands: only marks that carry it are read as yours.`,
    ...(hasConfidence ? ['The confidence is the probability, in percent, that your answer is right.'] : []),
  ].join('\n')
}

/** The answer between marks with this code; null where the reply has no such mark. */
export function readTagged(text: string, finish: ModelReply['finish'], form: AnswerForm): ParsedAnswer | null {
  // Escaped markup counts only where there is none that is not.
  for (const readable of new Set([text, unescapedMarkup(text)])) {
    const marks = marksIn(readable, 'answer', form.code)
    if (marks.length > 0) return fromMarks(marks, readable, finish, form)
  }
  return null
}

function fromMarks(marks: readonly Mark[], text: string, finish: ModelReply['finish'], form: AnswerForm): ParsedAnswer {
  const { options } = form
  if (marks.length > MOST_MARKS) return unreadable('several-answers')
  const given = marks.filter(
    ({ words }) => words !== '' && words !== (form.open === undefined ? placeholder(options) : '...'),
  )
  if (given.length === 0) return unreadable(finish === 'length' ? 'truncated' : 'no-answer')
  if (finish === 'length' && given.some(({ isClosed }) => !isClosed)) return unreadable('truncated')
  if (form.open !== undefined) return openAnswer(given, text, { ...form, open: form.open })
  const matcher = optionMatcher(options)
  const matches = given.map(({ words }) => matcher.whole(words))
  const [first] = matches
  if (matches.every(({ kind }) => kind === 'none')) return unreadable('not-an-option')
  if (first?.kind !== 'option' || !matches.every((match) => isOption(match, first.index))) {
    return unreadable('several-answers')
  }
  return { kind: 'answer', option: options[first.index]?.name ?? '', confidence: confidenceIn(text, form) }
}

/** An answer that no list holds: every mark must say the same. */
function openAnswer(
  marks: readonly Mark[],
  text: string,
  form: AnswerForm & { readonly open: OpenForm },
): ParsedAnswer {
  const [first = '', ...others] = new Set(marks.map(({ words }) => words))
  if (others.length > 0) return unreadable('several-answers')
  if (!isOpenAnswer(first, form.open)) return unreadable('not-an-option')
  return { kind: 'answer', option: first, confidence: confidenceIn(text, form) }
}

/** What all marks of confidence agree on; null where they do not, or where one cannot be read. */
function confidenceIn(text: string, { code }: AnswerForm): number | null {
  const marks = marksIn(text, 'confidence', code).filter(({ words }) => words !== CONFIDENCE_PLACEHOLDER)
  if (marks.length > MOST_MARKS) return null
  const [first = null, ...others] = marks.map(({ words }) => parseConfidence(words))
  return others.every((other) => other === first) ? first : null
}

function isOption(match: OptionMatch, index: number): boolean {
  return match.kind === 'option' && match.index === index
}

function placeholder(options: AnswerForm['options']): string {
  return options.map(({ name }) => name).join('|')
}

interface Mark {
  readonly words: string
  readonly isClosed: boolean
}

/**
 * Each opening mark with the words up to its closing mark, which need not repeat the code; else to the end of its line.
 * A confidence inside an answer is no part of it.
 */
function marksIn(text: string, name: 'answer' | 'confidence', code: string): readonly Mark[] {
  const found = [...text.matchAll(MARKS[name])].filter(({ 2: own, 3: closing }) => isOf(code, own ?? closing))
  return found.flatMap((mark, index) => {
    if (mark[1] === undefined) return []
    const next = found[index + 1]
    const isClosed = next !== undefined && next[1] === undefined
    const inside = text.slice(mark.index + mark[0].length, next?.index).trim()
    const words = isClosed ? inside : (inside.split(/[\n<]/u, 1)[0] ?? '')
    return [{ words: words.split(`<confidence-${code}`, 1)[0]?.trim() ?? '', isClosed }]
  })
}

/** Marks of every code: a pattern for each reply's own would take longer to make than to use. */
const MARKS = { answer: marksOf('answer'), confidence: marksOf('confidence') }

function marksOf(name: string): RegExp {
  return new RegExp(`<\\s?(?:(${name}-([^\\s<>]+))(?:\\s[^<>]{0,80})?|/\\s?${name}(?:-([^\\s<>]+))?\\s?)>`, 'giu')
}

/** A closing mark may lack the code. */
function isOf(code: string, found: string | undefined): boolean {
  return found === undefined || found.toLowerCase() === code.toLowerCase()
}
