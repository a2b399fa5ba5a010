import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { leavePage, overflow } from '../../../../apps/web/test/fixture/opened-page.ts'
import type { CertifyAnswer, DebateRow, MonitorView } from '../../src/contract/index.ts'
import { asked, type Served } from './served.ts'
import { copyCalibrated, describeForReal } from './stage.ts'

const PAYLOAD =
  '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202e</title></style><b>{{7*7}}</b> javascript:alert(1)'
const SHOWN = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
const [RIGHT, WRONG] = [`${PAYLOAD} right`, `${PAYLOAD} wrong`]

/** A debate of the calibrated agents that never agree, so that a person is asked. */
function debate(id: string) {
  const answers = [RIGHT, WRONG, WRONG]
  const round = ['ada', 'bob', 'cleo'].map((agent, index) => {
    const answer = answers[index] ?? WRONG
    return { agent, answer, beliefs: { [answer]: 1 }, conf: { verbal: 0.6 }, text: `${PAYLOAD} said ${agent}` }
  })
  const options = { [RIGHT]: `${PAYLOAD} option`, [WRONG]: `${PAYLOAD} option` }
  return { id, question: `${PAYLOAD} question`, options, group: `${PAYLOAD} group`, rounds: Array(4).fill(round) }
}

describeForReal('what somebody else wrote is shown as text', (stage) => {
  let served: Served

  beforeAll(async () => {
    await copyCalibrated(stage().folder)
    served = await stage().serve('--certificate', 'certificate.json')
    for (const id of ['first', 'second', 'third', 'fourth']) {
      const answer = await asked<CertifyAnswer>(served, '/v1/certify', { body: debate(`${PAYLOAD} ${id}`) })
      expect(answer.kind).toBe('defer')
    }
    await asked(served, '/v1/policy/suspend', { body: { note: `${PAYLOAD} note of an admin` } })
  })

  /** Of a hostile debate that is not hidden; -1 while all of them are. Those of the calibration stand in the list too. */
  async function placeOfTold(): Promise<number> {
    const { items } = await asked<{ items: DebateRow[] }>(served, '/v1/debates?limit=10')
    return items.findIndex(({ isHidden, questionId }) => !isHidden && questionId.startsWith(PAYLOAD))
  }

  async function expectText(page: Page): Promise<void> {
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })
    expect(await page.locator('main').innerText()).toContain(SHOWN)
    expect(await page.locator('main :is(script, img, iframe, object, embed, style, b, [onerror])').count()).toBe(0)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  }

  test('in the queue, with a hostile note of the reviewer', async () => {
    const { page, logged } = await stage().open(served, '#/review')
    for (const _ of ['first', 'second']) {
      await page.getByRole('radio').first().waitFor()
      await expectText(page)
      await page.keyboard.press('n')
      await page.keyboard.type(`${PAYLOAD} note`)
      await page.keyboard.press('Escape')
      await page.keyboard.press('1')
      const submitted = page.waitForResponse((response) => response.url().endsWith('/submit'))
      await page.keyboard.press('Enter')
      expect((await submitted).status()).toBe(200)
      await page.locator('.review input:checked').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('h')
    await expectText(page)
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test.each(['#/', '#/debates', '#/review/list?status=any'])('on %s', async (link) => {
    const { page, logged } = await stage().open(served, link)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByText('<script>').first().waitFor()
      await expectText(page)
      expect(logged).toEqual([])
    }
    await leavePage(page)
  })

  test('on the page of a debate, and in its address and title', async () => {
    // A blind one tells nothing until its review can no longer be undone.
    await expect.poll(placeOfTold, { interval: 500 }).toBeGreaterThanOrEqual(0)
    const { page, logged } = await stage().open(served, '#/debates')
    await page
      .getByRole('table')
      .getByRole('link')
      .nth(await placeOfTold())
      .click()
    await page.getByText('said ada').first().waitFor()
    await expectText(page)
    expect(await page.title()).not.toMatch(/49/)
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('in what a program reads, byte for byte', async () => {
    const { policy } = await asked<MonitorView>(served, '/v1/monitor')
    expect(policy.reason).toBe(`${PAYLOAD} note of an admin`)
  })
})
