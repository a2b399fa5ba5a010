import { expect, test } from 'vitest'
import {
  certificateRowSchema,
  certificateViewSchema,
  pageOf,
  sessionSchema,
} from '../../../packages/quorate/src/contract/index.ts'
import { CERTIFICATES } from './fixture/certificate-fixture.ts'
import { describeInBrowser, expectOnlyText, expectSound, THEMES_AND_WIDTHS } from './fixture/describe-in-browser.ts'
import { getRoute } from './fixture/fixture-route.ts'
import { hostile } from './fixture/hostile.ts'
import { ADMIN } from './fixture/routes/session.ts'

const [latest = '', older = '', oldest = ''] = CERTIFICATES.map(({ id }) => id)

describeInBrowser('certificates', [], (stage) => {
  test.each(THEMES_AND_WIDTHS)(
    'list, one and two compared have no barrier and fit, %s at %d px',
    async (colorScheme, width) => {
      for (const link of [
        '#/certificates',
        `#/certificates/${older}`,
        `#/certificates?left=${oldest}&right=${latest}`,
      ]) {
        await expectSound(stage, link, { colorScheme, width })
      }
    },
  )

  test('are listed with the active one marked and how to make one', async () => {
    const { page } = await stage.open('#/certificates')
    const text = await page.locator('main').innerText()
    expect(await page.locator('tr.is-active').innerText()).toContain('● active')
    expect(text).toContain('cannot act')
    expect(text).toContain('quorate calibrate debates.jsonl')
    await page.close()
  })

  test('two that are marked are compared, with what differs said in words', async () => {
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
    await page.close()
  })

  test('what one of two does not say is not called a difference', async () => {
    const { page } = await stage.open(`#/certificates?left=${oldest}&right=${latest}`)
    expect(await page.locator('tr.unknown').count()).toBe(2)
    expect(await page.locator('main').innerText()).toMatch(/\d+ of 17 fields differ, 2 cannot be compared\./)
    await page.close()
  })

  test('an admin activates one in two steps, and says why', async () => {
    const { page } = await stage.open(`#/certificates/${older}`)
    await page.getByRole('button', { name: 'Activate …' }).click()
    const change = await page.locator('.activate-change').innerText()
    expect(change).toMatch(/Now c7d1e04a\s+Then a1b90c44/)
    expect(change).toMatch(/Labels\s+4,812\s+≠ 2,400/)
    expect(change).toMatch(/Budget beta\s+0\.100\s+0\.100/)
    await page.getByRole('button', { name: 'Yes, activate it' }).press('Enter')
    await page.getByText('Write at least 3 letters.').waitFor()
    await page.keyboard.type('its audit is clean')
    await page.getByRole('button', { name: 'Yes, activate it' }).press('Enter')
    await page.getByText('● active').waitFor()
    expect(stage.asked()).toEqual([`POST /v1/certificates/${older}/activate {"note":"its audit is clean"}`])
    await page.close()
  })
})

const VIEWER = getRoute('/v1/session', sessionSchema, { ...ADMIN, role: 'viewer' })
const EMPTY = getRoute('/v1/certificates', pageOf(certificateRowSchema), { items: [], next: null })

describeInBrowser('for a viewer of an empty store', [VIEWER, EMPTY], (stage) => {
  test('the list says how to make a certificate', async () => {
    const { page } = await stage.open('#/certificates')
    expect(await page.locator('main').innerText()).toContain('quorate calibrate')
    await page.close()
  })

  test('nothing can be activated', async () => {
    const { page } = await stage.open(`#/certificates/${older}`)
    expect(await page.locator('main').innerText()).toContain('An admin can activate it.')
    expect(await page.locator('main button').count()).toBe(0)
    await page.close()
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
          fingerprint: {
            ...first.fingerprint,
            '<script>alert(1)</script>': { '<b>x</b>': '<script>alert(1)</script>' },
          },
        }),
      ]),
]

describeInBrowser('certificates of hostile texts', SPOILT, (stage) => {
  test('are shown as text', async () => {
    const { page, heard } = await stage.open('#/certificates')
    expect(heard).toEqual([])
    expect(await page.locator('main :is(script, img, b)').count()).toBe(0)
    await page.close()
    await expectOnlyText(stage, '#/certificates/x')
    await expectOnlyText(stage, '#/certificates?left=x&right=y')
  })
})
