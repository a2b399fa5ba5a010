import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { ReviewRow } from '../../src/contract/index.ts'
import { createToken, decideFresh } from './quorate-folder.ts'
import { itemInHand, submitWithEnter } from './reviewing.ts'
import { asked, type Served } from './served.ts'
import { copyCalibrated, describeForReal, type Stage } from './stage.ts'

describeForReal('two reviewers at one queue', (stage) => {
  let served: Served
  const tokens: Record<string, string> = {}

  beforeAll(async () => {
    const { folder } = stage()
    await copyCalibrated(folder)
    await decideFresh(folder)
    for (const name of ['ann', 'bea']) tokens[name] = await createToken(folder, name, 'reviewer')
    tokens['vic'] = await createToken(folder, 'vic', 'viewer')
    tokens['ada'] = await createToken(folder, 'ada', 'admin')
    served = await stage().serve('--certificate', 'certificate.json', '--require-token')
  })

  test('nobody gets in without a token, and none of it stays where a script could read it', async () => {
    const { page, logged } = await stage().open(served, '#/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.keyboard.type('not a token')
    await page.keyboard.press('Enter')
    await page.getByText('The token is unknown').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(tokens['ann'] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('ann').waitFor()
    // Beside the cookie, which no script reads, a key that is nobody's without it.
    expect(await page.evaluate('[document.cookie, Object.keys(localStorage), Object.keys(sessionStorage)]')).toEqual([
      ...['', ['quorate-session'], []],
    ])
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(tokens['ann'])
    expect(unexpected(logged)).toEqual([])
    await page.context().close()
  })

  test('what one has claimed the other cannot take, from the list, by link, or over HTTP', async () => {
    const [ann, bea] = [await signedIn(stage(), served, tokens['ann']), await signedIn(stage(), served, tokens['bea'])]
    await ann.page.goto(`${served.address}/#/review`)
    const { right } = await itemInHand(ann.page)
    const { items } = await asked<{ items: ReviewRow[] }>(served, '/v1/reviews?limit=200', {
      token: tokens['bea'] ?? '',
    })
    const taken = items.filter(({ claimedBy }) => claimedBy === 'ann')
    expect(taken).toHaveLength(1)
    const id = taken[0]?.id ?? ''

    await bea.page.goto(`${served.address}/#/review/list`)
    const rows = bea.page.getByRole('row')
    // The name alone: questions speak of banners too.
    const row = rows.filter({ has: bea.page.getByText('ann', { exact: true }) })
    await rows.nth(1).waitFor()
    // The list is by age, the queue by arrival: the item may stand on a later page.
    for (let pages = 0; pages < 5 && (await row.count()) === 0; pages++) {
      const shown = await rows.count()
      await bea.page.getByRole('button', { name: 'More' }).click()
      await expect.poll(() => rows.count()).toBeGreaterThan(shown)
    }
    await row.waitFor()
    expect(await row.getByRole('link').count()).toBe(0)
    await bea.page.goto(`${served.address}/#/review/item/${id}`)
    await bea.page.getByRole('heading', { name: 'Somebody else has this item' }).waitFor()
    expect(await bea.page.locator('main').innerText()).toMatch(/ann has it until/)
    const outcome = { kind: 'option', option: 'A' }
    const stolen = asked(served, `/v1/reviews/${id}/submit`, { body: { outcome }, token: tokens['bea'] ?? '' })
    await expect(stolen).rejects.toThrow(/409/)

    await bea.page.getByRole('button', { name: 'Take the next item' }).click()
    await itemInHand(bea.page)
    await ann.page.keyboard.press(String('ABCD'.indexOf(right) + 1))
    expect(await submitWithEnter(ann.page)).toMatchObject({ id, status: 'submitted' })
    expect([unexpected(ann.logged), unexpected(bea.logged)]).toEqual([[], []])
    await ann.page.context().close()
    await bea.page.context().close()
  })

  test('who signed in moves the sliders too, signs out, and the session is over', async () => {
    const { page } = await signedIn(stage(), served, tokens['ann'])
    await page.getByRole('banner').getByText('ann (reviewer)').waitFor()
    const answered = page.waitForResponse(/operating-point$/)
    await page.goto(`${served.address}/#/certificates/active`)
    expect((await answered).status()).toBe(200)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().close()
  })

  test('a viewer may neither review nor suspend; an admin’s suspension shows a reviewer no way to release it', async () => {
    const vic = await signedIn(stage(), served, tokens['vic'])
    await vic.page.goto(`${served.address}/#/review`)
    await vic.page.getByRole('heading', { name: 'Your role cannot review' }).waitFor()
    await vic.page.context().close()
    await asked(served, '/v1/policy/suspend', { body: { note: 'a look first' }, token: tokens['ada'] ?? '' })
    const ann = await signedIn(stage(), served, tokens['ann'])
    await ann.page.getByRole('heading', { name: 'Suspended' }).waitFor()
    expect(await ann.page.getByRole('button', { name: /Release/ }).count()).toBe(0)
    const refused = asked(served, '/v1/policy/release', { body: { note: 'let me' }, token: tokens['ann'] ?? '' })
    await expect(refused).rejects.toThrow(/403/)
    await ann.page.context().close()
  })
})

async function signedIn(
  { open }: Stage,
  served: Served,
  token = '',
): Promise<{ readonly page: Page; readonly logged: readonly string[] }> {
  const opened = await open(served, '#/')
  await opened.page.keyboard.type(token)
  await opened.page.keyboard.press('Enter')
  await opened.page.getByRole('banner').waitFor()
  return opened
}

/** Chromium logs every refusal, such as that of who has not signed in yet. */
function unexpected(logged: readonly string[]): readonly string[] {
  return logged.filter((line) => !/status of (401|409)/.test(line))
}
