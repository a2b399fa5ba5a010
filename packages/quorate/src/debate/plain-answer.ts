import { isAttributed, isDraft, type Speakers } from './attribution.ts'
import type { OptionMatch, OptionMatcher } from './match-option.ts'
import { outsideQuotations } from './quotation-marks.ts'
import type { Region } from './regions.ts'

/** An answer in words, where a reply has no `<answer>`. */
export interface PlainAnswer {
  readonly match: OptionMatch
  readonly start: number
  /** Where a correction may begin. */
  readonly end: number
  readonly isDraft: boolean
  /** Where the option is named. */
  readonly named: Region
}

/** `answer: B`, `the answer is B`: the noun and what links it. Spaces are single by now, so nothing here backtracks far. */
const NOUN =
  /\b(?:answer|choice|selection|vote|pick|verdict|conclusion|respuesta|réponse|antwort|ответ)\b(?: here| now| of mine)?[*_]{0,3}(?: ?[:=→] ?| is | would be | remains | stays | should be | must be | ist | est | es ){1,2}(?:therefore |thus |still |clearly |indeed |that it is |that of )?/giu
const VERB =
  /\bI(?:['’]d|['’]ll| would| will| now| still| therefore| thus| must| have to| finally){0,3} (?:choose|chose|pick|select|vote for|vote|go with|answer|answer with|opt for|settle on|stick with|conclude that it is|conclude)\b ?:? ?/giu
const BOX = /\\boxed(?=\{)/gu
const HYPOTHETICAL =
  /\b(?:if|whether|suppose|supposing|assuming|assume|unless|why|not|n't|never|could|might|may)\b[^.;,]*$/iu
const LONGEST_REST = 400
/** After a cue an option is named at once, a label such as `option` and decoration before it. */
const LONGEST_NAMED = 24
/** Of each kind, the last ones: bounds the work on a reply that says nothing else. */
const MOST_CUES = 100

export function plainAnswers(text: string, matcher: OptionMatcher, speakers: Speakers): readonly PlainAnswer[] {
  const all = matcher.whole(text)
  if (all.kind !== 'none') return [{ match: all, ...wholeOf(0, text.length) }]
  const cued = [NOUN, VERB, BOX].flatMap((cue) => cuedAnswers(text, cue, { matcher, speakers }))
  if (cued.length > 0) return cued.toSorted((a, b) => a.start - b.start)
  return loneLines(text, matcher, speakers)
}

function cuedAnswers(
  text: string,
  cue: RegExp,
  { matcher, speakers }: { readonly matcher: OptionMatcher; readonly speakers: Speakers },
): readonly PlainAnswer[] {
  const answers: PlainAnswer[] = []
  const cues = [...text.matchAll(cue)].slice(-MOST_CUES)
  const places = cues.map((found) => ({ start: found.index, from: found.index + found[0].length }))
  for (const { start, from } of outsideQuotations(text, places)) {
    const lead = text.slice(Math.max(0, start - LONGEST_REST), start)
    if (HYPOTHETICAL.test(lead.slice(lead.lastIndexOf('\n') + 1)) || isAttributed(lead, speakers)) continue
    const words = wordsAfter(text, from)
    const match = matcher.leading(words)
    const skipped = text.slice(from, from + LONGEST_REST).search(/[^\s*_]/u)
    const named = { start: from, end: from + Math.max(skipped, 0) + Math.min(words.length, LONGEST_NAMED) }
    if (match.kind !== 'none') answers.push({ match, start, end: from, isDraft: isDraft(lead), named })
  }
  return answers
}

/** The rest of the line; of the next one that is not blank where the line ends with the cue. */
function wordsAfter(text: string, from: number): string {
  const rest = text.slice(from, from + LONGEST_REST)
  const bare = rest.replace(/^[\s*_]+/u, '')
  const end = bare.search(/[\n\ue000]/u)
  return end < 0 ? bare : bare.slice(0, end)
}

/** The first or the last line, where it is an option and nothing else; a list of the options is no answer. */
function loneLines(text: string, matcher: OptionMatcher, speakers: Speakers): readonly PlainAnswer[] {
  const lines = linesOf(text).filter(({ words }) => words.trim() !== '')
  const ends = [...new Set([0, lines.length - 1])]
  return ends.flatMap((index) => {
    const line = lines[index]
    if (line === undefined) return []
    const match = isWholeQuoted(line.words) ? NONE : matcher.whole(line.words)
    const beside = [lines[index - 1], lines[index + 1]].map((other) => matcher.whole(other?.words ?? '').kind)
    if (match.kind === 'none' || beside.includes('option')) return []
    if (isAttributed(text.slice(Math.max(0, line.start - LONGEST_REST), line.start), speakers)) return []
    return [{ match, ...wholeOf(line.start, line.start + line.words.length) }]
  })
}

function wholeOf(start: number, end: number): Omit<PlainAnswer, 'match'> {
  return { start, end, isDraft: false, named: { start, end } }
}

const NONE: OptionMatch = { kind: 'none' }

/** A line between quotation marks in a longer reply is somebody's words. */
function isWholeQuoted(line: string): boolean {
  return /^["“„«「『‘'].*["”“»」』’'][.,]?$/u.test(line.trim())
}

function linesOf(text: string): readonly { readonly start: number; readonly words: string }[] {
  let start = 0
  return text.split('\n').map((words) => {
    const line = { start, words }
    start += words.length + 1
    return line
  })
}
