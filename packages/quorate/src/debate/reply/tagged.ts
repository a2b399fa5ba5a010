import type { ModelReply } from '../../model/model.ts'
import { optionMatcher } from '../match-option.ts'
import { parseConfidence } from './parse-confidence.ts'
import { type AnswerForm, isOpenAnswer, type ParsedAnswer, type Unreadable, unreadable } from './parsed-answer.ts'
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

/**
 * Only the agent can write its code, so all these tags are its own. The last one counts, unless it is only mentioned, as in
 * `Why not <answer>C</answer>? Because ...`. If they differ, it corrects the others, and must stand where the form asks for it,
 * at the end.
 */
function fromTags(tags: readonly Tag[], text: string, finish: ModelReply['finish'], form: AnswerForm): ParsedAnswer {
  const isCut = finish === 'length'
  if (tags.length > MOST_TAGS) return unreadable('several-answers')
  if (isCut && tags.at(-1)?.isClosed === false) return unreadable('truncated')
  const echo = form.open === undefined ? placeholder(form.options) : '...'
  const given = tags.filter(({ words }) => words !== '' && words !== echo)
  const last = given.at(-1)
  if (last === undefined) return unreadable(isCut ? 'truncated' : 'no-answer')
  const option = optionOf(last.words, form)
  if (typeof option !== 'string') return option
  const isCorrection = given.some(({ words }) => optionOf(words, form) !== option)
  if (isMentioned(last, text)) return unreadable(isCorrection ? 'several-answers' : 'no-answer')
  if (isCorrection && !isAtEnd(last, text)) return unreadable('several-answers')
  if (mayBeQuoted(last, text, form)) return unreadable('not-an-option')
  // The confidence in an answer that was corrected is not the confidence in this one.
  return { kind: 'answer', option, confidence: confidenceIn(isCorrection ? text.slice(last.start) : text, isCut, form) }
}

/** The name of the option, or the open answer. */
function optionOf(words: string, { options, open }: AnswerForm): string | Unreadable {
  if (open !== undefined) return isOpenAnswer(words, open) ? words : unreadable('not-an-option')
  const match = optionMatcher(options).stated(words)
  if (match.kind === 'option') return options[match.index]?.name ?? ''
  return unreadable(match.kind === 'several' ? 'several-answers' : 'not-an-option')
}

/**
 * A closing tag without the code may end a quotation that follows a mention of the agent's own tag, unless one with the code
 * follows at once, as in `<answer-CODE><answer>A</answer></answer-CODE>`.
 */
function mayBeQuoted({ isSealed, words, end }: Tag, text: string, { options, code }: AnswerForm): boolean {
  if (isSealed || !hasQuotation(words)) return false
  const [, after] = CLOSING.exec(text.slice(end, end + ROOM)) ?? []
  const isName = options.some((option) => words === option.name || words === option.text)
  return !isName && (after === undefined || !isOf(code, after))
}

function hasQuotation(words: string): boolean {
  return QUOTATION.test(words.normalize('NFKC'))
}

/**
 * In compatibility form, because an option may be read from full-width marks too. Marks at the beginning may stand behind those
 * of a list or of bold print. A `'` elsewhere may be an apostrophe.
 */
const QUOTATION = /["“”„‟«»‹›「」『』〝〞〟《》❝❞`<>]|^[^\p{L}\p{N}]*['‘’‚‛~]/u
const CLOSING = /^\s*<\s?\/\s?answer-([^\s<>]+)\s?>/iu

/** Whether only its confidence, markup and punctuation follow. A closing tag without the code may be another agent's. */
function isAtEnd({ isSealed, end }: Tag, text: string): boolean {
  const rest = text.slice(end).replace(/<\s?confidence-[^<>]*>[^<\p{L}]*(?=<|$)|<\s?\/?\s?[\w-]+\s?>/giu, '')
  return isSealed && !NOT_THE_END.test(rest)
}

/** Words go on; a question mark or a sign such as a cross may take the answer back. */
const NOT_THE_END = /[\p{L}\p{N}\p{So}\p{Sm}?？؟]/u

/** Whether it is asked about or rejected. */
function isMentioned({ start, end }: Tag, text: string): boolean {
  return REJECTED.test(text.slice(Math.max(0, start - ROOM), start)) || ASKED.test(text.slice(end, end + ROOM))
}

/** Markup, and behind the answer also its confidence, may stand between it and these words and signs. */
const REJECTED =
  /\b(?:not|never|nor|than|instead of|against|reject|rejected|rule out|ruled out)[ *_(["'`“‘«]*(?:<[^<>/][^<>]{0,80}>[ *_(["'`“‘«]*)*$/iu
const ASKED =
  /^(?:\s*<\s?\/[^<>]{1,80}>|\s*<\s?confidence-[^<>]{1,80}>[^<>]{0,20}<\s?\/[^<>]{1,80}>)*[ *_)\]"'`”’»!]*[?？؟]/iu
/** Characters beside a tag that may contain a word or a mark about it. */
const ROOM = 100

/** The last confidence; null if it cannot be read, or may be cut, a quotation, or a correction whose end is in doubt. */
function confidenceIn(text: string, isCut: boolean, { code }: AnswerForm): number | null {
  const tags = tagsIn(text, 'confidence', code).filter(({ words }) => words !== CONFIDENCE_PLACEHOLDER)
  const last = tags.at(-1)
  if (last === undefined || tags.length > MOST_TAGS || (isCut && !last.isClosed)) return null
  const confidence = parseConfidence(last.words)
  const isCorrection = tags.some(({ words }) => parseConfidence(words) !== confidence)
  return !last.isSealed && (isCorrection || hasQuotation(last.words)) ? null : confidence
}

function placeholder(options: AnswerForm['options']): string {
  return options.map(({ name }) => name).join('|')
}

interface Tag {
  readonly words: string
  readonly isClosed: boolean
  /** Closed by a tag with the code. */
  readonly isSealed: boolean
  /** Where the opening tag begins. */
  readonly start: number
  /** Where the closing tag ends, or the opening tag if none follows. */
  readonly end: number
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
    const closing = next?.[1] === undefined ? next : undefined
    const inside = text.slice(endOf(tag), next?.index).trim()
    const words = closing === undefined ? (inside.split(/[\n<]/u, 1)[0] ?? '') : inside
    return [
      {
        words: words.split(`<confidence-${code}`, 1)[0]?.trim() ?? '',
        isClosed: closing !== undefined,
        isSealed: closing?.[3] !== undefined,
        start: tag.index,
        end: endOf(closing ?? tag),
      },
    ]
  })
}

function endOf({ index, 0: found }: RegExpExecArray): number {
  return index + found.length
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
