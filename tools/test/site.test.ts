import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMANDS } from '../../packages/quorate/src/cli/commands.ts'
import { ROUTES } from '../../packages/quorate/src/contract/routes.ts'
import { type BuiltSite, buildSite } from '../site/build-site.ts'
import { siteProblems } from '../site/check-site.ts'
import { highlight } from '../site/highlight.ts'
import { renderPage } from '../site/markdown.ts'
import { helpMarkdown } from '../site/reference.ts'
import { schemaRows, typeText } from '../site/schema-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'quorate-site-'))
let site: BuiltSite
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

beforeAll(async () => {
  site = await buildSite(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every link, anchor and image of the site leads somewhere', () => {
  expect(site.pages.length).toBeGreaterThan(40)
  expect(siteProblems(folder, site)).toEqual([])
})

test('the reference has every command with its flags, every section of the config and every route', async () => {
  const commands = read('reference/commands.html')
  for (const { name } of COMMANDS) expect(commands).toContain(`<h2 id="${name}">`)
  expect(commands).toContain('<code>--max-cost USD</code>')
  expect(read('reference/config.html')).toContain('<code>panel.agents[].model</code>')
  const routes = read('reference/http.html')
  for (const { method, path } of ROUTES.filter((route) => route.path !== '/openapi.json')) {
    expect(routes).toContain(`<code>${method} ${path}</code>`)
  }
})

test('pages load nothing from elsewhere', () => {
  for (const { page } of site.pages) {
    expect(read(`${page.path}.html`)).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
  }
})

test('a broken link, a missing section and a missing image are found', () => {
  const file = join(folder, 'concepts.html')
  const whole = readFileSync(file, 'utf8')
  const broken =
    '<a href="gone.html">a</a><a href="models.html#gone">b</a><img src="images/gone.svg"><a href="http://example.org">c</a>'
  writeFileSync(file, whole.replace('</main>', `${broken}</main>`))
  expect(siteProblems(folder, site)).toEqual([
    'concepts.html: gone.html does not exist',
    'concepts.html: models.html#gone has no such section',
    'concepts.html: http://example.org must begin with https',
    'concepts.html: images/gone.svg does not exist',
  ])
  writeFileSync(file, whole)
})

test('a link to a file that is no page is found, and raw HTML is shown as text', () => {
  const page = { path: 'x', title: 'x', source: 'docs/x.md', markdown: '[a](../tools/run.mjs) <b onclick="x">b</b>' }
  const { html, strays } = renderPage(page, new Map())
  expect(strays).toEqual(['../tools/run.mjs'])
  expect(html).not.toContain('<b')
})

test('code is escaped, with and without colours', () => {
  expect(highlight('<a> & "b"', 'text')).toBe('&#60;a&#62; &#38; &#34;b&#34;')
  expect(highlight("const a = '<b>' // c", 'ts')).toBe(
    '<span class="word">const</span> a = <span class="string">&#39;&#60;b&#62;&#39;</span> <span class="comment">// c</span>',
  )
})

test('a help page becomes a table of its flags', () => {
  const help =
    'quorate x FILE\n\nDoes x.\n\nFlags\n  --beta B           the budget,\n                     a number\n  --a-rather-long-one FILE\n                     a | b\n\nExamples\n  quorate x a\n'
  expect(helpMarkdown(help)).toBe(
    '```text\nquorate x FILE\n\nDoes x.\n```\n\n| flag | what it does |\n| --- | --- |\n| `--beta B` | the budget, a number |\n| `--a-rather-long-one FILE` | a \\| b |\n\n```text\nExamples\n  quorate x a\n```\n',
  )
})

test('fields of a schema are read with their limits', () => {
  expect(typeText({ type: 'integer', minimum: 1, maximum: 64 })).toBe('integer, 1 to 64')
  expect(typeText({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 })).toBe('number, above 0, below 1')
  expect(typeText({ anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] })).toBe('number, at least 0 or null')
  const rows = schemaRows({ properties: { a: { items: { properties: { b: { const: 'c' } }, required: ['b'] } } } }, 2)
  expect(rows.map(({ path, type, isRequired }) => [path, type, isRequired])).toEqual([
    ['a', 'list of any', false],
    ['a[].b', '"c"', true],
  ])
})
