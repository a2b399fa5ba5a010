import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser, launchBrowser } from '../../../../tools/browser.ts'
import { sized } from '../../../../tools/lane.ts'
import { makeReport } from '../../src/page/make-report.ts'
import { type WrittenReport, writeReport } from '../../src/page/write-report.ts'
import { writeHostileDebates } from './hostile-debates.ts'

const found = findBrowser()
if (found.kind === 'absent') process.stderr.write(`report in a browser skipped: ${found.reason}\n`)

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const WIDTHS = [1440, 390]
const ALL_RULES = `{ resultTypes: ['violations'] }`
const RULES_OF_COLOURS = `{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }`
/** A theme changes only colours, so the short form checks the dark one with the rules of colours. */
const THEMES = [
  { colorScheme: 'light', options: ALL_RULES },
  { colorScheme: 'dark', options: sized({ short: RULES_OF_COLOURS, full: ALL_RULES }) },
] as const

describe.skipIf(found.kind === 'absent')('a report on debates with hostile names, opened from disk', () => {
  let folder = ''
  let browser: Browser
  let written: WrittenReport

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quorate-browser-'))
    const debates = join(folder, 'debates<img src=x onerror=alert(1)>.jsonl')
    writeHostileDebates(debates, 900)
    const data = await makeReport(debates, {
      profile: 'cells',
      budget: { beta: 0.3, delta: 0.03, epsilon: 0.02 },
      file: {},
      seeds: [7],
      threads: 1,
      groupConditional: false,
      order: 'arrival',
      recompute: { command: 'quorate report "><script>alert(3)</script>', packageVersion: '0.0.0' },
      progress: () => {},
    })
    written = await writeReport(join(folder, 'report'), data)
    if (found.kind === 'found') browser = await launchBrowser(found.path)
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(WIDTHS)('runs no script, sends no request and logs nothing at %d px', async (width) => {
    const { page, logged } = await opened(browser, written.page, { width })
    expect(logged).toEqual([])
    expect(await page.locator('script:not([type="application/json"]), img, iframe, object, embed, b').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.close()
  })

  test.each(WIDTHS)('shows every figure with marks inside its frame at %d px', async (width) => {
    const { page } = await opened(browser, written.page, { width })
    const figures = page.locator('figure svg:visible')
    expect(await figures.count()).toBe(written.figures.length)
    for (const figure of await figures.all()) {
      const frame = await figure.boundingBox()
      const title = await figure.locator('title').first().textContent()
      expect(Math.min(frame?.width ?? 0, frame?.height ?? 0), title ?? '').toBeGreaterThan(100)
      expect((await figure.locator('.mark, .bar').all()).length, title ?? '').toBeGreaterThan(0)
    }
    await page.close()
  })

  test('has no accessibility problem that axe finds, in both themes, wide and narrow', async () => {
    const { page } = await opened(browser, written.page, { width: 1440, bypassCSP: true })
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })
    await page.addScriptTag({ path: AXE })
    // The page has no script, so its style sheet handles themes and widths.
    for (const { colorScheme, options } of THEMES) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const violations = await page.evaluate(
          `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)]))`,
        )
        expect(violations, `${colorScheme} at ${width} px`).toEqual([])
      }
    }
    await page.close()
  })

  test('every figure is a file that a browser parses and shows', async () => {
    const page = await browser.newPage({ viewport: { width: 800, height: 900 } })
    for (const path of written.figures) {
      const logged = await openedIn(page, path)
      expect(await page.locator('parsererror').count(), path).toBe(0)
      expect((await page.locator('svg').first().boundingBox())?.height ?? 0, path).toBeGreaterThan(50)
      expect(logged).toEqual([])
    }
    await page.close()
  })
})

interface View {
  readonly width: number
  readonly bypassCSP?: boolean
}

/** A page, with its requests and log messages. */
async function opened(
  browser: Browser,
  path: string,
  { width, ...view }: View,
): Promise<{ page: Page; logged: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, ...view })
  return { page, logged: await openedIn(page, path) }
}

async function openedIn(page: Page, path: string): Promise<string[]> {
  const logged: string[] = []
  page.removeAllListeners()
  const address = pathToFileURL(path).href
  page.on('console', (message) => logged.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => logged.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    logged.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== address && request.url() !== 'data:,') logged.push(`request: ${request.url()}`)
  })
  await page.goto(address)
  return logged
}
