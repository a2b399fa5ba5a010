import { expect, test } from 'vitest'
import {
  certificateViewSchema,
  type MonitorView,
  monitorSchema,
  sessionSchema,
} from '../../../packages/quorate/src/contract/index.ts'
import { CERTIFICATES } from './fixture/certificate-fixture.ts'
import {
  describeInBrowser,
  EACH_THEME_AND_WIDTH,
  expectOnlyText,
  expectSound,
  THEMES_AND_WIDTHS,
} from './fixture/describe-in-browser.ts'
import { getRoute, refused } from './fixture/fixture-route.ts'
import { hostile } from './fixture/hostile.ts'
import { BUDGET, CERTIFICATE_ID, MONITOR, START } from './fixture/monitor-fixture.ts'
import { ADMIN } from './fixture/routes/session.ts'

const SUSPENDED: MonitorView = {
  ...MONITOR,
  policy: {
    ...{ state: 'suspended', cause: 'monitor', since: START, by: null, note: null },
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
    ...{ rate: 0.05, sampled: 0, labelled: 0, wrong: null, uniform: null, history: [] },
    ...{ openSpotChecks: { count: 0, oldestAt: null }, upperWithOpen: null, frozenAt: null },
    ...{ right: null, uncounted: { count: 0, labelled: 0 } },
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

  test('shows each class with its estimate, its interval and its floor, and no figure where there is no spot check', async () => {
    const { page } = await stage.open('#/')
    const row = (name: string) => page.getByRole('row', { name }).innerText()
    expect(await row('round 1, unanimous, never changed')).toMatch(
      /95\.2 %\s+199 of 209; between 87\.1 % and 98\.4 %\s+80\.0 %\s+quiet/,
    )
    const unseen = await row('round 2, split, changed')
    expect(unseen).toContain('no spot check yet')
    expect(unseen.replace('80.0 %', '')).not.toContain('%')
  })

  test('shows the realised rate with its interval, the budget, the history and the power of the setting', async () => {
    const { page, heard } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toMatch(
      /^Overview\s+● Within budget according to 391 spot checks: 4\.3 % wrong, at most 9\.0 %, 10\.0 % allowed\./,
    )
    expect(text).toContain('4.3 %')
    expect(text).toMatch(/activated c7d1e04a by ada\s+its audit is clean/)
    await page.getByText('the same panel as far as is known; not known: settings, reader of answers').waitFor()
    expect(text).toContain('for a single look: 2.5–6.9 % (95 %)')
    expect(text).toContain('17 of 391 counted spot checks were acted on and wrong')
    expect(await page.locator('.tiles .interval').first().innerText()).toBe('1.8–9.0 % at every moment (95 %)')
    expect(text).toContain('a rate that is too high from the first question on')
    expect(text).toContain('After a good period it takes longer')
    expect(text).toContain('The total is watched, and each class with a floor.')
    expect(text).not.toContain('Another certificate')
    expect(text).toContain('if every open spot check is wrong: 9.5 %, at most 12.7 % (95 %)')
    expect(text).toMatch(/23 spot checks are open, the oldest from \w/)
    expect(text).not.toContain('Figures end at the suspension')
    expect(text).toContain('Repeated questions raise an alarm too.')
    expect(text).toContain('5,775 questions')
    expect(text).toContain('is at most beta = 0.1.')
    expect(await page.locator('figure svg[role="img"]').count()).toBe(2)
    expect(heard).toEqual([])
    await page.close()
  })

  test('lets an admin hold the policy with a note, and release it, by keyboard', async () => {
    const { page } = await stage.open('#/')
    await page.getByRole('button', { name: 'Suspend the policy …' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('no')
    await page.getByRole('button', { name: 'Suspend the policy', exact: true }).click()
    await page.getByText('Write at least 3 letters.').waitFor()
    expect(stage.asked()).toEqual([])
    await page.getByRole('textbox').fill('labels look wrong')
    await page.getByRole('button', { name: 'Suspend the policy', exact: true }).click()
    await page.getByRole('heading', { name: 'The policy is suspended' }).waitFor()
    expect(await page.locator('.policy-panel').innerText()).toContain('labels look wrong')
    await page.getByRole('button', { name: 'Release the policy …' }).click()
    await page.getByRole('textbox').fill('labels were checked')
    await page.getByRole('button', { name: 'Release the policy', exact: true }).click()
    await page.getByRole('heading', { name: 'The policy is live' }).waitFor()
    expect(stage.asked()).toEqual([
      'POST /v1/policy/suspend {"note":"labels look wrong"}',
      'POST /v1/policy/release {"note":"labels were checked"}',
    ])
    await page.close()
  })
})

const WATCHED: MonitorView = {
  ...MONITOR,
  spotChecks: {
    ...MONITOR.spotChecks,
    uniform: { rate: 0.0312, lower: 0.0181, upper: 0.0897, level: 0.925 },
  },
  others: [
    {
      certificate: 'e1f1e04a9b52f388',
      alarm: { wealth: 2.2, alarmAt: 20, counted: 60, isAlarm: false },
      drift: { wealth: 1, alarmAt: 20, counted: 60, isAlarm: false },
    },
    { certificate: '0badf00d9b52f388', alarm: { wealth: 31, alarmAt: 20, counted: 56, isAlarm: true }, drift: null },
  ],
  warnings: ['The panel is not the one that was calibrated: prompts differs.'],
}

describeInBrowser('a live policy with more to say', [getRoute('/v1/monitor', monitorSchema, WATCHED)], (stage) => {
  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )

  test('says what it warns of, how other certificates stand, and what the band holds with once p has changed', async () => {
    const { page } = await stage.open('#/')
    const panel = await page.locator('.policy-panel').innerText()
    expect(panel).toContain('Note:')
    expect(panel).toContain('The panel is not the one that was calibrated: prompts differs.')
    const table = await page.locator('.watch table').innerText()
    expect(table).toMatch(/Another certificate: e1f1e04a[\s\S]*○ quiet[\s\S]*drift: quiet[\s\S]*60 questions/)
    expect(table).toMatch(/Another certificate: 0badf00d[\s\S]*✕ alarm[\s\S]*drift: not tested yet[\s\S]*56 questions/)
    const tile = await page.locator('.tiles').innerText()
    expect(tile).toContain('3.1 %')
    expect(tile).toContain('1.8–9.0 % at every moment (92.5 %)')
    await page.close()
  })
})

const VIEWER = getRoute('/v1/session', sessionSchema, { ...ADMIN, role: 'viewer' })

describeInBrowser('a suspended policy', [VIEWER, getRoute('/v1/monitor', monitorSchema, SUSPENDED)], (stage) => {
  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )

  test('says what tripped it, since when and what that means; a viewer cannot release it', async () => {
    const { page } = await stage.open('#/')
    const panel = await page.locator('.policy-panel').innerText()
    expect(panel).toContain('■ The policy is suspended')
    expect(panel).toContain('Suspended by the spot checks.')
    expect(panel).toContain('after 214 of them')
    expect(panel).toContain('every question goes straight to people with the reason “suspended”')
    expect(panel).toContain('Only spot checks are still debated')
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

const CERTIFICATE = { ...MONITOR.certificate, id: CERTIFICATE_ID, profile: 'cells', rounds: 4, budget: BUDGET }
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
    expect(text).toContain('is too small to act with')
    expect(text).toContain('nothing is saved: it never acts')
    expect(text).toContain('Nothing: every question is deferred, so no action can be wrong.')
    expect(text).not.toMatch(/4\.00|\$30|is at most beta|It acts where the bound/)
    expect(await page.getByRole('banner').innerText()).toContain('never acts: defers everything')
    await page.close()
  })

  test.each(EACH_THEME_AND_WIDTH)('has no barrier and fits, %s at %d px', (colorScheme, width) =>
    expectSound(stage, '#/', { colorScheme, width }),
  )
})

