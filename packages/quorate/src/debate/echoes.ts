import type { Region } from './regions.ts'
import { replyText, unescapedMarkup } from './reply-text.ts'
import { scanTags } from './scan-tags.ts'

/** What a reply has in common with texts that its author was shown, word for word. */
export interface Echoes {
  /** What was shown, as `replyText` has it. */
  readonly texts: readonly string[]
  /** The runs of a reply that stand in the texts, in order; two may share a few characters. */
  runsOf(text: string): readonly Region[]
  /** Whether the words stand in one of the texts, however short they are. */
  hold(words: string): boolean
}

/**
 * Characters that must agree in a row, white space, quotation marks, emphasis and the marks of block quotes left out: so
 * few that an answer with its tags is long enough, so many that a run of windows is no accident.
 */
const WINDOW = 16

/** In time proportional to the texts, and then to each reply. */
export function echoesOf(shown: readonly string[]): Echoes {
  const windows = new Set<string>()
  const held: string[] = []
  for (const text of shown) {
    const clean = replyText(text)
    const unescaped = replyText(unescapedMarkup(clean))
    for (const form of new Set([clean, unescaped])) {
      const { letters } = lettersOf(form)
      held.push(letters)
      for (let at = 0; at + WINDOW <= letters.length; at++) windows.add(letters.slice(at, at + WINDOW))
    }
  }
  return {
    texts: shown.map(replyText),
    runsOf: (text) => (windows.size === 0 ? [] : runsOf(text, windows)),
    hold: (words) => {
      const { letters } = lettersOf(words)
      return held.some((text) => text.includes(letters))
    },
  }
}

/** A run is as long as each window follows the one before by one character: all of it stood there in this order. */
function runsOf(text: string, windows: ReadonlySet<string>): readonly Region[] {
  const { letters, positions } = lettersOf(text)
  const runs: Region[] = []
  let from = -1
  for (let at = 0; at <= letters.length - WINDOW + 1; at++) {
    const isShown = at + WINDOW <= letters.length && windows.has(letters.slice(at, at + WINDOW))
    if (isShown && from < 0) from = at
    if (isShown || from < 0) continue
    runs.push({ start: positions[from] ?? 0, end: (positions[at + WINDOW - 2] ?? text.length - 1) + 1 })
    from = -1
  }
  return runs
}

/** What is compared, in lower case, and where each character of it stands. */
function lettersOf(text: string): { readonly letters: string; readonly positions: readonly number[] } {
  const tags = scanTags(text)
  const positions: number[] = []
  const kept: string[] = []
  let tag = 0
  for (let at = 0; at < text.length; at++) {
    while ((tags[tag]?.end ?? text.length + 1) <= at) tag++
    const isInTag = at >= (tags[tag]?.start ?? text.length)
    const character = text[at] ?? ''
    if (LEFT_OUT.has(character) || (!isInTag && ANGLES.has(character))) continue
    positions.push(at)
    kept.push(character)
  }
  return { letters: lowerCase(kept.join('')), positions }
}

const LEFT_OUT: ReadonlySet<string> = new Set(' \n\t\ue000"\'“”„‘’«»「」『』*_\\')
const ANGLES: ReadonlySet<string> = new Set('<>')

/** Of the Latin letters only, so that the length stays. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/gu, (capitals) => capitals.toLowerCase())
}
