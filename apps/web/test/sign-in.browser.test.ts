import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionSchema, signedInSchema, signInSchema } from '../../../packages/quorate/src/contract/index.ts'
import {
  connectBrowser,
  expectSoundLooks,
  hasBrowser,
  startBuiltFixture,
  THEMES_AND_WIDTHS,
} from './fixture/describe-in-browser.ts'
import { answered, type FixtureRoute, refused } from './fixture/fixture-route.ts'
import { leavePage, openPage } from './fixture/opened-page.ts'
import { ADMIN } from './fixture/routes/session.ts'

const TOKEN = 'quorate_right'
const SLOW = 'quorate_slow'

/** There is no session before the right token. One token is refused with a time to wait. */
function guarded(): readonly FixtureRoute[] {
  let isKnown = false
  const unauthorized = (detail: string) => refused(401, 'not signed in', detail)
  return [
    {
      method: 'GET',
      path: '/v1/session',
      answer: () => (isKnown ? answered(sessionSchema, ADMIN) : unauthorized('a token is needed')),
    },
    {
      method: 'POST',
      path: '/v1/session',
      answer: ({ body }) => {
        const { token } = signInSchema.parse(body)
        if (token === SLOW) {
          return {
            ...refused(429, 'too many requests', 'too many requests: try again in 4 s'),
            headers: { 'retry-after': '2' },
          }
        }
        isKnown = token === TOKEN
        const signedIn = { ...ADMIN, sessionKey: 'of this origin' }
        return isKnown ? answered(signedInSchema, signedIn) : unauthorized('the token is unknown, expired or revoked')
      },
    },
  ]
}

describe.skipIf(!hasBrowser)('the sign-in page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())

  test('a wrong token is refused, and the right one opens the requested page', async () => {
    const fixture = await startBuiltFixture({ routes: guarded() })
    const { page } = await openPage(browser, fixture.address, '#/certificates', { width: 1440 })
    const field = page.getByLabel('Token')
    expect(await field.getAttribute('type')).toBe('password')
    expect(await field.getAttribute('autocomplete')).toBe('off')
    await page.keyboard.press('Enter')
    await page.getByText('Paste your token first.').waitFor()
    await page.keyboard.type('quorate_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The token is unknown, expired or revoked.').waitFor()
    // The wrong token is selected, so typing replaces it.
    await page.keyboard.type(`  ${TOKEN} `)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Certificates' }).waitFor()
    expect(page.url()).toContain('#/certificates')
    expect(await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      TOKEN,
    )
    await leavePage(page)
    await fixture.close()
  })

  test('too many attempts show a countdown, after which another is allowed', async () => {
    const fixture = await startBuiltFixture({ routes: guarded() })
    const { page } = await openPage(browser, fixture.address, '#/', { width: 390 })
    await page.keyboard.type(SLOW)
    await page.keyboard.press('Enter')
    await page.getByText(/Try again in [12] s\./).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
    await page.getByText('You may try again now.').waitFor()
    await page.getByLabel('Token').fill(TOKEN)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Overview' }).waitFor()
    await leavePage(page)
    await fixture.close()
  })

  test('axe finds nothing, in both themes, wide and narrow', async () => {
    const fixture = await startBuiltFixture({ routes: guarded() })
    const { page } = await openPage(browser, fixture.address, '#/', { width: 1440, bypassCSP: true })
    await page.keyboard.press('Enter')
    await page.getByText('Paste your token first.').waitFor()
    await expectSoundLooks(page, 'sign-in', THEMES_AND_WIDTHS)
    expect(await page.locator('main').innerText()).toContain('quorate token create')
    await leavePage(page)
    await fixture.close()
  })
})
