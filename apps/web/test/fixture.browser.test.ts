import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser, launchBrowser } from '../../../tools/browser.ts'
import { openPage } from './fixture/opened-page.ts'
import { type Fixture, startFixture } from './fixture/start-fixture.ts'

const found = findBrowser()
if (found.kind === 'absent') process.stderr.write(`the app in a browser skipped: ${found.reason}\n`)

describe.skipIf(found.kind === 'absent')('the frame of the app', () => {
  let browser: Browser
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await startFixture()
    if (found.kind === 'found') browser = await launchBrowser(found.path)
  })
  afterAll(async () => {
    await browser?.close()
    await fixture?.close()
  })

  test.each(['#/', '#/debates', '#/audit', '#/certificates', '#/nowhere'])(
    '%s opens under the content security policy without a word of complaint',
    async (link) => {
      const { page, heard } = await openPage(browser, fixture.address, link, { width: 1440 })
      expect(heard).toEqual([])
      await page.close()
    },
  )
})
