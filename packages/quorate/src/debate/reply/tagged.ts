import type { ModelReply } from '../../model/model.ts'
import { type OptionMatch, optionMatcher } from '../match-option.ts'
import { parseConfidence } from './parse-confidence.ts'
import { type AnswerForm, isOpenAnswer, type OpenForm, type ParsedAnswer, unreadable } from './parsed-answer.ts'
import { unescapedMarkup } from './reply-text.ts'

/** No reply with one answer has so many. */
const MOST_TAGS = 200
const CONFIDENCE_PLACEHOLDER = '0-100'

/**
 * The part of a prompt that asks for an answer between tags. The tags carry a code that occurs nowhere else in the
 * prompt, so no other text that the agent is shown can contain an answer.
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

/** The answer between tags with this code; null if the reply has no such tag. */
export function readTagged(text: string, finish: ModelReply['finish'], form: AnswerForm): ParsedAnswer | null {
  // Escaped markup counts only if there is no unescaped one.
  for (const readable of new Set([text, unescapedMarkup(text)])) {
    const tags = tagsIn(readable, 'answer', form.code)
    if (tags.length > 0) return fromTags(tags, readable, finish, form)
  }
  return null
}

function fromTags(tags: readonly Tag[], text: string, finish: ModelReply['finish'], form: AnswerForm): ParsedAnswer {
  const { options } = form
  if (tags.length > MOST_TAGS) return unreadable('several-answers')
  const given = tags.filter(
    ({ words }) => words !== '' && words !== (form.open === undefined ? placeholder(options) : '...'),
  )
  if (given.length === 0) return unreadable(finish === 'length' ? 'truncated' : 'no-answer')
  if (finish === 'length' && given.some(({ isClosed }) => !isClosed)) return unreadable('truncated')
  if (form.open !== undefined) return openAnswer(given, text, { ...form, open: form.open })
  const matcher = optionMatcher(options)
  const matches = given.map(({ words }) => matcher.stated(words))
  const [first] = matches
  if (matches.every(({ kind }) => kind === 'none')) return unreadable('not-an-option')
  if (first?.kind !== 'option' || !matches.every((match) => isOption(match, first.index))) {
    return unreadable('several-answers')
  }
  return { kind: 'answer', option: options[first.index]?.name ?? '', confidence: confidenceIn(text, form) }
}

/** An open answer, on which all tags must agree. */
function openAnswer(tags: readonly Tag[], text: string, form: AnswerForm & { readonly open: OpenForm }): ParsedAnswer {
  const [first = '', ...others] = new Set(tags.map(({ words }) => words))
  if (others.length > 0) return unreadable('several-answers')
  if (!isOpenAnswer(first, form.open)) return unreadable('not-an-option')
  return { kind: 'answer', option: first, confidence: confidenceIn(text, form) }
}

/** The confidence that all tags agree on; null if they do not, or if one cannot be read. */
function confidenceIn(text: string, { code }: AnswerForm): number | null {
  const tags = tagsIn(text, 'confidence', code).filter(({ words }) => words !== CONFIDENCE_PLACEHOLDER)
  if (tags.length > MOST_TAGS) return null
  const [first = null, ...others] = tags.map(({ words }) => parseConfidence(words))
  return others.every((other) => other === first) ? first : null
}

function isOption(match: OptionMatch, index: number): boolean {
  return match.kind === 'option' && match.index === index
}

function placeholder(options: AnswerForm['options']): string {
  return options.map(({ name }) => name).join('|')
}

interface Tag {
  readonly words: string
  readonly isClosed: boolean
}

/**
 * Each opening tag with the words up to its closing tag, which need not repeat the code, or else up to the end of the
 * line. A confidence inside an answer is not part of it.
 */
function tagsIn(text: string, name: 'answer' | 'confidence', code: string): readonly Tag[] {
  const found = [...text.matchAll(TAG_PATTERNS[name])].filter(({ 2: own, 3: closing }) => isOf(code, own ?? closing))
  return found.flatMap((tag, index) => {
    if (tag[1] === undefined) return []
    const next = found[index + 1]
    const isClosed = next !== undefined && next[1] === undefined
    const inside = text.slice(tag.index + tag[0].length, next?.index).trim()
    const words = isClosed ? inside : (inside.split(/[\n<]/u, 1)[0] ?? '')
    return [{ words: words.split(`<confidence-${code}`, 1)[0]?.trim() ?? '', isClosed }]
  })
}

/** Tags with any code: compiling a pattern for the code of each reply would take longer than using it. */
const TAG_PATTERNS = { answer: tagPattern('answer'), confidence: tagPattern('confidence') }

function tagPattern(name: string): RegExp {
  return new RegExp(`<\\s?(?:(${name}-([^\\s<>]+))(?:\\s[^<>]{0,80})?|/\\s?${name}(?:-([^\\s<>]+))?\\s?)>`, 'giu')
}

/** A closing tag may lack the code. */
function isOf(code: string, found: string | undefined): boolean {
  return found === undefined || found.toLowerCase() === code.toLowerCase()
}
