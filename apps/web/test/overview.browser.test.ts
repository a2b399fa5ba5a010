import { expect, test } from 'vitest'
import { type MonitorView, monitorSchema, sessionSchema } from '../../../packages/quorate/src/contract/index.ts'
import {
  describeInBrowser,
  EACH_THEME_AND_WIDTH,
  expectOnlyText,
  expectSound,
  THEMES_AND_WIDTHS,
} from './fixture/describe-in-browser.ts'
import { getRoute, refused } from './fixture/fixture-route.ts'
import { hostile } from './fixture/hostile.ts'
import { BUDGET, MONITOR, START } from './fixture/monitor-fixture.ts'
import { ADMIN } from './fixture/routes/session.ts'

const HELD: MonitorView = {
  ...MONITOR,
  policy: {
    ...{ state: 'held', cause: 'monitor', since: START, by: null, note: null },
    reason: 'Spot checks contradict the budget: after 214 of them the evidence reached its line.',
  },
  spotChecks: { ...MONITOR.spotChecks, frozenAt: START },
  alarm: { ...MONITOR.alarm, wealth: 31.2, isAlarm: true },
  mismatch: ['models'],
}
const NOTHING: MonitorView = {
  ...MONITOR,
  policy: { state: 'none', cause: null, reason: null, since: null, by: null, note: null },
  certificate: null,
  claim: [],
  spotChecks: {
    ...{ rate: 0.05, drawn: 0, labelled: 0, wrong: null, uniform: null, history: [] },
    ...{ openDraws: { count: 0, oldestAt: null }, upperWithOpen: null, frozenAt: null },
  },
  automation: { acted: null, deferred: {} },
  rounds: { of: 4, mean: null, saved: null },
  spend: { committedMicroUsd: 0, reservedMicroUsd: 0, savedMicroUsd: null, calls: 0, unpricedCalls: 0 },
  queue: { waiting: 0, oldestAt: null },
  alarms: [],
}

describeInBrowser('the overview of a live policy', [], (stage) => {
  test.each(THEMES_AND_WIDTHS)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )

  test('shows the realised rate with its interval, the budget, the history and the power of the setting', async () => {
    const { page, heard } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toContain('4.3 %')
    expect(text).toContain('2.5–6.9 % (95 %)')
    expect(text).toContain('17 of 391 counted spot checks were acted on and wrong')
    expect(text).toContain('at every moment: 1.8–9.0 %')
    expect(text).toContain('if every open draw is wrong: 9.5 %, at most 12.7 % (95 %)')
    expect(text).toMatch(/23 draws are open, the oldest from \w/)
    expect(text).not.toContain('Figures end at the hold')
    expect(text).toContain('The same questions asked again and again alarm too.')
    expect(text).toContain('5,775 questions')
    expect(text).toContain('is at most beta = 0.1.')
    expect(await page.locator('figure svg[role="img"]').count()).toBe(2)
    expect(heard).toEqual([])
    await page.close()
  })

  test('lets an admin hold the policy with a note, and release it, by keyboard', async () => {
    const { page } = await stage.open('#/')
    await page.getByRole('button', { name: 'Hold the policy …' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('no')
    await page.getByRole('button', { name: 'Hold the policy', exact: true }).click()
    await page.getByText('Write at least 3 letters.').waitFor()
    expect(stage.asked()).toEqual([])
    await page.getByRole('textbox').fill('labels look wrong')
    await page.getByRole('button', { name: 'Hold the policy', exact: true }).click()
    await page.getByRole('heading', { name: 'The policy is held' }).waitFor()
    expect(await page.locator('.policy-panel').innerText()).toContain('labels look wrong')
    await page.getByRole('button', { name: 'Release the policy …' }).click()
    await page.getByRole('textbox').fill('labels were checked')
    await page.getByRole('button', { name: 'Release the policy', exact: true }).click()
    await page.getByRole('heading', { name: 'The policy is live' }).waitFor()
    expect(stage.asked()).toEqual([
      'POST /v1/policy/hold {"note":"labels look wrong"}',
      'POST /v1/policy/release {"note":"labels were checked"}',
    ])
    await page.close()
  })
})

const VIEWER = getRoute('/v1/session', sessionSchema, { ...ADMIN, role: 'viewer' })

describeInBrowser('a held policy', [VIEWER, getRoute('/v1/monitor', monitorSchema, HELD)], (stage) => {
  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )

  test('says what tripped it, since when and what that means; a viewer cannot release it', async () => {
    const { page } = await stage.open('#/')
    const panel = await page.locator('.policy-panel').innerText()
    expect(panel).toContain('■ The policy is held')
    expect(panel).toContain('Tripped by the spot checks.')
    expect(panel).toContain('after 214 of them')
    expect(panel).toContain('every question goes straight to people with the reason “held”')
    expect(panel).toContain('Only what is drawn for a spot check is still debated')
    expect(panel).toContain('An admin can release it')
    expect(await page.locator('.policy-panel button').count()).toBe(0)
    expect(await page.locator('table').first().innerText()).toContain('✕ alarm')
    await page.close()
  })
})

describeInBrowser('an overview of nothing yet', [getRoute('/v1/monitor', monitorSchema, NOTHING)], (stage) => {
  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )

  test('says what is not known and why, never zero, and what to do next', async () => {
    const { page } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toContain('no spot check is labelled yet')
    expect(text).toContain('no question was decided yet')
    expect(text).toContain('How to make and activate a certificate')
    expect(text).not.toMatch(/\b0\.0 %/)
    await page.close()
  })
})

const CERTIFICATE = { ...MONITOR.certificate, id: 'c7d1e04a', profile: 'cells', rounds: 4, budget: BUDGET }
const IDLE: MonitorView = {
  ...MONITOR,
  certificate: { ...CERTIFICATE, feasible: false, canAct: false },
  rounds: { of: 4, mean: 0, saved: 4 },
  automation: { acted: { count: 0, of: 12, share: 0, lower: 0, upper: 0.26 }, deferred: { 'budget-infeasible': 12 } },
}

describeInBrowser('a certificate that cannot act', [getRoute('/v1/monitor', monitorSchema, IDLE)], (stage) => {
  test('promises nothing, saves nothing, and never looks live', async () => {
    const { page } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toContain('The policy never acts')
    expect(text).toContain('leaves nothing to act with')
    expect(text).toContain('nothing is saved: it never acts')
    expect(text).toContain('Nothing: every question is deferred, so that no action can be wrong.')
    expect(text).not.toMatch(/4\.00|\$30|is at most beta|It acts where the bound/)
    expect(await page.getByRole('banner').innerText()).toContain('never acts: defers everything')
    await page.close()
  })

  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )
})

const SPOILT = hostile({ ...HELD, alarms: [{ at: START, kind: 'hold', text: 'x' }] }, ['reason'])

describeInBrowser('an overview of hostile texts', [getRoute('/v1/monitor', monitorSchema, SPOILT)], (stage) => {
  test('shows them as text', () => expectOnlyText(stage, '#/'))
})

const DOWN = { method: 'GET', path: '/v1/monitor', answer: () => refused(403, 'Not yours', 'no', 'Ask.') } as const

describeInBrowser('an overview that is refused', [DOWN], (stage) => {
  test('says what the server said, what to do, and offers another try', async () => {
    const { page } = await stage.open('#/')
    const text = await page.getByRole('alert').innerText()
    expect(text).toContain('Not yours')
    expect(text).toContain('Ask.')
    expect(text).toContain('Try again')
    await page.close()
  })
})
