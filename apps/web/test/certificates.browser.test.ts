import { expect, test } from 'vitest'
import {
  certificateRowSchema,
  certificateViewSchema,
  monitorSchema,
  pageOf,
  sessionSchema,
} from '../../../packages/quorate/src/contract/index.ts'
import { CERTIFICATES } from './fixture/certificate-fixture.ts'
import { describeInBrowser, expectOnlyText, expectSound, THEMES_AND_WIDTHS } from './fixture/describe-in-browser.ts'
import { getRoute } from './fixture/fixture-route.ts'
import { hostile } from './fixture/hostile.ts'
import { MONITOR } from './fixture/monitor-fixture.ts'
import { leavePage } from './fixture/opened-page.ts'
import { ADMIN } from './fixture/routes/session.ts'

const [latest = '', older = '', oldest = ''] = CERTIFICATES.map(({ id }) => id)

describeInBrowser('certificates', [], (stage) => {
  test.each([
    ['the list', '#/certificates'],
    ['one', `#/certificates/${older}`],
    ['its fingerprint', `#/certificates/${older}/fingerprint`],
    ['its history', `#/certificates/${older}/history`],
    ['two compared', `#/certificates?left=${oldest}&right=${latest}`],
  ])('%s is accessible and fits, in both themes, wide and narrow', (_, link) =>
    expectSound(stage, link, THEMES_AND_WIDTHS),
  )

  test('are listed with the active one marked and how to make one', async () => {
    const { page } = await stage.open('#/certificates')
    const text = await page.locator('main').innerText()
    expect(await page.locator('tr.is-active').innerText()).toContain('active')
    expect(text).toContain('cannot act')
    expect(text).toContain('quorate calibrate debates.jsonl')
    await leavePage(page)
  })

  test('two marked certificates are compared, with the differences in words', async () => {
    const { page } = await stage.open('#/certificates')
    const compare = page.getByRole('button', { name: 'Compare the two marked' })
    expect(await compare.isDisabled()).toBe(true)
    await page.getByRole('checkbox').nth(0).press('Space')
    await page.getByRole('checkbox').nth(1).press('Space')
    await compare.click()
    await page.getByText('3 of 17 fields differ.').waitFor()
    const rows = await page.locator('tr.differs').allInnerTexts()
    expect(
      rows.some((row) => row.includes('qwen2.5-32b') && row.includes('qwen3-32b') && row.includes('differs')),
    ).toBe(true)
    await leavePage(page)
  })

  test('a field that one certificate lacks is not called a difference', async () => {
    const { page } = await stage.open(`#/certificates?left=${oldest}&right=${latest}`)
    expect(await page.locator('tr.unknown').count()).toBe(2)
    expect(await page.locator('main').innerText()).toMatch(/\d+ of 17 fields differ, 2 cannot be compared\./)
    await leavePage(page)
  })

  test('an admin activates one in a dialog that shows the change and asks for the reason', async () => {
    const { page } = await stage.open(`#/certificates/${older}`)
    await page.getByRole('button', { name: 'Activate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate a1b90c?' })
    const change = await dialog.locator('.activate-change').innerText()
    expect(change).toMatch(/c7d1e0\s+a1b90c/)
    expect(change).toMatch(/Labels\s+4,812\s+2,400/)
    expect(change).toMatch(/Beta\s+10 %\s+10 %/)
    expect(await dialog.innerText()).toContain('Period 4 begins. Tests restart. Periods 1 to 3 stay in the charts')
    await dialog.getByLabel('Shadow first').check()
    expect(await dialog.innerText()).toContain('everything goes to people')
    await dialog.getByRole('button', { name: 'Activate' }).press('Enter')
    await page.getByText('Write at least 3 letters.').waitFor()
    await page.keyboard.type('its audit is clean')
    await dialog.getByRole('button', { name: 'Activate' }).press('Enter')
    await expect
      .poll(() => stage.asked())
      .toEqual([`POST /v1/certificates/${older}/activate {"note":"its audit is clean","mode":"shadow"}`])
    await page.locator('.chip', { hasText: 'Active' }).waitFor()
    await leavePage(page)
  })

  test('the history has every period with its figures, author and note, and the suspension between them', async () => {
    const { page } = await stage.open(`#/certificates/${older}/history`)
    const text = await page.locator('.history').innerText()
    expect(text).toMatch(/Activated c7d1e0 by ada\. “its audit is clean” Period 3: 4\.3 %, 17 of 391, at most 9\.0 %\./)
    expect(text).toMatch(/Suspended by the fingerprint check\. “qwen answered as another model”/)
    expect(text).toMatch(/Released 7d20ae by ada\. “qwen pinned” Period 2: 1\.7 %, 5 of 297/)
    await leavePage(page)
  })
})

