import { isAttributed, isDraft, type Speakers } from './attribution.ts'
import { elementsNamed, isWithin, type Region, regionAt } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/** One `<answer>` as it stands. */
export interface AnswerElement extends Region {
  readonly words: string
  readonly isClosed: boolean
  /** Its tags, without words that only follow or precede them. */
  readonly tags: Region
}

/** One `<answer>` of a reply from which quotations are gone. */
export interface AnswerMark extends AnswerElement {
  /** Inside `<reasoning>`: counts only where nothing stands outside. */
  readonly isReasoning: boolean
  /** Given to somebody else by the words before it. */
  readonly isAttributed: boolean
  readonly isDraft: boolean
}

/** Characters before an answer that are looked at. */
const LEAD = 400
const ANSWER = new Set(['answer', 'answers', 'final_answer', 'final-answer', 'finalanswer', 'final'])
const REASONING = new Set(['reasoning', 'reason', 'rationale', 'explanation', 'analysis'])

/** Nobody who means one answer writes so many. */
export const MOST_MARKS = 200

/** All up to one more than `MOST_MARKS`. */
export function answerMarks(text: string, speakers: Speakers): readonly AnswerMark[] {
  const tags = scanTags(text)
  const reasonings = elementsNamed(tags, REASONING)
  const marks: AnswerMark[] = []
  for (const element of answerElements(text, tags).slice(0, MOST_MARKS + 1)) {
    const before = marks.at(-1)
    const lead = leadOf(text, { start: element.start, from: before?.tags.end ?? 0 }, reasonings)
    const leads = [...new Set([lead, lead + wordsBefore(element)])]
    const isShared = before?.isAttributed === true && LIST_JOINT.test(lead)
    marks.push({
      ...element,
      isReasoning: isWithin(reasonings, element.start),
      isAttributed: isShared || isInQuotes(text, element) || leads.some((words) => isAttributed(words, speakers)),
      isDraft: isDraft(lead),
    })
  }
  return marks
}

/** `bob said B</answer>`: of the words before a closing tag that lacks an opening one only the last are the answer. */
function wordsBefore({ start, tags, words }: AnswerElement): string {
  return tags.start === start ? '' : words.trimEnd().replace(/\S+$/u, '')
}

/** Each opening tag with the words up to its closing tag, and each closing tag that lacks an opening one. */
export function answerElements(text: string, tags: readonly Tag[]): readonly AnswerElement[] {
  const own = tags.filter(({ name, kind }) => ANSWER.has(name) && kind !== 'empty')
  const result: AnswerElement[] = []
  let boundary = 0
  for (const [index, tag] of own.entries()) {
    if (tag.kind === 'close') {
      if (own[index - 1]?.kind !== 'open') result.push(strayClosing(text, tag, boundary))
    } else {
      const next = own[index + 1]
      const isClosed = next?.kind === 'close'
      const end = next === undefined ? text.length : isClosed ? next.end : next.start
      const inside = text.slice(tag.end, isClosed ? next.start : end)
      // `<answer><answer>`: the inner one says it.
      if (isClosed || next === undefined || inside.trim() !== '') {
        const words = isClosed ? inside : firstLine(inside)
        const whole = isClosed ? end : tag.end + words.length
        const extent = { start: tag.start, end: isClosed ? end : tag.end }
        result.push({ start: tag.start, end: whole, words, isClosed, tags: extent })
      }
    }
    boundary = tag.end
  }
  return result
}

/** `B</answer>`: the words on its line, after any other tag. */
function strayClosing(text: string, tag: Tag, boundary: number): AnswerElement {
  const from = Math.max(boundary, tag.start - LEAD)
  const before = text.slice(from, tag.start)
  const start = from + Math.max(...['\n', '>', TAKEN_OUT].map((mark) => before.lastIndexOf(mark) + 1))
  return { start, end: tag.end, words: text.slice(start, tag.start), isClosed: true, tags: tag }
}

/** Of an answer that is not closed: up to the end of the first line that is not blank, or to where a tag breaks off. */
function firstLine(words: string): string {
  const start = words.search(/\S/u)
  if (start < 0) return ''
  const end = words.slice(start).search(/[\n\ue000]|<\/? ?\w*(?=\n|$)/u)
  return end < 0 ? words : words.slice(0, start + end)
}

/** What stands between the answer before and this one; a reasoning right before it belongs to the answer. */
function leadOf(
  text: string,
  { start, from }: { readonly start: number; readonly from: number },
  reasonings: readonly Region[],
): string {
  const lead = text.slice(Math.max(from, start - LEAD), start)
  const lastSolid = start - (lead.length - lead.trimEnd().length) - 1
  const reasoning = lead.trim() === '' ? null : regionAt(reasonings, lastSolid)
  if (reasoning === null || start < reasoning.end) return lead
  const { start: opening } = reasoning
  return text.slice(Math.max(Math.min(from, opening), opening - LEAD), opening)
}

/** `said <answer>A</answer> and <answer>B</answer>`: the second goes with the first. */
const LIST_JOINT = /^[ ,&/]*(?:[,&/]|\band|\bor|\bthen|\bversus|\bvs\.?)[ ,]*$/u

function isInQuotes(text: string, { start, end }: AnswerElement): boolean {
  const pair = `${text[start - 1] ?? ''}${text[end] ?? ''}`
  return ['""', "''", '“”', '‘’', '«»', '„“', '「」', '『』'].includes(pair)
}
