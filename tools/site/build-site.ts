import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { imagePath, plain, type RenderedPage, renderPage } from './markdown.ts'
import { pageHtml } from './page-html.ts'
import { type Page, type Section, sitePages } from './pages.ts'
import { referencePages } from './reference.ts'

export interface BuiltSite {
  readonly pages: readonly RenderedPage[]
  readonly sections: readonly Section[]
}

/** Writes the site into a folder and replaces its previous content. */
export async function buildSite(folder: string): Promise<BuiltSite> {
  const sections = sitePages(await referencePages())
  const bySource = new Map<string, Page>(sections.flatMap(({ pages }) => pages.map((page) => [page.source, page])))
  const pages = [...bySource.values()].map((page) => renderPage(page, bySource))

  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const rendered of pages) write(`${rendered.page.path}.html`, pageHtml(rendered, sections))
  write('site.css', `${palette()}\n${readFileSync(new URL('site.css', import.meta.url), 'utf8')}`)
  write('site.js', readFileSync(new URL('site.js', import.meta.url), 'utf8'))
  // A script instead of JSON, because a page opened from a folder cannot fetch.
  write('search.js', `globalThis.quorateSearch = ${JSON.stringify(searchEntries(pages))}\n`)
  mkdirSync(join(folder, 'images'), { recursive: true })
  for (const image of new Set(pages.flatMap(({ images }) => images))) {
    if (existsSync(image)) copyFileSync(image, join(folder, imagePath(image)))
  }
  return { pages, sections }
}

/** The colours of the app. */
function palette(): string {
  return readFileSync(new URL('../../apps/web/src/style/palette.css', import.meta.url), 'utf8')
}

/** One entry per section: page, heading, link and text. */
function searchEntries(pages: readonly RenderedPage[]): readonly (readonly [string, string, string, string])[] {
  return pages.flatMap(({ page, html }) => {
    const parts = html.split(/(?=<h[1-3] id=")/)
    return parts.map((part): [string, string, string, string] => {
      const [, id = '', heading = ''] = /^<h[1-3] id="([^"]*)">(.*?) <a class="anchor"/.exec(part) ?? []
      const text = plain(part.replace(/^<h[1-3].*?<\/h[1-3]>/, ' ')).replace(/\s+/g, ' ')
      return [page.title, plain(heading), `${page.path}.html${id === '' ? '' : `#${id}`}`, text.slice(0, 2000)]
    })
  })
}
