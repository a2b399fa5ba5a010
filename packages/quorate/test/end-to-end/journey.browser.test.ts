import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations, leavePage } from '../../../../apps/web/test/fixture/opened-page.ts'
import type { LabelView, LedgerRowView, MonitorView } from '../../src/contract/index.ts'
import { decideOverHttp, reviewOverHttp, wrongOption } from './over-http.ts'
import { calibrate, decideFresh, LATE, writeFolder } from './quorate-folder.ts'
import { type InHand, itemInHand, submitWithEnter } from './reviewing.ts'
import { asked, type Served } from './served.ts'
import { describeForReal } from './stage.ts'

const EMPTY_PAGES = [
  ['#/', 'No certificate is active.'],
  ['#/runs', 'No run yet.'],
  ['#/debates', 'No debate is stored yet'],
  ['#/review', 'Nothing waits'],
  ['#/review/list', 'No item of this status'],
  ['#/settings', 'There is no token.'],
  ['#/certificates', 'There is no certificate yet'],
] as const

/** The server samples more often than the command line, so that few questions suffice for an alarm of the monitor. */
const SERVED_RATE = ['--spot-check-rate', '0.5'] as const
const FEWEST_REVIEWED = 10
const MOST_REVIEWED = 80

/** Each test goes on where the one before it stopped. */
describeForReal('from an empty store to a queue that is worked through', (stage) => {
  let served: Served
  let page: Page
  let logged: readonly string[]

  test('an empty store: every page says what is missing and how it comes', async () => {
    await writeFolder(stage().folder)
    served = await stage().serve(...SERVED_RATE)
    const opened = await stage().open(served, '#/', { bypassCSP: true })
    for (const [link, words] of EMPTY_PAGES) {
      // From page to page, as a person goes: the app is loaded once.
      await opened.page.goto(`${served.address}/${link}`)
      await opened.page.locator('main', { hasText: words }).waitFor()
      await opened.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await opened.page.locator('main').innerText(), link).toContain(words)
      expect(await axeViolations(opened.page), link).toEqual([])
      expect(opened.logged, link).toEqual([])
    }
    await leavePage(opened.page)
  })

  test('a certificate that the command line made beside the server is activated on its page', async () => {
    await calibrate(stage().folder)
    ;({ page, logged } = await stage().open(served, '#/certificates'))
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: 'Activate…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('the first one')
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('banner').getByText('Acting').waitFor()
    await decideFresh(stage().folder)
    const { queue } = await asked<MonitorView>(served, '/v1/monitor')
    expect(queue.waiting).toBeGreaterThan(10)
  })

  test('items are reviewed with the keyboard alone: a spot check, a blind deferral, an open one and an undo among them', async () => {
    await page.goto(`${served.address}/#/review`)
    const printed: InHand[] = []
    for (let count = 0; count < FEWEST_REVIEWED || !(await isOfEveryKind(served, printed)); count++) {
      expect(count, 'reviewed, and no item of some kind').toBeLessThan(MOST_REVIEWED)
      const inHand = await itemInHand(page)
      const { right, isBlind } = inHand
      const item = expect(await page.locator('.item').innerText())
      if (isBlind) item.not.toMatch(/\bada\b|bound|deferred/i)
      else item.toMatch(/deferred/i)
      await page.keyboard.press(String('ABCD'.indexOf(right) + 1))
      if (count === 4) {
        await page.keyboard.press('n')
        await page.keyboard.type('checked by hand; a ? 1 u')
        await page.keyboard.press('Escape')
      }
      const { id } = await submitWithEnter(page)
      if (count === 5) await undoAndSayAgain(page, id)
      printed.push(inHand)
    }
    expect(logged).toEqual([])
    await expectLabels(served, printed)
  })

  async function undoAndSayAgain(page: Page, id: string): Promise<void> {
    await page.keyboard.press('u')
    await page.getByText('Undone: ').first().waitFor()
    const labels = await labelsOf(served)
    expect(labels).toHaveLength(5)
    expect(await page.locator('.review input:checked').count()).toBe(1)
    expect((await submitWithEnter(page)).id).toBe(id)
  }

  test('the slider decides the stored debates again and changes what would be acted on', async () => {
    await page.goto(`${served.address}/#/certificates/active`)
    const figures = page.locator('.operating-tiles').getByText('acts on', { exact: true }).locator('..')
    const beta = page.getByRole('slider', { name: 'beta' })
    await beta.waitFor()
    // Folded while the settings are those of the certificate.
    const fold = page.getByText('What these settings would do with the stored debates')
    await fold.click()
    await expect.poll(async () => percentage(await figures.innerText())).toBeGreaterThan(0)
    const before = await figures.innerText()
    await beta.focus()
    // Down to the smallest beta, whose floor is high too: fewer debates are acted on, or none.
    await page.keyboard.press('Home')
    await expect.poll(async () => percentage(await figures.innerText())).toBeLessThan(percentage(before))
    await page.getByRole('button', { name: 'Back to the certificate in use' }).click()
    await figures.waitFor({ state: 'hidden' })
    await fold.click()
    await expect.poll(() => figures.innerText()).toBe(before)
  })

  test('an admin suspends the policy and releases it with a note; meanwhile nothing is acted on', async () => {
    await page.goto(`${served.address}/#/`)
    // The address changes before the page does.
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await changePolicy(page, 'Suspend', 'the prices of the supplier changed')
    await page.getByRole('heading', { name: 'Suspended' }).waitFor()
    expect(await page.locator('main').innerText()).toContain('the prices of the supplier changed')
    const [deferred] = await decideOverHttp(served, LATE.slice(0, 1))
    expect(deferred?.decision).toMatchObject({ kind: 'defer', reason: 'suspended' })
    await changePolicy(page, 'Release', 'the new prices are in the questions')
    await page.getByRole('banner').getByText('Acting').waitFor()
    const later = await decideOverHttp(served, LATE.slice(1, 10))
    expect(later.map(({ decision }) => decision?.kind)).toContain('act')
    const { items } = await asked<{ items: LedgerRowView[] }>(served, '/v1/ledger?run=policy')
    expect(items.map(({ line }) => line['kind'])).toEqual(['activate', 'suspend', 'release'])
  })

  test('spot checks that say the panel was wrong suspend the policy by themselves; the release is an admin’s', async () => {
    for (let from = 10; from < LATE.length; from += 100) await decideOverHttp(served, LATE.slice(from, from + 100))
    await reviewOverHttp(served, wrongOption)
    // Labels count once their reviews can no longer be undone.
    await expect
      .poll(async () => (await asked<MonitorView>(served, '/v1/monitor')).policy, { interval: 500 })
      .toMatchObject({ state: 'suspended', cause: 'monitor' })
    await page.reload()
    await page.getByRole('banner').getByText('by the spot checks').waitFor()
    await changePolicy(page, 'Release', 'a reviewer had mistaken every answer')
    await page.getByRole('banner').getByText('Acting').waitFor()
    expect(logged).toEqual([])
  })

  test('SIGTERM ends the server cleanly, and what was said is there after the next start', async () => {
    const before = await labelsOf(served)
    await page.close()
    expect(await served.stop()).toBe(0)
    served = await stage().serve()
    expect(await labelsOf(served)).toEqual(before)
    expect((await asked<MonitorView>(served, '/v1/monitor')).policy.state).toBe('live')
    expect(await served.stop()).toBe(0)
  })
})

