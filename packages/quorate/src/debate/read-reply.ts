import type { QuestionOption } from '../record/question.ts'
import { type AnswerMark, answerMarks, MOST_MARKS } from './answer-marks.ts'
import { isReported, type Speakers } from './attribution.ts'
import type { Echoes } from './echoes.ts'
import { hideQuotes } from './hide-quotes.ts'
import type { OptionMatch, OptionMatcher } from './match-option.ts'
import { plainAnswers } from './plain-answer.ts'
import { outsideQuotations } from './quotation-marks.ts'
import { isRefusal } from './refusal.ts'
import { cutRegions, type Region, withoutRegions } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags } from './scan-tags.ts'
import { statedConfidence } from './stated-confidence.ts'

export type UnreadableReason = 'no-answer' | 'several-answers' | 'refusal' | 'truncated' | 'not-an-option'

export interface Reading {
  readonly options: readonly QuestionOption[]
  readonly matcher: OptionMatcher
  readonly speakers: Speakers
  /** The reply ran into its longest length. */
  readonly isCut: boolean
  readonly echoes: Echoes
  /** Whether another's words in it may have been made one's own: not in a reply that is one code fence. */
  readonly mayAdopt: boolean
}

export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: UnreadableReason
}

export type Found =
  /** `at`: around the words that name the option, in the text that was read. */
  | { readonly kind: 'answer'; readonly index: number; readonly confidence: number | null; readonly at: Region }
  | Unreadable

export function unreadable(reason: UnreadableReason): Unreadable {
  return { kind: 'unreadable', reason }
}

/** The answer of a text in which nothing is quoted but what looks so. */
export function readReply(clean: string, reading: Reading): Found {
  const { text, back, doubtful } = hideQuotes(clean, reading.speakers.others)
  const marks = answerMarks(text, reading.speakers)
  if (marks.length > MOST_MARKS) return unreadable('several-answers')
  const own = marks.filter((mark) => !mark.isAttributed && !isEcho(mark, reading))
  const outside = own.filter(({ isReasoning }) => !isReasoning)
  const chosen = outside.length > 0 ? outside : own
  const found = chosen.length > 0 ? fromMarks(text, chosen, reading) : fromWords(text, marks, reading)
  if (found.kind === 'unreadable') return found
  const { match, at } = found
  // What has no end may have swallowed the answer that is meant, and left one that is not.
  const rivals = doubtful === '' ? [] : statedMatches(doubtful, reading, HEDGED)
  if (rivals.some((rival) => !isSame(rival, match))) return unreadable('several-answers')
  const confidence = statedConfidence(text, { marks, at, speakers: reading.speakers, echoes: reading.echoes })
  return { kind: 'answer', index: match.index, confidence, at: { start: back(at.start), end: back(at.end) } }
}

/** What a text gives as an answer, in tags or else in words; not what it gives to others or repeats of the prompt. */
export function statedMatches(text: string, reading: Reading, leftOut: RegExp | null = null): readonly OptionMatch[] {
  const { matcher, speakers } = reading
  const isMeant = ({ start }: Region): boolean => !(leftOut?.test(text.slice(Math.max(0, start - 80), start)) ?? false)
  const marks = answerMarks(text, speakers)
  if (marks.length > 0) {
    const own = marks.filter((mark) => !mark.isAttributed && !isEcho(mark, reading) && isMeant(mark))
    return own.map(({ words }) => matchOf(words, reading))
  }
  return plainAnswers(withoutRegions(text, scanTags(text), ' '), matcher, speakers).map(({ match }) => match)
}

export function isSame(match: OptionMatch, other: OptionMatch | undefined): boolean {
  return (
    match.kind === other?.kind &&
    (match.kind !== 'option' || match.index === (other.kind === 'option' ? other.index : -1))
  )
}

/** Thinking aloud, or about the form: `Maybe <answer>B</answer>?` */
export const HEDGED =
  /\b(?:maybe|perhaps|possibly|could|might|if|would|should|something like|write|output|put|format)\b[^.\n]*$/iu

