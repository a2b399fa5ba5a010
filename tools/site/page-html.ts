import { escaped } from './highlight.ts'
import { type RenderedPage, relative } from './markdown.ts'
import type { Page, Section } from './pages.ts'

/**
 * A whole page: navigation, text, and a list of its sections. It works from a folder, without a server and without
 * scripts.
 */
export function pageHtml({ page, html, headings }: RenderedPage, sections: readonly Section[]): string {
  const to = (path: string) => escaped(relative(page.path, path))
  const title = page.path === 'index' ? 'quorate' : `${page.title} · quorate`
  const contents = headings.filter(({ level }) => level === 2)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}"></script>
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="brand" href="${to('index.html')}"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="4.5" cy="5.5" r="3.2"/><circle cx="11.5" cy="5.5" r="3.2"/><rect x="1.5" y="11" width="13" height="2.6" rx="1.3"/></svg>quorate</a>
<div class="search" hidden><label class="unseen" for="search">Search the documents</label><input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="found"><kbd>/</kbd><ul id="found" class="found" hidden></ul></div>
<button id="theme" type="button" hidden>Theme</button>
</header>
<div class="columns">
<nav aria-label="Documents"><details id="menu" open><summary>Documents</summary>
${sections.map((section) => sectionHtml(section, page)).join('\n')}
</details></nav>
<main id="text">
${html}${neighbours(page, sections)}</main>
<aside aria-label="On this page">${
    contents.length < 2
      ? ''
      : `<b>On this page</b>\n<ul>${contents.map(({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`).join('')}</ul>`
  }</aside>
</div>
</body>
</html>
`
}

function sectionHtml({ title, pages, isFolded }: Section, page: Page): string {
  const isHere = pages.includes(page)
  const shown = isFolded === true && !isHere ? pages.slice(0, 1) : pages
  const links = shown.map((other) => {
    const current = other === page ? ' aria-current="page"' : ''
    return `<li><a href="${escaped(relative(page.path, `${other.path}.html`))}"${current}>${escaped(other.title)}</a></li>`
  })
  return `<b>${escaped(title)}</b>\n<ul>${links.join('')}</ul>`
}

function neighbours(page: Page, sections: readonly Section[]): string {
  const all = sections.flatMap(({ pages }) => pages)
  const at = all.indexOf(page)
  const link = (other: Page | undefined, rel: 'prev' | 'next') =>
    other === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${escaped(relative(page.path, `${other.path}.html`))}"><small>${rel === 'prev' ? 'Previous' : 'Next'}</small>${escaped(other.title)}</a>`
  return `<footer>${link(all[at - 1], 'prev')}${link(all[at + 1], 'next')}</footer>\n`
}
