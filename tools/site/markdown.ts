import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escaped, highlight } from './highlight.ts'
import type { Page } from './pages.ts'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly level: number
}

export interface RenderedPage {
  readonly page: Page
  readonly html: string
  readonly headings: readonly Heading[]
  /** Repository paths of the images it shows. */
  readonly images: readonly string[]
  /** Links to files of the repository that are not pages. */
  readonly strays: readonly string[]
}

/** A document as HTML: links lead to pages of the site, images to copies in it, and raw HTML is shown as text. */
export function renderPage(page: Page, pages: ReadonlyMap<string, Page>): RenderedPage {
  const headings: Heading[] = []
  const images = new Set<string>()
  const strays: string[] = []
  const ids = new Map<string, number>()

  const resolve = (target: string): string => posix.normalize(posix.join(posix.dirname(page.source), target))
  const href = (target: string): string => {
    if (/^[a-z]+:/i.test(target) || target.startsWith('#')) return target
    const [file = '', hash] = target.split('#')
    const found = pages.get(resolve(file).replace(/\/$/, ''))
    if (found === undefined) strays.push(target)
    return `${relative(page.path, `${found?.path ?? file}.html`)}${hash === undefined ? '' : `#${hash}`}`
  }

  const marked = new Marked({
    // Addresses in sentences are not links, since they may be those of the reader's own machine.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const text = plain(html)
        const stem = slug(text)
        const count = ids.get(stem) ?? 0
        ids.set(stem, count + 1)
        const id = count === 0 ? stem : `${stem}-${count}`
        headings.push({ id, text, level: depth })
        return `<h${depth} id="${escaped(id)}">${html} <a class="anchor" href="#${escaped(id)}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href: target, tokens }: Tokens.Link) {
        return `<a href="${escaped(href(target))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href: target, text }: Tokens.Image) {
        const file = resolve(target)
        images.add(file)
        const shown = escaped(relative(page.path, imagePath(file)))
        return `<a class="picture" href="${shown}"><img src="${shown}" alt="${escaped(text)}" loading="lazy"></a>`
      },
      code({ text, lang = '' }: Tokens.Code) {
        return `<pre tabindex="0"><code>${highlight(text, lang)}</code></pre>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], name: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens, align }) => `<${name}${align === 'right' ? ' class="number"' : ''}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table></div>\n`
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escaped(text)
      },
    },
  })
  const html = marked.parse(page.markdown, { async: false })
  return { page, html, headings, images: [...images], strays }
}

/** Path of the copy of an image in the site. */
export function imagePath(file: string): string {
  return `images/${file.replace(/^docs\/images\//, '').replaceAll('/', '-')}`
}

export function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to)
}

/** The anchor of a heading, as on GitHub, so that links also work there. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** Our own HTML without its tags. */
export function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}
