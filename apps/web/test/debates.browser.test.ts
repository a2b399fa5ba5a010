import { expect, test } from 'vitest'
import {
  type DebateView,
  debateRowSchema,
  debateSummarySchema,
  debateViewSchema,
  pageOf,
} from '../../../packages/quorate/src/contract/index.ts'
import { sized } from '../../../tools/lane.ts'
import { DEBATE, debateRows, RUN } from './fixture/debate-fixture.ts'
import {
  describeInBrowser,
  EACH_THEME_AND_WIDTH,
  expectOnlyText,
  expectSound,
  THEMES_AND_WIDTHS,
} from './fixture/describe-in-browser.ts'
import { getRoute } from './fixture/fixture-route.ts'
import { hostile } from './fixture/hostile.ts'
import { leavePage } from './fixture/opened-page.ts'

const ONE = `#/debates/${RUN}/${DEBATE.questionId}`

/** Twelve rows contain every kind of row. axe takes a second for fifty of them. */
const ROWS = sized({ short: { usual: 12, hostile: 12 }, full: { usual: 50, hostile: 20 } })

describeInBrowser(
  'debates of every kind',
  [getRoute('/v1/debates', pageOf(debateRowSchema), { items: debateRows(ROWS.usual), next: null })],
  (stage) => {
    test('the list and one debate are accessible and fit, in both themes, wide and narrow', async () => {
      await expectSound(stage, '#/debates', THEMES_AND_WIDTHS)
      await expectSound(stage, ONE, THEMES_AND_WIDTHS)
    })
  },
)

