import { styleText } from 'node:util'

/** Paints a text, or leaves it as it is where there is no colour. */
export type Paint = (text: string) => string

/** Act, defer and wrong each have one colour, and one shape in MARKS. */
export interface Style {
  readonly act: Paint
  readonly defer: Paint
  readonly wrong: Paint
  /** The line to act from. */
  readonly line: Paint
  readonly strong: Paint
  readonly faint: Paint
}

/** Shapes, so that nothing is said by colour alone. */
export const MARKS = Object.freeze({ act: '●', defer: '◆', wrong: '✕', continue: '○' })

/** The threshold looks like this everywhere. */
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
