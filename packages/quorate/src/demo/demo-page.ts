import type { Style } from '../report/style.ts'

/** How the page is laid out. */
export interface PageFrame {
  /** Columns of text. */
  readonly width: number
  readonly style: Style
}

const NARROWEST = 80
const WIDEST = 100

/** As wide as the terminal, within what tables need and eyes like to read. */
export function pageWidth(terminalColumns: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, terminalColumns))
}

export function heading(text: string, { style }: PageFrame): string {
  return style.strong(text)
}
