import { styleText } from 'node:util'

/** Colours a text, or returns it unchanged if colours are off. */
export type Paint = (text: string) => string

/** Act, defer and wrong each have one colour, and one shape in MARKS. */
export interface Style {
  readonly act: Paint
  readonly defer: Paint
  readonly wrong: Paint
  /** The threshold. */
  readonly line: Paint
  readonly strong: Paint
  readonly faint: Paint
}

/** Shapes, so that nothing is shown by colour alone. */
export const MARKS = Object.freeze({ act: '●', defer: '◆', wrong: '✕', continue: '○' })

/** The mark of the threshold, the same everywhere. */
export const LINE = '┃'

export function styleFor({ color }: { readonly color: boolean }): Style {
  const paint = (format: Parameters<typeof styleText>[0]): Paint =>
    color ? (text) => styleText(format, text, { validateStream: false }) : (text) => text
  return Object.freeze({
    act: paint('cyan'),
    defer: paint('yellow'),
    wrong: paint('red'),
    line: paint('bold'),
    strong: paint('bold'),
    faint: paint('dim'),
  })
}
