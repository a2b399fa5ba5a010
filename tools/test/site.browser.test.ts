import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser, launchBrowser } from '../browser.ts'
import { buildSite } from '../site/build-site.ts'

const found = findBrowser()
const reason = found.kind === 'absent' ? found.reason : ''
const folder = mkdtempSync(join(tmpdir(), 'quorate-site-'))
const address = (path: string) => pathToFileURL(join(folder, path)).href
let browser: Browser | undefined

beforeAll(async () => {
  await buildSite(folder)
  if (found.kind === 'found') browser = await launchBrowser(found.path)
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const PAGES = [
  'index.html',
  'concepts.html',
  'reference/http.html',
  'reference/config.html',
  'experiments/results.html',
]
const CHECKED_BY_AXE = ['index.html', 'concepts.html']
const SCREENS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

test.for(SCREENS)('no page is wider than $width, and the first ones break no rule of axe', async (screen, context) => {
  if (browser === undefined) return context.skip(reason)
  const page = await browser.newPage({
    viewport: { width: screen.width, height: 900 },
    colorScheme: screen.colorScheme,
  })
  const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
  for (const path of PAGES) {
    await page.goto(address(path))
    const tooWide: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect({ path, tooWide }).toEqual({ path, tooWide: 0 })
    // Tables with thousands of cells take axe many seconds, and contain nothing that these pages lack.
    if (!CHECKED_BY_AXE.includes(path)) continue
    await page.evaluate(axe)
    const violations: unknown = await page.evaluate(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))',
    )
    expect({ path, violations }).toEqual({ path, violations: [] })
  }
  await page.close()
})

test('the search finds a section, and the theme is kept from page to page', async (context) => {
  if (browser === undefined) return context.skip(reason)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await page.goto(address('reference/config.html'))
  await page.keyboard.press('/')
  await page.keyboard.type('budget floor')
  const results = async () => (await page.locator('#found a').allInnerTexts()).map((text) => text.replace('\n', ': '))
  await expect.poll(results).toContain('Concepts: Budget: beta and floor')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.goto(address('concepts.html'))
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.close()
})