const SPOILT = hostile(
  { ...SUSPENDED, warnings: ['x'], alarms: [{ at: START, kind: 'suspend', by: 'x', text: 'x', certificate: 'x' }] },
  ['reason'],
)

const SPOILT_ROUTES = [
  getRoute('/v1/monitor', monitorSchema, SPOILT),
  ...CERTIFICATES.slice(0, 1).map((view) => getRoute('/v1/certificates/{id}', certificateViewSchema, view)),
]

describeInBrowser('an overview of hostile texts', SPOILT_ROUTES, (stage) => {
  test('shows them as text', () => expectOnlyText(stage, '#/'))
})

const FRESH: MonitorView = {
  ...NOTHING,
  policy: MONITOR.policy,
  certificate: MONITOR.certificate,
  queue: MONITOR.queue,
}

describeInBrowser('a certificate that was just activated', [getRoute('/v1/monitor', monitorSchema, FRESH)], (stage) => {
  test('is not said to be all that ever decided', async () => {
    const { page } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toContain('Not known yet: no spot check is labelled. 10.0 % wrong is allowed.')
    expect(text).toContain('no question was decided yet with this certificate')
    expect(text).toContain('no question was debated yet with this certificate')
    expect(text).toContain('No question was deferred with this certificate.')
    expect(text).not.toMatch(/\$0\.00\s+no price/)
    await page.close()
  })
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
