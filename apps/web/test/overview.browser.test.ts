import { expect, test } from 'vitest'
import {
  certificateRowSchema,
  certificateViewSchema,
  debateSummarySchema,
  type MonitorView,
  monitorSchema,
  pageOf,
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
import { leavePage } from './fixture/opened-page.ts'
import { ADMIN } from './fixture/routes/session.ts'

const SUSPENDED: MonitorView = {
  ...MONITOR,
  state: {
    kind: 'suspended',
    name: 'Suspended',
    detail: 'since 15 Nov by the spot checks. Everything goes to people.',
  },
  policy: {
    state: 'suspended',
    cause: 'monitor',
    since: START,
    by: null,
    note: null,
    reason: 'Spot checks contradict the budget: after 214 of them the evidence reached its line.',
  },
  spotChecks: { ...MONITOR.spotChecks, frozenAt: START },
  alarm: { ...MONITOR.alarm, wealth: 31.2, isAlarm: true },
  mismatch: ['models'],
}
const NOTHING: MonitorView = {
  ...MONITOR,
  state: { kind: 'none', name: 'Not acting', detail: 'No certificate is active.' },
  periods: [],
  suspensions: [],
  countedFor: null,
  classes: [],
  policy: { state: 'none', cause: null, reason: null, since: null, by: null, note: null },
  certificate: null,
  claim: [],
  spotChecks: {
    rate: 0.05,
    sampled: 0,
    labelled: 0,
    wrong: null,
    uniform: null,
    history: [],
    openSpotChecks: { count: 0, oldestAt: null },
    upperWithOpen: null,
    frozenAt: null,
    right: null,
    uncounted: { count: 0, labelled: 0 },
  },
  automation: { acted: null, deferred: {} },
  rounds: { of: 4, mean: null, saved: null },
  spend: { committedMicroUsd: 0, reservedMicroUsd: 0, savedMicroUsd: null, calls: 0, unpricedCalls: 0 },
  queue: { waiting: 0, oldestAt: null },
  alarms: [],
}

describeInBrowser('the overview of a live policy', [], (stage) => {
  test('is accessible and fits, in both themes, wide and narrow', () => expectSound(stage, '#/', THEMES_AND_WIDTHS))

  test('shows the verdict first, then tasks for people, five figures, the rate by period, classes, reasons and runs', async () => {
    const { page, logged } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toMatch(
      /^Overview[\s\S]*Within budget\s+4\.3 % of all questions were acted on and wrong \(17 of 391 spot checks\), at most 9\.0 % at every moment, with 95 % confidence\./,
    )
    expect(text).toMatch(/Beta\s.*allows 10 %/s)
    await page.getByText(/^\s*Export answers\s+\d/).waitFor()
    expect(text).toContain('37 questions wait for a person.')
    expect(text).toContain('7 spot checks are labelled but not counted yet.')
    expect(await page.locator('.kpis dd:not(.small)').allInnerTexts()).toEqual([
      '62.0 %',
      '3,094',
      '93.0 %',
      '2.31',
      '$41.73',
    ])
    expect(text).toMatch(
      /421 were chosen in this\s+period: 391 counted, 7 known but counted only after an open one that came before, 23 open\./,
    )
    const row = (name: string) => page.getByRole('row', { name }).innerText()
    expect(await row('round 1, unanimous, never changed')).toMatch(/95\.2 %\s+199 of 209/)
    const unseen = await row('round 2, split, changed')
    expect(unseen).toMatch(/too few\s+no spot check yet/)
    expect(unseen).not.toContain('%')
    expect(text).toMatch(/No round that can be acted on met the threshold\s+2,871/)
    expect(text).toMatch(/Questions over HTTP\s+14 Nov, 96 of 130/)
    await page.getByText('the same as far as is known (not known: settings, reader of answers)').waitFor()
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('shows all periods with their marks in one chart, each with its figures as a table', async () => {
    const { page } = await stage.open('#/')
    const chart = page.getByRole('img', { name: /^Wrong actions of all questions/ })
    expect(await chart.locator('text', { hasText: /^Period \d$/ }).allTextContents()).toEqual([
      'Period 1',
      'Period 2',
      'Period 3',
    ])
    expect(await chart.locator('.hatch').count()).toBe(1)
    await page.getByText('Show as a table').click()
    expect(await page.locator('.numbers').innerText()).toMatch(
      /1\s+\d+ \w+ to \d+ \w+\s+4\s+266\s+1\.5 %\s+[\d.]+ to 4\.8 %/,
    )
    await page.getByRole('link', { name: 'This period' }).click()
    await page.waitForURL(/periods=this/)
    await expect.poll(() => chart.locator('polyline').count()).toBe(1)
    await leavePage(page)
  })

  test('shows the server’s sentence about the state in the sidebar', async () => {
    const { page } = await stage.open('#/')
    expect(await page.getByRole('banner').innerText()).toMatch(/Acting\s+since 1 Nov, certificate c7d1e0/)
    await leavePage(page)
  })

  test('lets an admin suspend the policy with a note, and release it, by keyboard', async () => {
    const { page } = await stage.open('#/')
    await page.getByRole('button', { name: 'Suspend…' }).focus()
    await page.keyboard.press('Enter')
    const suspend = page.getByRole('dialog', { name: 'Suspend acting?' })
    expect(await suspend.innerText()).toContain('The figures of period 3 stay.')
    await suspend.getByRole('textbox').fill('no')
    await suspend.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByText('Write at least 3 letters.').waitFor()
    expect(stage.asked()).toEqual([])
    await suspend.getByRole('textbox').fill('labels look wrong')
    await suspend.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByRole('heading', { name: 'Suspended' }).waitFor()
    expect(await page.locator('.verdict').innerText()).toContain('labels look wrong')
    await page.getByRole('button', { name: 'Release…' }).click()
    const release = page.getByRole('dialog', { name: 'Release the policy?' })
    expect(await release.innerText()).toContain('Period 4 begins. Tests restart. Periods 1 to 3 stay.')
    await release.getByRole('textbox').fill('labels were checked')
    await release.getByRole('button', { name: 'Release', exact: true }).click()
    await page.getByRole('heading', { name: 'Within budget' }).waitFor()
    expect(stage.asked()).toEqual([
      'POST /v1/policy/suspend {"note":"labels look wrong"}',
      `POST /v1/policy/release {"note":"labels were checked","since":${START}}`,
    ])
    await leavePage(page)
  })

  test('still suspends if an alarm suspends the policy while the note is written', async () => {
    const { page } = await stage.open('#/')
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await page.getByRole('dialog', { name: 'Suspend acting?' }).getByRole('textbox').fill('labels look wrong')
    await page.evaluate(async () => {
      const body = JSON.stringify({ note: 'the alarm was first' })
      await fetch('/v1/policy/suspend', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    })
    // The page refetches its data when the window gets the focus.
    await page.dispatchEvent('html', 'visibilitychange', { bubbles: true })
    await page.locator('.verdict').getByText('the alarm was first').waitFor({ state: 'attached' })
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toContain('Suspend acting?')
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(
      stage
        .asked()
        .slice(-2)
        .map((asked) => asked.split(' ')[1]),
    ).toEqual(['/v1/policy/suspend', '/v1/policy/suspend'])
    await page.getByRole('button', { name: 'Release…' }).click()
    await page.getByRole('dialog', { name: 'Release the policy?' }).getByRole('textbox').fill('for the next test')
    await page.getByRole('button', { name: 'Release', exact: true }).click()
    await page.getByRole('heading', { name: 'Within budget' }).waitFor()
    await leavePage(page)
  })
})

function bounded(lower: number, upper: number): MonitorView {
  return { ...MONITOR, spotChecks: { ...MONITOR.spotChecks, uniform: { rate: 17 / 391, lower, upper, level: 0.95 } } }
}

describeInBrowser(
  'bounds on both sides of beta',
  [getRoute('/v1/monitor', monitorSchema, bounded(0.02, 0.12))],
  (stage) => {
    test('name their confidence', async () => {
      const { page } = await stage.open('#/')
      expect(await page.locator('.verdict').innerText()).toContain(
        'but up to 12.0 % is possible (with 95 % confidence, at every moment).',
      )
      await leavePage(page)
    })
  },
)

describeInBrowser('bounds over beta', [getRoute('/v1/monitor', monitorSchema, bounded(0.11, 0.2))], (stage) => {
  test('name their confidence', async () => {
    const { page } = await stage.open('#/')
    expect(await page.locator('.verdict').innerText()).toContain(
      'At least 11.0 % of all questions are acted on and wrong, with 95 % confidence; 10 % is allowed.',
    )
    await leavePage(page)
  })
})

const FEW: MonitorView = {
  ...MONITOR,
  spotChecks: {
    ...MONITOR.spotChecks,
    sampled: 15,
    labelled: 12,
    wrong: { count: 0, of: 12, share: 0, lower: 0, upper: 0.26 },
    uniform: { rate: 0, lower: 0, upper: 0.4, level: 0.95 },
    openSpotChecks: { count: 2, oldestAt: START },
    right: { count: 9, of: 9, share: 1, lower: 0.66, upper: 1 },
    uncounted: { count: 1, labelled: 1 },
  },
  mismatch: ['prompts'],
  drift: { wealth: 11.2, alarmAt: 20, counted: 90, isAlarm: false },
  warnings: ['The panel is not the one that was calibrated: prompts differs.'],
  others: [
    { certificate: '0badf00d9b52f388', alarm: { wealth: 31, alarmAt: 20, counted: 56, isAlarm: true }, drift: null },
  ],
}

describeInBrowser('few labels and many tasks', [getRoute('/v1/monitor', monitorSchema, FEW)], (stage) => {
  test('is accessible and fits, narrow and light, wide and dark', () => expectSound(stage, '#/', EACH_THEME_AND_WIDTH))

  test('gives no verdict and no headline below 30 labels, and lists the tasks for people', async () => {
    const { page } = await stage.open('#/')
    const verdict = await page.locator('.verdict').innerText()
    expect(verdict).toMatch(/Not known yet\s+12 of 30 spot checks/)
    expect(verdict).toContain(
      '15 were chosen in this period: 12 counted, 1 known but counted only after an open one that came before, 2 open.',
    )
    expect(verdict).not.toContain('Within budget')
    const tile = await page.locator('.kpis > div', { hasText: 'Right when it acts' }).innerText()
    expect(tile).toMatch(/too few\s+9 of 9 spot checks\s+30 are needed/)
    expect(tile).not.toContain('%')
    const todo = await page.locator('.todo').innerText()
    expect(todo).toContain('It differs in prompts')
    expect(todo).toMatch(/Drift.* is at 11\.2\. The alarm is at 20\./s)
    expect(todo).toContain('Certificate 0badf0 raised an alarm.')
    await leavePage(page)
  })
})

const VIEWER = getRoute('/v1/session', sessionSchema, { ...ADMIN, role: 'viewer' })

describeInBrowser('a suspended policy', [VIEWER, getRoute('/v1/monitor', monitorSchema, SUSPENDED)], (stage) => {
  test('shows what suspended it and since when; its figures stay; a viewer cannot release it', async () => {
    await expectSound(stage, '#/', [{ colorScheme: 'dark', width: 390 }])
    const { page } = await stage.open('#/')
    const verdict = await page.locator('.verdict').innerText()
    expect(verdict).toMatch(/Suspended\s+Since 15 Nov by the spot checks\. Everything goes to people\./)
    expect(verdict).toContain('after 214 of them')
    expect(await page.getByRole('banner').innerText()).toContain('since 15 Nov by the spot checks.')
    expect(await page.getByRole('button', { name: 'Release…' }).count()).toBe(0)
    expect(await page.locator('.kpis dd').first().innerText()).toBe('62.0 %')
    await leavePage(page)
  })
})

const NO_CERTIFICATES = getRoute('/v1/certificates', pageOf(certificateRowSchema), { items: [], next: null })
const BATCH: MonitorView = {
  ...NOTHING,
  countedFor: CERTIFICATE_ID,
  automation: MONITOR.automation,
  queue: MONITOR.queue,
}

/** No debate is stored. */
const NO_DEBATES = getRoute('/v1/debate-summary', debateSummarySchema, {
  debates: 0,
  isCut: false,
  acted: 0,
  deferred: 0,
  wrong: 0,
  hidden: 0,
  undecided: 0,
  answers: { rows: 0, waiting: 0 },
  suggestion: null,
  bars: [],
})

describeInBrowser(
  'an overview of nothing yet',
  [NO_CERTIFICATES, NO_DEBATES, getRoute('/v1/monitor', monitorSchema, NOTHING)],
  (stage) => {
    test('shows what is not known and why, never as zero, and what to do next', async () => {
      await expectSound(stage, '#/', [{ colorScheme: 'light', width: 390 }])
      const { page } = await stage.open('#/')
      const text = await page.locator('main').innerText()
      expect(text).toMatch(/Not acting\s+No certificate is active\. New questions are refused with 503/)
      expect(text).toContain('nothing is decided yet')
      expect(text).toContain('quorate calibrate')
      expect(text).not.toMatch(/\b0\.0 %/)
      await leavePage(page)
    })

    test.each(['#/', '#/runs'])('offers no export at %s', async (link) => {
      const { page } = await stage.open(link)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('main .head').first().innerText()).not.toContain('Export')
      await leavePage(page)
    })
  },
)

describeInBrowser('a run of the command line alone', [getRoute('/v1/monitor', monitorSchema, BATCH)], (stage) => {
  test('is shown with its figures, and its certificate is offered for activation', async () => {
    const { page } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toContain('Decided with certificate c7d1e0, which is not active here')
    expect(text).toContain('5,046 of 8,140 questions')
    expect(text).not.toContain('nothing is decided yet')
    await page.getByRole('link', { name: 'Activate…' }).nth(1).click()
    await page.getByRole('dialog', { name: /^Activate / }).waitFor()
    await leavePage(page)
  })
})

const CERTIFICATE = {
  ...MONITOR.certificate,
  id: CERTIFICATE_ID,
  profile: 'cells',
  rounds: 4,
  budget: BUDGET,
  promised: BUDGET.beta,
}
const IDLE: MonitorView = {
  ...MONITOR,
  state: { kind: 'idle', name: 'Never acts', detail: 'Its certificate acts on nothing. Everything goes to people.' },
  certificate: { ...CERTIFICATE, feasible: false, canAct: false },
  rounds: { of: 4, mean: 0, saved: 4 },
  automation: { acted: { count: 0, of: 12, share: 0, lower: 0, upper: 0.26 }, deferred: { 'budget-infeasible': 12 } },
}

describeInBrowser('a certificate that cannot act', [getRoute('/v1/monitor', monitorSchema, IDLE)], (stage) => {
  test('promises nothing, saves nothing, and is never shown as acting', async () => {
    const { page } = await stage.open('#/')
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/Never acts\s+The certificate acts on nothing/)
    expect(text).toContain('nothing is saved: it never acts')
    expect(text).not.toMatch(/4\.00|\$30|Within budget/)
    expect(await page.getByRole('banner').innerText()).toContain('Never acts')
    await leavePage(page)
  })
})

const BELOW: MonitorView = {
  ...MONITOR,
  classes: MONITOR.classes.slice(0, 1).map((one) => ({
    ...one,
    right: { count: 120, of: 209, share: 120 / 209, lower: 0.504, upper: 0.642 },
    uniform: { lower: 0.45, upper: 0.69, level: 0.975 },
  })),
}

const ALARMED: MonitorView = {
  ...SUSPENDED,
  alarm: { ...MONITOR.alarm, wealth: 4_811_135.9, isAlarm: true },
  drift: { wealth: 53.16, alarmAt: 20, counted: 600, isAlarm: true },
  classes: MONITOR.classes.slice(0, 1).map((one) => ({
    ...one,
    sampled: 43,
    labelled: 41,
    right: { count: 20, of: 41, share: 20 / 41, lower: 0.32, upper: 0.65 },
    alarm: { wealth: 2056.77, alarmAt: 40, counted: 43, isAlarm: true },
  })),
}

describeInBrowser('alarms of several tests', [getRoute('/v1/monitor', monitorSchema, ALARMED)], (stage) => {
  test('all need a person, with evidence in plain numbers', async () => {
    const { page } = await stage.open('#/')
    const todo = await page.locator('.todo').innerText()
    expect(todo).toContain('The evidence of too many wrong actions is at 4.8 million. The alarm is at 20.')
    expect(todo).toMatch(
      /class “round 1, unanimous, never changed” is below its floor is at 2,056\. The alarm is at 40\./,
    )
    expect(todo).toMatch(/Drift.* is at 53\.1\. The alarm is at 20\./s)
    expect(await page.getByRole('row', { name: 'Wrong actions stay below' }).innerText()).toContain(
      '4.8 million, threshold 20',
    )
    await leavePage(page)
  })

  test('the share right of a class and its test explain why they count differently', async () => {
    const { page } = await stage.open('#/')
    expect(await page.getByRole('row', { name: /^round 1, unanimous/ }).innerText()).toContain(
      '20 of 41, 2 not counted yet',
    )
    expect(await page.getByRole('row', { name: /^Right in the class/ }).innerText()).toContain(
      '43 spot checks, 2 of them open',
    )
    await leavePage(page)
  })
})

describeInBrowser('a class below its floor', [getRoute('/v1/monitor', monitorSchema, BELOW)], (stage) => {
  test('is counted in the verdict', async () => {
    const { page } = await stage.open('#/')
    expect(await page.getByRole('region', { name: 'Verdict' }).innerText()).toMatch(/1 class is below the\s+floor/)
    await leavePage(page)
  })
})

const SPOILT = hostile(
  {
    ...SUSPENDED,
    warnings: ['<script>alert(1)</script>'],
    mismatch: ['x'],
    suspensions: [{ from: START, to: null, cause: 'admin' as const, by: 'x', note: 'x' }],
  },
  ['reason'],
)

const SPOILT_ROUTES = [
  getRoute('/v1/monitor', monitorSchema, SPOILT),
  ...CERTIFICATES.slice(0, 1).map((view) => getRoute('/v1/certificates/{id}', certificateViewSchema, view)),
]

describeInBrowser('an overview of hostile texts', SPOILT_ROUTES, (stage) => {
  test('shows them as text', () => expectOnlyText(stage, '#/'))
})

describeInBrowser('a server that stops while the overview is open', [], (stage) => {
  test('leaves the old figures with their time, and the sidebar no longer claims that the policy acts', async () => {
    const { page } = await stage.open('#/')
    await page.locator('.sidebar .policy-state', { hasText: 'Acting' }).waitFor()
    stage.setFault({ path: /^\/v1\//, kind: 'hang-up' })
    await page.getByText('The figures did not load.').waitFor({ timeout: 40_000 })
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/The server cannot be reached\. What you see is from \d\d:\d\d\./)
    expect(text).toContain('Within budget')
    expect(await page.locator('.sidebar .policy-state').innerText()).toMatch(
      /Not updated\s+since \d\d:\d\d\. Then: Acting/,
    )
    await leavePage(page)
  })
})

const UNPRICED = getRoute('/v1/monitor', monitorSchema, {
  ...MONITOR,
  spend: { ...MONITOR.spend, committedMicroUsd: 0, reservedMicroUsd: 573_000, savedMicroUsd: null },
})

describeInBrowser('calls whose cost is not known', [UNPRICED], (stage) => {
  test('are reported with their largest possible cost, as by the command line', async () => {
    const { page } = await stage.open('#/')
    const cost = await page.locator('.kpis > div').last().innerText()
    expect(cost).toContain('and at most $0.57 for calls whose cost is not known')
    expect(cost).not.toContain('a question')
    await leavePage(page)
  })
})

const DOWN = { method: 'GET', path: '/v1/monitor', answer: () => refused(403, 'Not yours', 'no', 'Ask.') } as const

describeInBrowser('an overview that is refused', [DOWN], (stage) => {
  test('shows the server’s message, what to do, and a retry', async () => {
    const { page } = await stage.open('#/')
    const text = await page.getByRole('alert').innerText()
    expect(text).toContain('Not yours')
    expect(text).toContain('Ask.')
    expect(text).toContain('Try again')
    await leavePage(page)
  })
})
