import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBrowser, hasBrowser, startBuiltFixture } from './fixture/describe-in-browser.ts'
import { leavePage, openPage } from './fixture/opened-page.ts'
import type { Fixture } from './fixture/start-fixture.ts'

describe.skipIf(!hasBrowser)('the frame of the app', () => {
  let browser: Browser
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await startBuiltFixture()
    browser = await connectBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await fixture?.close()
  })

  test.each(['#/', '#/runs', '#/debates', '#/review', '#/certificates', '#/settings', '#/nowhere'])(
    '%s opens under the content security policy without an error',
    async (link) => {
      const { page, logged } = await openPage(browser, fixture.address, link, { width: 1440 })
      expect(logged).toEqual([])
      await leavePage(page)
    },
  )

  test('the first Tab reaches a link past the navigation, and the focus is visible', async () => {
    const { page } = await openPage(browser, fixture.address, '#/settings', { width: 1440 })
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to the content' })
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedTag(page)).toBe('MAIN')
    await leavePage(page)
  })

  test('the focus moves to every new page, also within a section of the app', async () => {
    const { page } = await openPage(browser, fixture.address, '#/', { width: 1440 })
    await page.getByRole('banner').getByRole('link', { name: 'Debates' }).click()
    await page.getByRole('heading', { name: 'Debates' }).waitFor()
    await expect.poll(() => focusedTag(page)).toBe('MAIN')
    await page.locator('tbody a').first().click()
    await page.getByRole('link', { name: 'All debates' }).waitFor()
    await expect.poll(() => focusedTag(page)).toBe('H1')
    await page.getByRole('link', { name: 'All debates' }).click()
    await page.getByRole('heading', { name: 'Debates' }).waitFor()
    await expect.poll(() => focusedTag(page)).toBe('MAIN')
    await page.goto(`${fixture.address}/#/review/list`)
    await page.getByRole('heading', { name: 'All items of the queue' }).waitFor()
    await expect.poll(() => focusedTag(page)).toBe('MAIN')
    await leavePage(page)
  })

  test('G and a letter opens each page, / the search, ? the list of keys; all of them can be switched off', async () => {
    const { page, logged } = await openPage(browser, fixture.address, '#/', { width: 1440 })
    for (const [letter, title] of [
      ['r', 'Runs'],
      ['c', 'Certificates'],
      ['s', 'Settings'],
      ['d', 'Debates'],
      ['o', 'Overview'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(letter)
      await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor()
    }
    await page.keyboard.press('/')
    await page.getByRole('heading', { name: 'Debates', level: 1 }).waitFor()
    await page.locator('input[type="search"]:focus').waitFor()
    await page.keyboard.type('g s ?')
    expect(page.url()).toContain('debates')
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Keys of one letter are on' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    expect(page.url()).toContain('debates')
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('every page opens, and settings last as long as the page, in a browser that stores nothing', async () => {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.addInitScript(
      `for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, { get() { throw new DOMException('off', 'SecurityError') } })
      }`,
    )
    for (const [link, title] of [
      ['#/review', 'Question'],
      ['#/debates', 'Debates'],
      ['#/settings', 'Settings'],
    ] as const) {
      await page.goto(`${fixture.address}/${link}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Keys of one letter are on' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    expect(page.url()).toContain('#/settings')
    expect(errors).toEqual([])
    await page.close()
  })
})

function focusedTag(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.tagName')
}
