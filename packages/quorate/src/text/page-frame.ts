import type { Style } from './style.ts'
import { hangingText } from './wrap-text.ts'

/** How a page of terminal text is laid out. */
export interface PageFrame {
  /** Columns of text. */
  readonly width: number
  readonly style: Style
}

const NARROWEST = 80
const WIDEST = 100

/** The width of the terminal, but no less than tables need and no more than is easy to read. */
export function pageWidth(terminalColumns: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, terminalColumns))
}

export function heading(text: string, { style }: PageFrame): string {
  return style.strong(text)
}

/** A word in the margin and its text beside it: `Budget   beta 0.150 = ...`. */
export function marginText(word: string, text: string, { width }: PageFrame): string[] {
  return hangingText(word.padEnd(MARGIN), text, width)
}

const MARGIN = 9
