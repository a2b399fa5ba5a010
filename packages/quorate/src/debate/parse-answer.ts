import type { ModelReply } from '../model/model.ts'
import type { QuestionOption } from '../questions/question.ts'
import { type AnswerMark, answerMarks } from './answer-marks.ts'
import type { Speakers } from './attribution.ts'
import { hideQuotes, withoutOuterFence } from './hide-quotes.ts'
import { type OptionMatch, type OptionMatcher, optionMatcher } from './match-option.ts'
import { plainAnswers } from './plain-answer.ts'
import { isRefusal } from './refusal.ts'
import { withoutRegions } from './regions.ts'
import { LONGEST_REPLY, replyText, TAKEN_OUT, unescapedMarkup } from './reply-text.ts'
import { scanTags } from './scan-tags.ts'
import { statedConfidence } from './stated-confidence.ts'

export type ParsedAnswer =
  /** `option` is a name; `confidence` the probability stated for it, null where none can be read. */
  | { readonly kind: 'answer'; readonly option: string; readonly confidence: number | null }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }

export type UnreadableReason = 'no-answer' | 'several-answers' | 'refusal' | 'truncated' | 'not-an-option'

export interface ReplyContext {
  readonly options: readonly QuestionOption[]
  /** Default: it stopped by itself. */
  readonly finish?: ModelReply['finish']
  /** Name of the agent that replies. */
  readonly self?: string
  /** Names of the other agents. */
  readonly others?: readonly string[]
}

/**
 * The answer that an agent gives in its reply. Whatever the reply quotes is no answer of its own; where it cannot be
 * told what the agent means the result says why, and a reminder is cheaper than a guess. Never throws, and takes time
 * in proportion to the reply.
 */
export function parseAnswer(text: string, context: ReplyContext): ParsedAnswer {
  const { options, finish = 'stop', self = null, others = [] } = context
  if (finish === 'refusal') return unreadable('refusal')
  if (text.length > LONGEST_REPLY) return unreadable('no-answer')
  const matcher = optionMatcher(options)
  const reading: Reading = { matcher, speakers: { self, others }, isCut: finish === 'length' }
  const clean = withoutOuterFence(replyText(text))
  const outcome = readReply(clean, reading)
  // Markup that came escaped counts only where there is none that did not.
  const isPlain = !scanTags(clean).some(({ name }) => name === 'answer')
  const second = outcome.kind === 'unreadable' && isPlain ? replyText(unescapedMarkup(clean)) : clean
  const found = second === clean ? outcome : readReply(second, reading)
  if (found.kind === 'unreadable') return found
  return { kind: 'answer', option: options[found.index]?.name ?? '', confidence: found.confidence }
}

/** Nobody who means one answer writes so many. */
const MOST_MARKS = 200

interface Reading {
  readonly matcher: OptionMatcher
  readonly speakers: Speakers
  /** The reply ran into its longest length. */
  readonly isCut: boolean
}

type Found =
  | { readonly kind: 'answer'; readonly index: number; readonly confidence: number | null }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }

function unreadable(reason: UnreadableReason): { readonly kind: 'unreadable'; readonly reason: UnreadableReason } {
  return { kind: 'unreadable', reason }
}

function readReply(clean: string, reading: Reading): Found {
  const text = hideQuotes(clean, reading.speakers.others)
  const marks = answerMarks(text, reading.speakers)
  if (marks.length > MOST_MARKS) return unreadable('several-answers')
  const own = marks.filter((mark) => !mark.isAttributed && !reading.matcher.isEcho(withoutElements(mark.words)))
  const outside = own.filter(({ isReasoning }) => !isReasoning)
  const chosen = outside.length > 0 ? outside : own
  const found = chosen.length > 0 ? fromMarks(text, chosen, reading) : fromWords(text, marks, reading)
  if (found.kind === 'unreadable') return found
  return { ...found, confidence: statedConfidence(text, marks) }
}

function fromMarks(text: string, marks: readonly AnswerMark[], reading: Reading): Found {
  const closed = marks.filter(({ isClosed }) => isClosed)
  // A reply that was cut may have been cut inside its answer: `<answer>1` of 10.
  if (reading.isCut && closed.length === 0) return unreadable('truncated')
  return settled(
    text,
    (reading.isCut ? closed : marks).map((mark) => ({ ...mark, match: matchOf(mark.words, reading) })),
  )
}

/** What stands inside the tags: an option, or a sentence that says which. */
function matchOf(words: string, { matcher, speakers }: Reading): OptionMatch {
  const raw = matcher.whole(words)
  if (raw.kind === 'option') return raw
  const bare = withoutElements(words)
  const leading = matcher.leading(bare)
  if (leading.kind !== 'none') return leading
  const answers = plainAnswers(bare.trim(), matcher, speakers).filter(({ isDraft }) => !isDraft)
  const [first] = answers
  const isOne = answers.every(({ match }) => isSame(match, first?.match))
  return first === undefined ? { kind: 'none' } : isOne ? first.match : { kind: 'several' }
}

/** Without elements that belong beside an answer and not in it. */
function withoutElements(words: string): string {
  return words.replace(/<(confidence|reasoning|explanation)\b[^<>]{0,100}>[^<]{0,4000}<\/\1 ?>/giu, ' ')
}

interface Candidate {
  readonly start: number
  readonly end: number
  readonly match: OptionMatch
  readonly isDraft: boolean
}

/** The last answer, if every other one agrees with it or was left for it. */
function settled(text: string, candidates: readonly Candidate[]): Found {
  const last = candidates.at(-1)
  if (last === undefined) return unreadable('no-answer')
  const standing = candidates.filter(
    (candidate) => candidate === last || !(candidate.isDraft || isCorrected(text, candidate, last)),
  )
  if (standing.some(({ match }) => !isSame(match, last.match))) return unreadable('several-answers')
  if (last.match.kind === 'option') return { kind: 'answer', index: last.match.index, confidence: null }
  return unreadable(last.match.kind === 'several' ? 'several-answers' : 'not-an-option')
}

const CORRECTION =
  /\b(?:wait|actually|correction|on reflection|on second thought|scratch that|oops|mistake|mistaken|no longer|i (?:now )?(?:change|revise|switch|retract|withdraw)|changed my|revised|revising|reconsider|reconsidering|reconsidered|update|updated|final|finally)\b/iu
const LONGEST_BETWEEN = 4000

function isCorrected(text: string, earlier: Candidate, last: Candidate): boolean {
  return CORRECTION.test(text.slice(Math.max(earlier.end, last.start - LONGEST_BETWEEN), last.start))
}

function isSame(match: OptionMatch, other: OptionMatch | undefined): boolean {
  return (
    match.kind === other?.kind &&
    (match.kind !== 'option' || match.index === (other.kind === 'option' ? other.index : -1))
  )
}

function fromWords(text: string, marks: readonly AnswerMark[], reading: Reading): Found {
  const { matcher, speakers, isCut } = reading
  const others = withoutRegions(text, marks, TAKEN_OUT)
  const words = withoutRegions(others, scanTags(others), ' ').trim()
  // A bare name is whole even if the reply was cut after it: a reply of one token always is.
  const bare = matcher.whole(words)
  if (bare.kind === 'option' && !(isCut && matcher.isPrefix(words))) {
    return { kind: 'answer', index: bare.index, confidence: null }
  }
  if (isCut) return unreadable('truncated')
  const answers = plainAnswers(words, matcher, speakers)
  if (answers.length > 0) return settled(words, answers)
  return unreadable(isRefusal(words) ? 'refusal' : 'no-answer')
}