describeInBrowser('debates', [], (stage) => {
  test('are listed page by page, latest first, each with its decision, bound and threshold', async () => {
    const { page } = await stage.open('#/debates')
    const rows = page.locator('.rows tbody tr')
    expect(await rows.count()).toBe(50)
    expect(await rows.nth(0).innerText()).toMatch(
      /Act[\s\S]*B[\s\S]*claim-1042[\s\S]*late delivery[\s\S]*0\.943 ≥ 0\.930[\s\S]*right/,
    )
    expect(await rows.nth(2).innerText()).toContain('0.884 < 0.930')
    expect(await rows.nth(3).innerText()).toContain('Act, wrong')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('100 shown.').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('All 120 shown.').waitFor()
    expect(await rows.count()).toBe(120)
    await leavePage(page)
  })

  test('are filtered by the address, so that a filter can be linked and undone', async () => {
    const { page } = await stage.open('#/debates?kind=defer')
    await page.getByRole('combobox', { name: 'Add a filter' }).selectOption('reason=too-few-labels')
    await page.waitForURL(/reason=too-few-labels/)
    // The address changes before the list does.
    await expect
      .poll(async () => new Set(await page.locator('tbody td.decision').allInnerTexts()))
      .toEqual(new Set([expect.stringContaining('too few labelled debates')]))
    await page.getByText(/^All \d+ shown\./).waitFor()
    await page.getByRole('searchbox').fill('nothing like this')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No debate contains “nothing like this”.' }).waitFor()
    await page.goBack()
    await page.getByText(/^All \d+ shown\./).waitFor()
    await page.getByRole('link', { name: 'Acted and wrong' }).click()
    await page.waitForURL(/outcome=wrong/)
    await leavePage(page)
  })

  test('are navigated and previewed with the keyboard, and search words are highlighted', async () => {
    const { page, logged } = await stage.open('#/debates?q=parcel')
    expect(await page.locator('tbody mark').first().innerText()).toBe('parcel')
    await page.keyboard.press('j')
    const peek = page.getByRole('complementary', { name: 'Peek' })
    await peek.getByText('Answers by round').waitFor()
    expect(await peek.locator('.matrix').innerText()).toMatch(/haiku\s+A\s+\.70\s+B\s+\.75\s+B\s+\.90/)
    await page.keyboard.press(' ')
    await peek.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'All debates' }).waitFor()
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('several are selected and sent to review with the keyboard, and none is labelled', async () => {
    const { page, logged } = await stage.open('#/debates')
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    const bulk = page.getByRole('region', { name: 'Selected debates' })
    expect(await bulk.innerText()).toMatch(/3 selected\s+Send to review\s+S\s+Assign …\s+A\s+Export[\s\S]*Clear/)
    await page.keyboard.press('s')
    await page.getByText('2 sent to review. 1 waits for review already, or was reviewed.').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: 'Assign 3 items' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await bulk.waitFor({ state: 'detached' })
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('a filter is saved under a name in the sidebar, and removed again', async () => {
    const { page, logged } = await stage.open('#/debates?kind=defer&q=parcel')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('<b>Late</b> parcels')
    await page.keyboard.press('Enter')
    await page.goto(`${new URL(page.url()).origin}/#/`)
    await page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('link', { name: '<b>Late</b> parcels' })
      .click()
    await page.waitForURL(/q=parcel&kind=defer/)
    await page.getByRole('button', { name: 'Forget view' }).click()
    expect(await page.getByRole('navigation', { name: 'Saved views' }).count()).toBe(0)
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('one debate gives a minority as much space as the majority', async () => {
    const { page, logged } = await stage.open('#/debates')
    await page.locator('.rows tbody a').first().click()
    await page.getByRole('heading', { name: 'Transcript' }).waitFor()
    const sides = page.locator('.round').first().locator('.side')
    expect(await sides.count()).toBe(2)
    const [majority, minority] = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()]
    expect(minority?.width).toBe(majority?.width)
    expect(minority?.y).toBe(majority?.y)
    expect(await sides.nth(1).innerText()).toContain('The clause separates two things.')
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('one debate shows its decision, bounds, compared debates, ledger line and promise', async () => {
    const { page } = await stage.open(ONE)
    const text = await page.locator('main').innerText()
    expect(text).toMatch(
      /Acts in round 3 with B: the bound 0\.943 reaches the threshold 0\.930\. The label says it was right\./,
    )
    expect(text).toContain('of 1,840 labelled debates that went the same way, 1,759 were right')
    expect(text).toContain('95.6 % (94.6–96.5)')
    expect(text).toContain('line 1,043')
    expect(text).toMatch(/B is right: labelled by bea, 15 Nov 2026, \d+:\d\d, in the review of a spot check\./)
    expect(text).toContain('stated by each agent in words')
    expect(text).toContain('It is not a statement about any single answer')
    expect(await page.locator('figure svg[role="img"]').count()).toBe(2)
    await leavePage(page)
  })

  test('a deferred debate shows its best bound over the rounds, as the command line does', async () => {
    const { page } = await stage.open(`#/debates/${RUN}/claim-1040`)
    await page
      .getByText(/Defers to a person \(bound-low\).*; best bound in 3 rounds 0\.884, threshold 0\.930\./)
      .waitFor()
    await leavePage(page)
  })

  test('an address without a question offers a search for questions that begin with it', async () => {
    const { page } = await stage.open('#/debates/claim-104')
    await page.getByRole('heading', { name: 'There is no such debate' }).waitFor()
    await page.getByRole('link', { name: 'Search for questions that begin with claim-104' }).click()
    await page.getByText('All 3 shown.').waitFor()
    await leavePage(page)
  })

  test('a debate that does not exist is reported as missing', async () => {
    const { page } = await stage.open(`#/debates/${RUN}/none`)
    await page.getByText('There is no such debate').waitFor()
    await leavePage(page)
  })
})

const NEAR: DebateView = {
  ...DEBATE,
  compared: {
    kind: 'neighbours',
    rows: Array.from({ length: 256 }, (_, index) => ({
      round: 1 + (index % 2),
      id: index % 5 === 0 ? null : `row-${index}`,
      distance: index / 1000,
      correct: index % 9 !== 0,
    })),
  },
}

describeInBrowser(
  'a debate compared with neighbours',
  [getRoute('/v1/debates/{run}/{id}', debateViewSchema, NEAR)],
  (stage) => {
    test('counts them by round and lists the nearest', async () => {
      const { page } = await stage.open(ONE)
      expect(await page.locator('main').innerText()).toContain('of the 128 nearest labelled debates,')
      await page.getByText('Each of them (256)').click()
      expect(await page.locator('details tbody tr').count()).toBe(100)
      await leavePage(page)
    })
  },
)

const NOTHING_SAID = {
  kind: null,
  answer: null,
  reason: null,
  bound: null,
  boundRound: null,
  threshold: null,
  score: null,
  needs: null,
  scoreRound: null,
  isSpotCheck: null,
  gold: null,
  votes: null,
}
const UNSEEN = { ...NOTHING_SAID, rounds: null, status: null, isHidden: true }
const HIDDEN: DebateView = {
  ...DEBATE,
  ...UNSEEN,
  turns: [],
  verdict: null,
  label: null,
  claim: [],
  ledger: null,
  compared: { kind: 'none' },
}
const HIDDEN_ROUTES = [
  getRoute('/v1/debates', pageOf(debateRowSchema), {
    items: debateRows(1).map((row) => ({ ...row, ...UNSEEN })),
    next: null,
  }),
  getRoute('/v1/debates/{run}/{id}', debateViewSchema, HIDDEN),
]

describeInBrowser('a debate under blind review', HIDDEN_ROUTES, (stage) => {
  test('is hidden in the list and on its page, and not reported as having no bound', async () => {
    const { page } = await stage.open('#/debates')
    const row = await page.locator('.rows tbody tr').innerText()
    expect(row).toMatch(/Hidden\s+until it is reviewed/)
    expect(row).not.toContain('no bound')
    await page.locator('.rows tbody a').click()
    await page.getByText('waits for a review that may be blind').waitFor()
    const text = await page.locator('main').innerText()
    expect(text).not.toMatch(/No bound was computed|compared with none|No round of this|not in the ledger/)
    await leavePage(page)
  })
})

const SAMPLED: DebateView = {
  ...DEBATE,
  turns: [
    [
      { agent: 'ann', answer: 'A', beliefs: null, confidence: null, samples: ['A', 'A', 'B', 'A', null], text: 'x' },
      { agent: 'bob', answer: 'B', beliefs: { A: 0.1, B: 0.87, C: 0.03 }, confidence: null, text: 'y' },
    ],
  ],
}

describeInBrowser(
  'a debate of sampled answers',
  [getRoute('/v1/debates/{run}/{id}', debateViewSchema, SAMPLED)],
  (stage) => {
    test('shows how beliefs were elicited, for the debate and for each agent', async () => {
      const { page } = await stage.open(ONE)
      expect(await page.locator('.debate-facts').innerText()).toContain('counted over several answers of each agent')
      expect(await page.locator('.round').innerText()).toMatch(/ann\s+3 of 5 answers[\s\S]+bob\s+gives it 87\.0 %/)
      await leavePage(page)
    })
  },
)

const EMPTY = getRoute('/v1/debates', pageOf(debateRowSchema), { items: [], next: null })

const NONE = getRoute('/v1/debate-summary', debateSummarySchema, {
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

describeInBrowser('a store without debates', [EMPTY, NONE], (stage) => {
  test('explains how to get some, and that there is nothing to export', async () => {
    const { page } = await stage.open('#/debates')
    expect(await page.locator('main').innerText()).toContain('quorate decide questions.jsonl')
    await page.locator('.menu > summary').click()
    expect(await page.locator('.menu-items').innerText()).toContain('Nothing to export.')
    expect(await page.getByRole('link', { name: 'All 0', exact: true }).count()).toBe(1)
    await leavePage(page)
  })
})

const OPEN_ANSWERS: DebateView = {
  ...DEBATE,
  answerText: 'the shipping',
  goldText: 'the shipping',
  openAnswers: { A: 'everything', B: 'the shipping' },
  options: [
    { name: 'A', text: 'everything | all of it' },
    { name: 'B', text: 'the shipping' },
  ],
}
const OPEN = [
  getRoute('/v1/debates', pageOf(debateRowSchema), {
    items: debateRows(1).map((row) => ({ ...row, answerText: 'the shipping', goldText: 'the shipping' })),
    next: null,
  }),
  getRoute('/v1/debates/{run}/{id}', debateViewSchema, OPEN_ANSWERS),
]

describeInBrowser('a debate with open answers', OPEN, (stage) => {
  test('is shown in the words of the agents, never in the names of classes', async () => {
    const { page } = await stage.open('#/debates')
    expect(await page.locator('.rows .decision').first().innerText()).toMatch(/Act\s+the shipping/)
    await page.goto(page.url().replace(/#.*/, ONE))
    await page.getByRole('heading', { name: 'Transcript' }).waitFor()
    const text = await page.locator('main').innerText()
    expect(text).toContain('everything | all of it')
    expect(text).toMatch(/Acts in round 3 with the shipping/)
    expect(text).toMatch(/the shipping is right: labelled by bea/)
    expect(await page.locator('.matrix').innerText()).toMatch(/haiku\s+everything .70\s+the shipping .75/)
    expect(await page.locator('.side h4').first().innerText()).toMatch(/^(everything|the shipping) /)
    await leavePage(page)
  })
})

const GRADED = debateRows(2).map((row, at) => ({
  ...row,
  kind: null,
  answer: null,
  gold: null,
  isLabelled: at === 0,
  isSpotCheck: false,
  ...(at === 0 ? { goldText: '2193' } : { grade: 'wrong' as const }),
}))

describeInBrowser(
  'debates whose right answer came in words, and graded ones',
  [getRoute('/v1/debates', pageOf(debateRowSchema), { items: GRADED, next: null })],
  (stage) => {
    test('are not shown as unlabelled', async () => {
      const { page } = await stage.open('#/debates')
      expect((await page.locator('.rows .label').allInnerTexts()).map((text) => text.trim())).toEqual([
        '2193',
        'graded wrong',
      ])
      await leavePage(page)
    })
  },
)

describeInBrowser('debates of which some have no decision', [], (stage) => {
  test('change the name of the tab All', async () => {
    const { page } = await stage.open('#/debates')
    await page.getByRole('link', { name: /^Without a decision \d/ }).waitFor()
    await page.getByRole('link', { name: /^All decided \d/ }).waitFor()
    await leavePage(page)
  })
})

const SPOILT = [
  getRoute('/v1/debates', pageOf(debateRowSchema), { items: hostile(debateRows(ROWS.hostile)), next: null }),
  getRoute('/v1/debates/{run}/{id}', debateViewSchema, { ...hostile(DEBATE), reason: null }),
]

describeInBrowser('debates of hostile texts', SPOILT, (stage) => {
  test('are listed as text', () => expectOnlyText(stage, '#/debates'))

  test('are shown as text, with invisible characters by their codes', async () => {
    await expectOnlyText(stage, ONE)
    const { page } = await stage.open(ONE)
    expect(await page.locator('main').innerText()).toContain('⟨U+202E⟩')
    await leavePage(page)
  })

  test('are accessible, narrow and light, wide and dark', async () => {
    await expectSound(stage, '#/debates', EACH_THEME_AND_WIDTH)
    await expectSound(stage, ONE, EACH_THEME_AND_WIDTH)
  })
})
