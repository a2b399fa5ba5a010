import type { PageFrame } from '../text/page-frame.ts'
import { hangingText } from '../text/wrap-text.ts'

/** A word in the margin and its text beside it. */
export function aside(word: string, text: string, { width }: PageFrame): string[] {
  return hangingText(word.padEnd(MARGIN_COLUMNS), text, width)
}

/** Lines that are not to be wrapped, beside the same margin. */
export function indented(word: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? word : '').padEnd(MARGIN_COLUMNS) + line)
}

const MARGIN_COLUMNS = 11
