import { type AnswerMark, answerMarks } from './answer-marks.ts'
import type { Speakers } from './attribution.ts'
import type { Echoes } from './echoes.ts'
import { hideQuotes } from './hide-quotes.ts'
import type { OptionMatch } from './match-option.ts'
import { type Found, HEDGED, isCorrected, isSame, matchOf, type Reading, statedMatches } from './read-reply.ts'
import { closingTag, type Region, withoutRegions } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags } from './scan-tags.ts'

/**
 * Whether an answer that somebody else has also written was read where another stands, hidden or not, that nobody else
 * wrote: that one cannot be quoted from what was shown. Drafts, thoughts, what others may have said in other words and
 * what the agent itself corrects aside.
 */
export function hasOwnRival(
  clean: string,
  { at, index }: Extract<Found, { kind: 'answer' }>,
  { reading, quotes }: { readonly reading: Reading; readonly quotes: readonly Region[] },
): boolean {
  const { echoes, speakers } = reading
  if (!echoes.hold(saidAt(clean, at))) return false
  const thinking = openingThought(clean)
  const isRival = ({ match, start, end }: Rival): boolean =>
    match.kind === 'option' && match.index !== index && start >= thinking && !echoes.hold(clean.slice(start, end))
  const marks = answerMarks(clean, speakers)
  const own = marks.filter(
    (mark) => !(mark.isDraft || HEDGED.test(clean.slice(Math.max(0, mark.start - 80), mark.start))),
  )
  const rivals = own.map((mark) => ({ ...mark, match: matchOf(mark.words, reading) })).filter(isRival)
  const isLeft = leavingOf(clean, at, { marks, reading, quotes })
  return rivals.some((mark) => !isLeft(mark)) || declared(clean, reading).some(isRival)
}

interface Marked {
  readonly marks: readonly AnswerMark[]
  readonly reading: Reading
  readonly quotes: readonly Region[]
}

/** Whether a mark is another's after all, said in other words, or was corrected in the agent's own. */
function leavingOf(clean: string, at: Region, { marks, reading, quotes }: Marked) {
  const { echoes, speakers } = reading
  const read = marks.find(({ start, end }) => start < at.end && end > at.start)
  const mayCorrect = read === undefined || isBareEcho(clean, read, echoes)
  let given: readonly OptionMatch[] | null = null
  return ({ match, end, isAttributed }: AnswerMark & Rival): boolean => {
    // `bob said <answer>C</answer>`, where bob put it otherwise.
    if (isAttributed) given ??= echoes.texts.flatMap((text) => statedMatches(text, reading))
    if (isAttributed && given?.some((one) => isSame(one, match)) === true) return true
    return mayCorrect && isCorrected(ownBetween(clean, { from: end, to: at.start, quotes, speakers }), speakers)
  }
}

const LONGEST_BETWEEN = 4000

interface Between {
  readonly from: number
  readonly to: number
  readonly quotes: readonly Region[]
  readonly speakers: Speakers
}

function ownBetween(clean: string, { from, to, quotes, speakers }: Between): string {
  const start = Math.max(from, to - LONGEST_BETWEEN)
  const inside = quotes
    .filter((quote) => quote.end > start && quote.start < to)
    .map((quote) => ({ start: Math.max(quote.start, start) - start, end: Math.min(quote.end, to) - start }))
  const words = withoutRegions(clean.slice(start, Math.max(start, to)), inside, TAKEN_OUT)
  return hideQuotes(words, speakers.others).text
}

interface Rival extends Region {
  readonly match: OptionMatch
}

/** The option as it was named, with its opening tag or the end of what led to it. */
function saidAt(clean: string, { start, end }: Region): string {
  const from = clean[start] === '<' ? clean.indexOf('>', start) + 1 : start
  const words = clean.slice(from, Math.max(from, end))
  const length = words.search(/(?<=[^\s*_])[\s"”»*<]/u)
  return (
    clean.slice(from === start ? Math.max(0, start - 8) : start, from) + (length < 0 ? words : words.slice(0, length))
  )
}

/** Whether others have only the tags in common with it, and no words around. */
function isBareEcho(clean: string, { tags }: AnswerMark, echoes: Echoes): boolean {
  const runs = echoes.runsOf(clean).filter(({ start, end }) => start < tags.end && end > tags.start)
  return runs.every(({ start, end }) => {
    const around = clean.slice(start, tags.start) + clean.slice(tags.end, Math.max(tags.end, end))
    return !/[\p{L}\p{N}]/u.test(withoutRegions(around, scanTags(around), ' '))
  })
}

const DECLARED = /(?:^|[.!?>"”»\n\ue000])[ *_#]*(?:(?:my|the) )?(?:final )?(?=answer)|(?=\\boxed\{)/giu
const DECLARING = /(?:answer[*_]{0,3} ?(?:is|[:=])|\\boxed)[ *_]*/iuy
const MOST_DECLARED = 50
const LONGEST_DECLARED = 60

/** `Final answer: B` as a line or a sentence of its own, as an agent writes that leaves out the tags. */
function declared(clean: string, { matcher }: Reading): readonly Rival[] {
  return [...clean.matchAll(DECLARED)].slice(-MOST_DECLARED).flatMap((found) => {
    const start = found.index + found[0].length
    DECLARING.lastIndex = start
    const cue = DECLARING.exec(clean)?.[0]
    if (cue === undefined) return []
    const from = start + cue.length
    const rest = clean.slice(from, from + LONGEST_DECLARED)
    const length = rest.search(/(?<=\S)[\s"”»<*]|(?<=[)}])/u)
    const words = length < 0 ? rest : rest.slice(0, length)
    return [{ start, end: from + words.length, match: matcher.leading(words) }]
  })
}

/** Where the thinking ends with which a reply begins; 0 where it begins otherwise. */
function openingThought(clean: string): number {
  const tags = scanTags(clean)
  const isFirst = /^\s*<(?:think|thinking)>/iu.test(clean)
  return (isFirst ? tags[closingTag(tags, 0) ?? -1]?.end : undefined) ?? 0
}
