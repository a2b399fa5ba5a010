import type { QuestionOption } from '../record/question.ts'
import { answerElements } from './answer-marks.ts'
import { isAttributed, type Speakers } from './attribution.ts'
import type { Echoes } from './echoes.ts'
import { isQuoting, quotingNames } from './hide-quotes.ts'
import type { OptionMatcher } from './match-option.ts'
import { foldedForm } from './option-forms.ts'
import { plainAnswers } from './plain-answer.ts'
import { firstFrom, type Region, regionAt, withoutRegions } from './regions.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/** A run of a reply that holds an answer and stands word for word in a text that the agent was shown. */
export interface KnownQuote extends Region {
  /** The words around it say that it is quoted. Else it may be that the agent made the words its own. */
  readonly isFramed: boolean
  /** The reply ends with it. */
  readonly isLast: boolean
}

export interface QuoteSearch {
  readonly echoes: Echoes
  readonly options: readonly QuestionOption[]
  readonly matcher: OptionMatcher
  readonly speakers: Speakers
}

/**
 * The quotations of what the agent was shown that hold an answer. `<answer>B</answer>` is what everybody writes, and
 * `Therefore, the answer is B.` before it too: without a frame only words that say more make it a quotation.
 */
export function knownQuotes(text: string, search: QuoteSearch): readonly KnownQuote[] {
  const tags = scanTags(text)
  const elements = answerElements(text, tags).map((element) => element.tags)
  const frames: Frames = {
    tags,
    quoting: quotingNames(search.speakers.others),
    fences: fencesOf(text),
    speakers: search.speakers,
  }
  const stock = stockWords(search.options)
  let next = 0
  let before = 0
  return search.echoes.runsOf(text).flatMap((echo) => {
    const whole = withoutHalfTags(text, echo, tags)
    const run = { start: Math.max(whole.start, Math.min(before, whole.end)), end: whole.end }
    while ((elements[next]?.end ?? Number.POSITIVE_INFINITY) <= run.start) next++
    const { extent, held } = heldBy(run, elements, next)
    const words = text.slice(extent.start, extent.end)
    const inside = held.map(({ start, end }) => ({ start: start - extent.start, end: end - extent.start }))
    const rest = withoutRegions(words, inside, ' ')
    const isFramed = isFramedIn(text, extent, frames)
    if (held.length === 0 && !(isFramed && CONFIDENCE.test(words)) && !saysAnswer(words, search)) return []
    const isBare = !/[\p{L}\p{N}<`~]/u.test(rest)
    const isLast = isEnd(text, extent.end)
    const isQuoted = isFramed ? !isBare : contentOf(rest, stock) >= (isLast ? LEAST_CONTENT : LEAST_CONTENT_WITHIN)
    if (isQuoted) before = extent.end
    return isQuoted ? [{ ...extent, isFramed, isLast }] : []
  })
}

const CONFIDENCE = /<(?:confidence|probability|certainty)\b/iu

/** A run may end inside a tag that only begins alike; then what stands before that tag is no part of it either. */
function withoutHalfTags(text: string, { start, end }: Region, tags: readonly Tag[]): Region {
  const first = regionAt(tags, start)
  const last = regionAt(tags, end - 1)
  const from = first !== null && first.start < start ? first.end : start
  let to = last !== null && last.end > end ? last.start : end
  while (to > from && to < end && IGNORED.test(text[to - 1] ?? '') && regionAt(tags, to - 1) === null) to--
  return { start: from, end: Math.max(from, to) }
}
const IGNORED = /[\s"'“”„‘’«»「」『』*_\\<>]/u

/** The run without halves of answers at its ends, and the answers inside it. */
function heldBy(
  run: Region,
  elements: readonly Region[],
  first: number,
): { readonly extent: Region; readonly held: readonly Region[] } {
  let { start, end } = run
  const held: Region[] = []
  for (let index = first; index < elements.length; index++) {
    const element = elements[index]
    if (element === undefined || element.start >= end) break
    if (element.start < start) start = Math.min(element.end, end)
    else if (element.end > end) end = element.start
    else held.push(element)
  }
  return { extent: { start, end }, held }
}

function saysAnswer(words: string, { matcher, speakers }: QuoteSearch): boolean {
  return plainAnswers(words, matcher, speakers).length > 0
}

/** What may stand after the answer with which a reply ends. */
const ENDING =
  /^(?:[\s*_.,:%\d`]|<\/[\p{L}_-]{1,30}>|<(confidence|probability|certainty)>[^<>]{0,40}<\/\1>|\bconfidence\b)*$/iu
const LONGEST_ENDING = 200

function isEnd(text: string, position: number): boolean {
  return text.length <= position + LONGEST_ENDING && ENDING.test(text.slice(position))
}

const LEAD = 400
const MARKS = /["“”„«»「」『』‘’']/u

interface Frames {
  readonly tags: readonly Tag[]
  readonly quoting: ReadonlySet<string>
  /** Where lines begin that are fences. */
  readonly fences: readonly number[]
  readonly speakers: Speakers
}

function fencesOf(text: string): readonly number[] {
  return [...text.matchAll(/^ ?(?:`{3,}|~{3,})/gmu)].map(({ index }) => index)
}

/** Between quotation marks, right after what opens a quotation, or after words that give it to somebody else. */
function isFramedIn(text: string, { start, end }: Region, { tags, quoting, fences, speakers }: Frames): boolean {
  // Half a tag and the mark of a block quote are no words.
  const lead = text
    .slice(Math.max(0, start - LEAD), start)
    .replace(/(?:<|(?<![^\s"'“«])>|\s)+$/u, (space) => (space.includes('\n') ? '\n' : ' '))
  const decoration = /[\s*_`~#"“”„«»「」『』‘’'([{]*$/u.exec(lead)?.[0] ?? ''
  const after = /^[\s*_`~.,]*/u.exec(text.slice(end, end + 20))?.[0].length ?? 0
  if (MARKS.test(decoration) || MARKS.test(text[end + after] ?? '') || isAttributed(lead, speakers)) return true
  const tag = tags[firstFrom(tags.length, (index) => (tags[index]?.end ?? 0) > start) - 1]
  if (tag?.kind === 'open' && isQuoting(tag, quoting) && text.slice(tag.end, start).trim() === '') return true
  // Every second fence opens.
  const fence = firstFrom(fences.length, (index) => (fences[index] ?? 0) >= start)
  return fence % 2 === 1 && /^[^\n]*\n\s*$/u.test(text.slice(fences[fence - 1], start).slice(0, LEAD))
}

/** Letters that more than a set phrase takes: about five words where a reply gives its answer, at its end. */
const LEAST_CONTENT = 20
const LEAST_CONTENT_WITHIN = 8
/** What many replies say alike before their answer. */
const STOCK =
  'a an and the is are was be it its that this so thus hence therefore then as of to in on for by with we i my our have has can must since because given conclude conclusion final finally correct right best most likely answer option choice choose chosen select selected letter would will be which based above analysis reasoning step overall summary'

function stockWords(options: readonly QuestionOption[]): ReadonlySet<string> {
  const named = options.flatMap(({ name, text }) => wordsOf(foldedForm(`${name} ${text}`)))
  return new Set([...STOCK.split(' '), ...named])
}

/** Letters and digits of words that are no set phrase, no option and no tag. */
function contentOf(words: string, stock: ReadonlySet<string>): number {
  const bare = withoutRegions(words, scanTags(words), ' ')
  return wordsOf(foldedForm(bare))
    .filter((word) => !stock.has(word))
    .reduce((sum, word) => sum + word.length, 0)
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}
