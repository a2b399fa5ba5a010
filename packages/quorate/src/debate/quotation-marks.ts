import type { Region } from './regions.ts'
import { scanTags, type Tag } from './scan-tags.ts'

/** A quotation mark that opens or closes, as far as its neighbours tell. */
export interface QuotationMark {
  readonly at: number
  readonly family: number
  /** Null where it closes if there is something to close: `</b>"so`, ` " `. */
  readonly isOpening: boolean | null
}

/** Each family's marks close only their own. A single mark may be an apostrophe and is left out. */
const FAMILIES: readonly (readonly [opening: string, closing: string])[] = [
  ['“„', '”'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
]
const STRAIGHT = FAMILIES.length

/** Every double quotation mark outside tags, in order. */
export function quotationMarks(text: string, tags: readonly Tag[]): readonly QuotationMark[] {
  const marks: QuotationMark[] = []
  let tag = 0
  let isLow = false
  for (const { 0: mark, index: at } of text.matchAll(/["“”„«»「」『』]/gu)) {
    while ((tags[tag]?.end ?? Number.POSITIVE_INFINITY) <= at) tag++
    if (at >= (tags[tag]?.start ?? Number.POSITIVE_INFINITY)) continue
    if (mark === '"') {
      marks.push({ at, family: STRAIGHT, isOpening: isOpeningShape(text, at) })
      continue
    }
    const family = FAMILIES.findIndex(([opening, closing]) => opening.includes(mark) || closing.includes(mark))
    // „So“: the high mark closes what the low one opened.
    const isOpening = (FAMILIES[family]?.[0] ?? '').includes(mark) && !(mark === '“' && isLow)
    if (family === 0) isLow = mark === '„'
    marks.push({ at, family, isOpening })
  }
  return marks
}

function isOpeningShape(text: string, at: number): boolean | null {
  const before = text[at - 1] ?? ' '
  if (/[>*_\ue000]/u.test(before)) return null
  if (!/[\s([{:=–—-]/u.test(before)) return false
  return /\s/u.test(text[at + 1] ?? ' ') ? null : true
}

/** Walks through the marks of a text from left to right and says where the quotation ends in which a position lies. */
export interface QuotationWalk {
  /** The quotation around a position, both marks included; null where there is none. Positions must grow. */
  around(position: number): Region | null
  /** Marks in this region lie in something that is hidden otherwise. */
  skip(region: Region): void
}

/** Of things in the order in which they stand, those outside quotation marks. */
export function outsideQuotations<Thing extends { readonly start: number }>(
  text: string,
  things: readonly Thing[],
): readonly Thing[] {
  if (things.length === 0) return things
  const walk = quotationWalk(quotationMarks(text, scanTags(text)))
  let end = 0
  return things.filter(({ start }) => {
    if (start < end) return false
    const quotation = walk.around(start)
    end = quotation?.end ?? end
    walk.skip({ start, end })
    return quotation === null
  })
}

export function quotationWalk(marks: readonly QuotationMark[]): QuotationWalk {
  const lastOf = new Map<number, number>()
  // Of straight marks that open too often the last one closes, whatever its shape.
  for (const { family, isOpening, at } of marks) if (isOpening !== true || family === STRAIGHT) lastOf.set(family, at)
  /** By family: how deep we are, and where it began. */
  const open = new Map<number, { depth: number; start: number }>()
  let next = 0
  const stepTo = (position: number): void => {
    for (; (marks[next]?.at ?? Number.POSITIVE_INFINITY) < position; next++) stepOver(marks[next], open)
  }
  return {
    skip: ({ start, end }) => {
      stepTo(start)
      while ((marks[next]?.at ?? Number.POSITIVE_INFINITY) < end) next++
    },
    around: (position) => {
      stepTo(position)
      const [outer] = [...open.entries()]
        .filter(([family]) => (lastOf.get(family) ?? -1) > position)
        .sort(([, a], [, b]) => a.start - b.start)
      if (outer === undefined) return null
      const [family, { depth, start }] = outer
      const end = closingAt(marks, next, { family, depth }) ?? lastOf.get(family) ?? position
      open.clear()
      return { start, end: end + 1 }
    },
  }
}

function stepOver(mark: QuotationMark | undefined, open: Map<number, { depth: number; start: number }>): void {
  if (mark === undefined) return
  const { depth, start } = open.get(mark.family) ?? { depth: 0, start: mark.at }
  const deeper = depth + ((mark.isOpening ?? depth === 0) ? 1 : -1)
  if (deeper <= 0) open.delete(mark.family)
  else open.set(mark.family, { depth: deeper, start })
}

function closingAt(
  marks: readonly QuotationMark[],
  from: number,
  { family, depth }: { readonly family: number; readonly depth: number },
): number | null {
  let left = depth
  for (let index = from; index < marks.length; index++) {
    const mark = marks[index]
    if (mark?.family !== family) continue
    left += mark.isOpening ? 1 : -1
    if (left === 0) return mark.at
  }
  return null
}
