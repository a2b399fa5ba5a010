import type { Tag } from './scan-tags.ts'

export interface Region {
  readonly start: number
  readonly end: number
}

/**
 * Where an element that begins at `tags[first]` ends: its closing tag's index, counting elements of the same name
 * inside; null when it is never closed.
 */
export function closingTag(tags: readonly Tag[], first: number): number | null {
  const name = tags[first]?.name
  let depth = 0
  for (let index = first; index < tags.length; index++) {
    const tag = tags[index]
    if (tag?.name !== name || tag?.kind === 'empty') continue
    depth += tag?.kind === 'open' ? 1 : -1
    if (depth === 0) return index
  }
  return null
}

/**
 * The elements of this name, tags included, outermost only, unclosed ones left out. A closing tag too many means that a
 * text quoted inside brought its own: the element that it tries to leave goes on to there.
 */
export function elementsNamed(tags: readonly Tag[], names: ReadonlySet<string>): readonly Region[] {
  const own = tags.filter(({ name, kind }) => names.has(name) && kind !== 'empty')
  const regions: Region[] = []
  let index = 0
  while (index < own.length) {
    const tag = own[index]
    if (tag?.kind === 'open') {
      const closing = closingTag(own, index)
      if (closing === null) break
      regions.push({ start: tag.start, end: own[closing]?.end ?? tag.end })
      index = closing
    } else if (tag !== undefined && regions.length > 0) {
      regions.push({ start: regions.pop()?.start ?? tag.start, end: tag.end })
    }
    index++
  }
  return regions
}

/** Whether a position lies in one of the regions, which are in order and apart. */
export function isWithin(regions: readonly Region[], position: number): boolean {
  return regionAt(regions, position) !== null
}

export function regionAt<Kind extends Region>(regions: readonly Kind[], position: number): Kind | null {
  let low = 0
  let high = regions.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const region = regions[middle]
    if (region === undefined) return null
    if (position < region.start) high = middle - 1
    else if (position >= region.end) low = middle + 1
    else return region
  }
  return null
}

/** A text from which regions were cut, and where its characters stood before. */
export interface CutText {
  readonly text: string
  /** Position in the text as it was. */
  back(position: number): number
}

/** The text with each region replaced; the regions are in order and apart. */
export function cutRegions(text: string, regions: readonly Region[], replacement: string): CutText {
  const lengths = regions.map(({ start, end }) => end - start - replacement.length)
  return {
    text: withoutRegions(text, regions, replacement),
    back: (position) => {
      let before = position
      for (const [index, region] of regions.entries()) {
        if (region.start >= before) break
        before = Math.max(before + (lengths[index] ?? 0), region.start)
      }
      return before
    },
  }
}

/** Regions in order of their start, those that overlap as one. */
export function mergedRegions(regions: readonly Region[]): readonly Region[] {
  const result: Region[] = []
  for (const region of regions) {
    const last = result.at(-1)
    if (last !== undefined && region.start < last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, region.end) }
    } else {
      result.push(region)
    }
  }
  return result
}

/** The text with each region replaced. */
export function withoutRegions(text: string, regions: readonly Region[], replacement: string): string {
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of regions) {
    pieces.push(text.slice(from, start), replacement)
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

/** The first index from which on it holds, of so many; by halving, so it must hold from there to the end. */
export function firstFrom(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
