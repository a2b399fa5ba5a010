import { expect, test } from 'vitest'
import { sessionSchema } from '../../../packages/quorate/src/contract/index.ts'
import { describeInBrowser, expectSound } from './fixture/describe-in-browser.ts'
import { answered, done, type FixtureRoute, refused } from './fixture/fixture-route.ts'
import { leavePage } from './fixture/opened-page.ts'
import { ADMIN } from './fixture/routes/session.ts'

describeInBrowser('on the machine of the server', [], (stage) => {
  test('the sidebar shows the user and offers to sign in, and the settings link to the HTTP API', async () => {
    const { page } = await stage.open('#/settings')
    expect(await page.getByRole('link', { name: 'HTTP API' }).getAttribute('href')).toBe('/docs')
    const banner = page.getByRole('banner')
    expect(await banner.innerText()).toContain('ada (admin)')
    expect(await banner.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await banner.getByRole('link', { name: 'Sign in as …' }).click()
    await page.getByLabel('Token').waitFor()
    await leavePage(page)
  })
})

/** A reviewer who signed in with a token, until they sign out. */
function signedIn(): readonly FixtureRoute[] {
  let isKnown = true
  const reviewer = { ...ADMIN, name: 'bea', role: 'reviewer', isLocal: false } as const
  return [
    {
      method: 'GET',
      path: '/v1/session',
      answer: () => (isKnown ? answered(sessionSchema, reviewer) : refused(401, 'not signed in', 'a token is needed')),
    },
    {
      method: 'DELETE',
      path: '/v1/session',
      answer: () => {
        isKnown = false
        return done()
      },
    },
  ]
}

describeInBrowser('a user who signed in with a token', signedIn(), (stage) => {
  test('sees their name and role in a header that fits', () =>
    expectSound(stage, '#/certificates', [{ colorScheme: 'light', width: 390 }]))

  test('signs out, and leaves nothing behind in the browser', async () => {
    const { page } = await stage.open('#/certificates')
    await page.evaluate(
      "localStorage.setItem('quorate-session', 'key'); sessionStorage.setItem('quorate-review-item', '7')",
    )
    expect(await page.getByRole('banner').innerText()).toContain('bea (reviewer)')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(stage.asked()).toEqual(['DELETE /v1/session {}'])
    expect(await page.evaluate("[localStorage.getItem('quorate-session'), sessionStorage.length]")).toEqual([null, 0])
    await leavePage(page)
  })
})
