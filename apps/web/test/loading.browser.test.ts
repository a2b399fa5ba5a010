import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from './fixture/describe-in-browser.ts'

describeInBrowser('a page whose file cannot be loaded', [], (stage) => {
  test('reports that the server cannot be reached, keeps the navigation, and loads once it is back', async () => {
    const { page } = await stage.open('#/certificates')
    stage.setFault({ path: /./, kind: 'hang-up' })
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    // Pages that were loaded before still work.
    await page.getByRole('link', { name: 'Certificates' }).click()
    await page.getByRole('heading', { name: 'Certificates', level: 1 }).waitFor()
    stage.setFault(null)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Within budget' }).waitFor()
    expect(await styledTiles(page)).toBe('grid')
    await page.close()
  })

  test('is reloaded once if the build changed, and then reports the failure until Try again works', async () => {
    const { page } = await stage.open('#/certificates')
    let documents = 0
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1
    })
    stage.setFault({ path: /^\/assets\/overview-page[^/]*\.js$/, kind: 'absent' })
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(documents).toBe(1)
    expect(await page.getByRole('navigation').count()).toBe(1)
    stage.setFault(null)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Within budget' }).waitFor()
    expect(await styledTiles(page)).toBe('grid')
    await page.close()
  })
})

function styledTiles(page: Page): Promise<string> {
  return page.evaluate<string>("getComputedStyle(document.querySelector('.kpis')).display")
}