function isEcho({ words }: AnswerMark, { matcher }: Reading): boolean {
  return matcher.isEcho(withoutElements(words))
}

/** What was settled on in a text, and where it is named there. */
type Settled =
  | { readonly kind: 'answer'; readonly match: Extract<OptionMatch, { kind: 'option' }>; readonly at: Region }
  | Unreadable

function fromMarks(text: string, marks: readonly AnswerMark[], reading: Reading): Settled {
  const closed = marks.filter(({ isClosed }) => isClosed)
  // A reply that was cut may have been cut inside its answer: `<answer>1` of 10.
  if (reading.isCut && closed.length === 0) return unreadable('truncated')
  const candidates = (reading.isCut ? closed : marks).map((mark) => ({
    ...mark,
    named: mark,
    match: matchOf(mark.words, reading),
  }))
  return settled(text, candidates, reading.speakers)
}

/** What stands inside the tags: an option, or a sentence that says which. */
export function matchOf(words: string, { matcher, speakers }: Reading): OptionMatch {
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

interface Candidate extends Region {
  readonly match: OptionMatch
  readonly isDraft: boolean
  readonly named: Region
}

/** The last answer, if every other one agrees with it or was left for it. */
function settled(text: string, candidates: readonly Candidate[], speakers: Speakers): Settled {
  const last = candidates.at(-1)
  if (last === undefined) return unreadable('no-answer')
  const standing = candidates.filter(
    (candidate) =>
      candidate === last || !(candidate.isDraft || isCorrected(text.slice(candidate.end, last.start), speakers)),
  )
  if (standing.some(({ match }) => !isSame(match, last.match))) return unreadable('several-answers')
  const { match, named } = last
  if (match.kind === 'option') return { kind: 'answer', match, at: named }
  return unreadable(match.kind === 'several' ? 'several-answers' : 'not-an-option')
}

const CORRECTION =
  /\b(?:wait|actually|correction|on reflection|on second thought|scratch that|oops|mistake|mistaken|no longer|i (?:now )?(?:change|revise|switch|retract|withdraw)|changed my|revised|revising|reconsider|reconsidering|reconsidered|update|updated|final|finally)\b/giu
const LONGEST_BETWEEN = 4000
/** Of words of correction, the last ones. */
const MOST_CORRECTIONS = 20

/** Words of correction count where they are the speaker's own. */
export function isCorrected(between: string, speakers: Speakers): boolean {
  const words = between.slice(-LONGEST_BETWEEN)
  const found = [...words.matchAll(CORRECTION)].slice(-MOST_CORRECTIONS).map(({ index }) => ({ start: index }))
  return outsideQuotations(words, found).some(({ start }) => !isReported(words.slice(0, start), speakers))
}

function fromWords(text: string, marks: readonly AnswerMark[], reading: Reading): Settled {
  const { matcher, speakers, isCut } = reading
  const others = cutRegions(text, marks, TAKEN_OUT)
  const untagged = cutRegions(others.text, scanTags(others.text), ' ')
  const words = untagged.text.trim()
  const shift = untagged.text.indexOf(words)
  const back = (position: number): number => others.back(untagged.back(position + shift))
  // A bare name is whole even if the reply was cut after it: a reply of one token always is.
  const bare = matcher.whole(words)
  if (bare.kind === 'option' && !(isCut && matcher.isPrefix(words))) {
    return { kind: 'answer', match: bare, at: { start: back(0), end: back(words.length) } }
  }
  if (isCut) return unreadable('truncated')
  const answers = plainAnswers(words, matcher, speakers)
  if (answers.length === 0) return unreadable(isRefusal(words) ? 'refusal' : 'no-answer')
  const found = settled(words, answers, speakers)
  if (found.kind === 'unreadable') return found
  return { ...found, at: { start: back(found.at.start), end: back(found.at.end) } }
}