const VIEWER = getRoute('/v1/session', sessionSchema, { ...ADMIN, role: 'viewer' })
const EMPTY = getRoute('/v1/certificates', pageOf(certificateRowSchema), { items: [], next: null })

describeInBrowser('for a viewer of an empty store', [VIEWER, EMPTY], (stage) => {
  test('the list says that questions are refused, as the overview does, and how to make a certificate', async () => {
    const { page } = await stage.open('#/certificates')
    const text = await page.locator('main').innerText()
    expect(text).toContain('Until one is active, new questions are refused with 503')
    expect(text).toContain('quorate calibrate')
    await leavePage(page)
  })

  test('nothing can be activated', async () => {
    const { page } = await stage.open(`#/certificates/${older}`)
    expect(await page.locator('main').innerText()).toContain('An admin can activate it.')
    expect(await page.locator('main button').count()).toBe(0)
    await leavePage(page)
  })
})

const SUSPENDED = getRoute('/v1/monitor', monitorSchema, {
  ...MONITOR,
  state: { kind: 'suspended', name: 'Suspended', detail: 'since 15 Nov by ada. Everything goes to people.' },
  policy: { ...MONITOR.policy, state: 'suspended', cause: 'admin' },
})

describeInBrowser('the active certificate of a suspended policy', [SUSPENDED], (stage) => {
  test('is called suspended, as in the sidebar, and is not blue', async () => {
    const { page } = await stage.open('#/certificates')
    const state = page.locator('tr.is-active .active')
    expect(await state.innerText()).toContain('active, suspended')
    expect(await state.evaluate((one) => one.className)).not.toContain('text-act')
    await page.goto(page.url().replace(/#.*/, `#/certificates/${latest}`))
    expect(await page.locator('.head .chip').innerText()).toContain('Active, suspended since 15 Nov')
    expect(await page.locator('.head .chip.is-act').count()).toBe(0)
    await leavePage(page)
  })
})

const NO_CERTIFICATE = getRoute('/v1/monitor', monitorSchema, {
  ...MONITOR,
  state: { kind: 'none', name: 'Not acting', detail: 'No certificate is active.' },
  policy: { ...MONITOR.policy, state: 'none' },
  certificate: null,
})

describeInBrowser('the first activation', [NO_CERTIFICATE], (stage) => {
  test('does not claim that the panel begins to act when shadow is chosen', async () => {
    const { page } = await stage.open(`#/certificates/${older}`)
    await page.getByRole('button', { name: 'Activate…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('With this one the panel begins to act.').waitFor()
    await dialog.getByLabel('Shadow first').check()
    expect(await dialog.innerText()).not.toContain('begins to act')
    expect(await dialog.innerText()).toContain('begins to decide, and everything goes to people')
    await leavePage(page)
  })
})

const [first] = hostile(CERTIFICATES)
const SPOILT = [
  getRoute('/v1/certificates', pageOf(certificateRowSchema), { items: [...hostile(CERTIFICATES)], next: null }),
  ...(first === undefined
    ? []
    : [
        getRoute('/v1/certificates/{id}', certificateViewSchema, {
          ...first,
          claim: [...first.claim, '<script>alert(1)</script>'],
          fingerprint: {
            ...first.fingerprint,
            '<script>alert(1)</script>': { '<b>x</b>': '<script>alert(1)</script>' },
          },
        }),
      ]),
]

describeInBrowser('certificates of hostile texts', SPOILT, (stage) => {
  test('are shown as text', async () => {
    const { page, logged } = await stage.open('#/certificates')
    expect(logged).toEqual([])
    expect(await page.locator('main :is(script, img, b)').count()).toBe(0)
    await leavePage(page)
    await expectOnlyText(stage, '#/certificates/x')
    await expectOnlyText(stage, '#/certificates/x/fingerprint')
    await expectOnlyText(stage, '#/certificates?left=x&right=y')
  })
})