/** Every label is what was said, and says how its question was selected. */
async function expectLabels(served: Served, printed: readonly InHand[]): Promise<void> {
  const labels = await labelsOf(served)
  expect(new Map(labels.map(({ questionId, gold }) => [questionId, gold]))).toEqual(
    new Map(printed.map(({ questionId, right }) => [questionId, right])),
  )
  const { spotChecks, blindDeferrals, open } = kindsOf(labels, printed)
  expect(spotChecks.filter(({ isBlind }) => !isBlind)).toEqual([])
  expect(Math.min(spotChecks.length, blindDeferrals.length, open.length), 'items of the rarest kind').toBeGreaterThan(0)
}

/** Whether a spot check, a blind deferral and an item that is not blind are among them. */
async function isOfEveryKind(served: Served, printed: readonly InHand[]): Promise<boolean> {
  return Object.values(kindsOf(await labelsOf(served), printed)).every((items) => items.length > 0)
}

function kindsOf(labels: readonly LabelView[], printed: readonly InHand[]) {
  const sampled = new Set(labels.filter(({ source }) => source === 'spot-check').map(({ questionId }) => questionId))
  const isSampled = ({ questionId }: InHand) => sampled.has(questionId)
  return {
    spotChecks: printed.filter(isSampled),
    blindDeferrals: printed.filter((item) => item.isBlind && !isSampled(item)),
    open: printed.filter(({ isBlind }) => !isBlind),
  }
}

async function labelsOf(served: Served): Promise<readonly LabelView[]> {
  const { items } = await asked<{ items: LabelView[] }>(served, '/v1/labels?limit=200')
  return items.filter(({ source }) => source !== 'import')
}

async function changePolicy(page: Page, change: 'Suspend' | 'Release', note: string): Promise<void> {
  await page.getByRole('button', { name: `${change}…` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(note)
  await dialog.getByRole('button', { name: change, exact: true }).click()
}

function percentage(text: string): number {
  return Number(/([\d.]+) %/.exec(text)?.[1])
}
