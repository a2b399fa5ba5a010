import { isAttributed, isDraft, type Speakers } from './attribution.ts'
import { elementsNamed, isWithin, type Region, regionAt } from './regions.ts'
import { TAKEN_OUT } from './reply-text.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/** One `<answer>` of a reply from which quotations are gone. */
export interface AnswerMark {
  readonly start: number
  readonly end: number
  readonly words: string
  readonly isClosed: boolean
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

export function answerMarks(text: string, speakers: Speakers): readonly AnswerMark[] {
  const tags = scanTags(text)
  const reasonings = elementsNamed(tags, REASONING)
  const marks: AnswerMark[] = []
  for (const element of elements(text, tags)) {
    const before = marks.at(-1)
    const lead = leadOf(text, { start: element.start, from: before?.end ?? 0 }, reasonings)
    const isShared = before?.isAttributed === true && LIST_JOINT.test(lead)
    marks.push({
      ...element,
      isReasoning: isWithin(reasonings, element.start),
      isAttributed: isShared || isInQuotes(text, element) || isAttributed(lead, speakers),
      isDraft: isDraft(lead),
    })
  }
  return marks
}

type Element = Pick<AnswerMark, 'start' | 'end' | 'words' | 'isClosed'>

/** Each opening tag with the words up to its closing tag, and each closing tag that lacks an opening one. */
function elements(text: string, tags: readonly Tag[]): readonly Element[] {
  const own = tags.filter(({ name, kind }) => ANSWER.has(name) && kind !== 'empty')
  const result: Element[] = []
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
        result.push({ start: tag.start, end: isClosed ? end : tag.end + words.length, words, isClosed })
      }
    }
    boundary = tag.end
  }
  return result
}

/** `B</answer>`: the words on its line, after any other tag. */
function strayClosing(text: string, tag: Tag, boundary: number): Element {
  const from = Math.max(boundary, tag.start - LEAD)
  const before = text.slice(from, tag.start)
  const start = from + Math.max(...['\n', '>', TAKEN_OUT].map((mark) => before.lastIndexOf(mark) + 1))
  return { start, end: tag.end, words: text.slice(start, tag.start), isClosed: true }
}

/** Of an answer that is not closed: up to the end of the first line that is not blank, or to where a tag breaks off. */
function firstLine(words: string): string {
  const start = words.search(/\S/u)
  if (start < 0) return ''
  const end = words.slice(start).search(/[\n\ue000]|<\/ ?\w*$/u)
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

function isInQuotes(text: string, { start, end }: Element): boolean {
  const pair = `${text[start - 1] ?? ''}${text[end] ?? ''}`
  return ['""', "''", '“”', '‘’', '«»', '„“', '「」', '『』'].includes(pair)
}
