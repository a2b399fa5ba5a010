import { type Markup, markup, markupText } from './markup.ts'
import { FIGURE_STYLE, paletteStyle } from './palette.ts'

/** A figure drawn for one width. For a narrower one it is laid out again, never shrunk, so that its text stays readable. */
export interface Drawing {
  /** The name of its file and the start of its element ids. Letters and dashes only. */
  readonly name: string
  readonly title: string
  /** Describes the figure for readers who cannot see it. */
  readonly description: string
  readonly width: number
  readonly height: number
  readonly content: Markup
  /** Whether there was nothing to draw, so that the figure is a sentence. */
  readonly isEmpty: boolean
}

/** A figure for a page that includes the palette and FIGURE_STYLE. `id` must be unique in the page. */
export function inlineSvg(drawing: Drawing, id: string): Markup {
  const { title, description, width, height, content } = drawing
  return markup`<svg class="figure" role="img" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${content}</svg>`
}

/** A figure as its own file, with colours for light and dark. */
export function standaloneSvg(drawing: Drawing): string {
  const { name, title, description, width, height, content } = drawing
  const margin = 16
  const box = `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`
  const start = markup`<svg class="figure" role="img" xmlns="http://www.w3.org/2000/svg" width="${width + 2 * margin}" height="${height + 2 * margin}" viewBox="${box}" aria-labelledby="${name}-title ${name}-desc"><title id="${name}-title">${title}</title><desc id="${name}-desc">${description}</desc>`
  const end = markup`<rect x="${-margin}" y="${-margin}" width="${width + 2 * margin}" height="${height + 2 * margin}" fill="var(--ground)"/>${content}</svg>`
  return `${markupText(start)}<style>${paletteStyle('.figure')}\n${FIGURE_STYLE}</style>${markupText(end)}\n`
}

export interface DrawingHead {
  readonly name: string
  readonly title: string
  readonly width: number
}

/** A drawing that shows a sentence instead of a figure. */
export function emptyDrawing(head: DrawingHead, sentence: string): Drawing {
  const lines = wrapped(sentence, Math.floor((head.width - 24) / 6.6))
  const height = 40 + lines.length * 17
  const content = markup`<rect class="track" x="0" y="0" width="${head.width}" height="${height}" rx="4"/>${lines.map(
    (line, index) => markup`<text class="soft" x="12" y="${31 + index * 17}">${line}</text>`,
  )}`
  return { ...head, description: sentence, height, content, isEmpty: true }
}

/** Lines of at most `letters` letters, broken at spaces. */
function wrapped(sentence: string, letters: number): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
