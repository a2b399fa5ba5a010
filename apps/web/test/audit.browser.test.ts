import { expect, test } from 'vitest'
import { auditSchema } from '../../../packages/quorate/src/contract/index.ts'
import { AUDIT } from './fixture/audit-fixture.ts'
import {
  describeInBrowser,
  EACH_THEME_AND_WIDTH,
  expectOnlyText,
  expectSound,
  THEMES_AND_WIDTHS,
} from './fixture/describe-in-browser.ts'
import { getRoute } from './fixture/fixture-route.ts'
import { START } from './fixture/monitor-fixture.ts'
import { leavePage } from './fixture/opened-page.ts'

describeInBrowser('an audit', [], (stage) => {
  test('is accessible and fits, in both themes, wide and narrow', () =>
    expectSound(stage, '#/certificates/active/checks', THEMES_AND_WIDTHS))

  test('shows each verdict with a shape and a word, contradicted assumptions first', async () => {
    const { page } = await stage.open('#/certificates/active/checks')
    const verdicts = await page.locator('.check .verdict-mark').allInnerTexts()
    expect(verdicts).toEqual(['✕ falsified', '○ not falsified', '– not enough data'])
    const [head = ''] = await page.locator('.audit-verdict').allInnerTexts()
    expect(head).toContain('✕ An assumption is contradicted')
    const first = await page.locator('.check').first().innerText()
    expect(first).toContain('In invoices 81.2 % of 310 acted on were right')
    expect(first).toContain('Calibrate with --group-conditional')
    expect(first).toContain('p, Holm < 0.001')
    await leavePage(page)
  })
})

const NONE = getRoute('/v1/audit', auditSchema, { audit: null, missing: 'Only 12 debates are labelled.', at: START })

describeInBrowser('an audit without enough labels', [NONE], (stage) => {
  test('is accessible and fits, narrow and light, wide and dark', () =>
    expectSound(stage, '#/certificates/active/checks', EACH_THEME_AND_WIDTH))

  test('says what is missing and what to do', async () => {
    const { page } = await stage.open('#/certificates/active/checks')
    const text = await page.locator('main').innerText()
    expect(text).toContain('Only 12 debates are labelled.')
    expect(text).toContain('quorate import')
    await leavePage(page)
  })
})

const TEXT = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202e'
const SPOILT = {
  ...AUDIT,
  checks: AUDIT.checks.map((check) => ({
    ...check,
    assumption: TEXT,
    null: TEXT,
    finding: TEXT,
    next: TEXT,
    rows: check.rows.map((row) => ({ ...row, name: `${TEXT}${'x'.repeat(2000)}` })),
  })),
  measures: AUDIT.measures.map((measure) => ({ ...measure, name: TEXT, meaning: TEXT })),
}

describeInBrowser(
  'an audit of hostile texts',
  [getRoute('/v1/audit', auditSchema, { audit: SPOILT, missing: null, at: START })],
  (stage) => {
    test('shows them as text', () => expectOnlyText(stage, '#/certificates/active/checks'))
  },
)
