import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBrowser, expectSoundLooks, hasBrowser, THEMES_AND_WIDTHS } from './fixture/describe-in-browser.ts'
import { refused } from './fixture/fixture-route.ts'
import { axeViolations, overflow } from './fixture/opened-page.ts'
import { openQueue, submitted } from './fixture/queue/opened-queue.ts'
import { type QueuedItem, queuedItems } from './fixture/queue/review-queue.ts'

describe.skipIf(!hasBrowser)('the review queue', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())

  test('ten items are reviewed with the keyboard alone: options, cannot tell, bad question, blind, undo', async () => {
    const opened = await openQueue(browser)
    const { page, queue, logged } = opened
    const keys = ['2', '2', '2', 'c', '1', 'b', '4', '2', '1', 'j']
    for (const [index, key] of keys.entries()) {
      await page.keyboard.press('Enter')
      expect(queue.items[index]?.status, 'Enter alone submits nothing').toBe('waiting')
      expect(await page.locator('.blind-mark').count()).toBe(queue.items[index]?.isBlind ? 1 : 0)
      await page.keyboard.press(key)
      if (index === 4) {
        await submitted(opened, index)
        await page.keyboard.press('u')
        await page.getByText('Undone: ').first().waitFor()
        expect(queue.items[index]?.status).toBe('waiting')
        expect(await page.getByRole('radio', { name: 'yes' }).isChecked()).toBe(true)
        await page.keyboard.press('k')
      }
      await submitted(opened, index)
    }
    const shown = queue.items
      .slice(0, 10)
      .map(({ outcome }) => (outcome?.kind === 'option' ? outcome.option : outcome?.kind))
    expect(shown).toEqual(['B', 'no', '13', 'cannot-tell', 'bad-question', 'bad-question', 'D', 'no', '12', 'A'])
    expect(await page.locator('.progress').innerText()).toMatch(/2\s*waiting\s*10\s*yours today/)
    expect(logged).toEqual([])
    await opened.close()
  })

  test('a blind item reveals the panel’s answer only when the submission can no longer be undone', async () => {
    const opened = await openQueue(browser, { items: queuedItems(6).slice(2), undoMs: 4000 })
    const { page } = opened
    const text = await page.locator('main').innerText()
    expect(text).toContain('Answer first, then see the panel')
    expect(text).not.toMatch(/haiku|bound|deferred|spot check/i)
    await page.keyboard.press('2')
    await submitted(opened, 0)
    await page.getByText('You said 13. The panel’s answer appears when the time to undo is over.').first().waitFor()
    expect(await page.locator('.status-line').innerText()).not.toContain('the panel said 12')
    await page.getByText('You said 13, the panel said 12 and deferred.').first().waitFor()
    await page.keyboard.press('h')
    await page.locator('.last-items summary').click()
    expect(await page.locator('.last-items').innerText()).toContain('I follow haiku')
    expect(await page.locator('.review h1').count(), 'the next item is there all the while').toBe(1)
    await opened.close()
  })

  test('keys are off in the note, which is submitted with the outcome; Esc leaves it', async () => {
    const opened = await openQueue(browser)
    const { page, queue } = opened
    await page.keyboard.press('n')
    await page.keyboard.type('abs ? Shift not sure')
    await page.keyboard.press('Enter')
    expect(queue.items[0]?.status).toBe('waiting')
    expect(await page.locator('.review input:checked').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await submitted(opened, 0)
    expect(queue.items[0]?.note).toContain('abs ? Shift not sure')
    expect(await page.getByLabel('Note').inputValue()).toBe('')
    await opened.close()
  })

  test('keys can be switched off, which is stored, and Tab, Space and Enter still work', async () => {
    const opened = await openQueue(browser)
    const { page, queue } = opened
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Keys of one letter are on' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.locator('.review h1').waitFor()
    await page.keyboard.press('2')
    expect(await page.locator('.review input:checked').count()).toBe(0)
    expect(await page.locator('.review kbd').count()).toBe(0)
    await page.getByRole('radio', { name: 'C No refund' }).focus()
    await page.keyboard.press('Space')
    await submitted(opened, 0)
    expect(queue.items[0]?.outcome).toEqual({ kind: 'option', option: 'C' })
    expect(queue.items[1]?.claimedBy, 'the reload kept the first item').toBe('rey')
    expect(queue.items[2]?.claimedBy).toBeNull()
    await opened.close()
  })

  test('every key of the queue is listed under ?', async () => {
    const opened = await openQueue(browser)
    await opened.page.keyboard.press('?')
    const keys = await opened.page.getByRole('dialog').getByRole('rowheader').allInnerTexts()
    for (const key of ['1–9, 0', 'C', 'B', 'Enter', 'N', 'U', 'S', 'P', 'H', 'L', '?']) {
      expect(keys).toContain(key)
    }
    await opened.close()
  })

  test('a group is shown in full if there is space', async () => {
    const opened = await openQueue(browser)
    const cut = await opened.page
      .locator('.item-facts dd')
      .first()
      .evaluate((group) => group.scrollWidth - group.clientWidth)
    expect(cut).toBeLessThanOrEqual(0)
    await opened.close()
  })

  test('the focus goes to the heading of each new item, and the outcome is announced', async () => {
    const opened = await openQueue(browser)
    const { page } = opened
    await page.keyboard.press('2')
    expect(await page.evaluate<string>('document.activeElement.type')).toBe('radio')
    await submitted(opened, 0)
    await page.locator('.review h1:focus').waitFor()
    const spoken = await page.locator('[role="status"]').innerText()
    expect(spoken).toMatch(/Submitted\.\s+You said B, the panel said A and deferred\.\s+Next item\./)
    await opened.close()
  })

  test('answers of four rounds fit beside the question at 1440 px', async () => {
    const items = queuedItems(1).map((item) => ({ ...item, debate: withLongAnswers(item.debate) }))
    const opened = await openQueue(browser, { items })
    const region = opened.page.getByRole('region', { name: /^Answers by round/ })
    await region.waitFor()
    expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await region.getByText('Round 4').count()).toBe(1)
    await opened.close()
  })

  test('an address with an unknown id says so and leads on, and the address of a known item opens it', async () => {
    for (const link of ['#/review/nothing-here', '#/review/item/nothing-here']) {
      const opened = await openQueue(browser, { link })
      const { page, queue } = opened
      await page.getByRole('heading', { name: 'There is no such item' }).waitFor()
      const text = await page.locator('main').innerText()
      expect(text).toContain('No item of the queue has the id nothing-here.')
      expect(await page.getByRole('link', { name: 'All items of the queue' }).getAttribute('href')).toBe(
        '#/review/list?status=any',
      )
      expect(queue.items.some(({ claimedBy }) => claimedBy !== null)).toBe(false)
      await page.getByRole('button', { name: 'Take the next item' }).click()
      await page.locator('.review h1').waitFor()
      await opened.close()
    }
    const opened = await openQueue(browser, { link: '#/review/review-3' })
    await opened.page.locator('.review h1').waitFor()
    expect(opened.queue.items.map(({ claimedBy }) => claimedBy).indexOf('rey')).toBe(3)
    await opened.close()
  })

  test.each([
    ['submitted', 'This item is reviewed already'],
    ['retracted', 'This item no longer waits'],
  ] as const)('an address of a %s item says so', async (status, name) => {
    const items = queuedItems(3)
    Object.assign(items[1] ?? {}, { status })
    const opened = await openQueue(browser, { items, link: '#/review/review-1' })
    await opened.page.getByRole('heading', { name }).waitFor()
    await opened.close()
  })

  test('a second reviewer sees who has claimed the item, and can take the next one', async () => {
    const items = queuedItems(3)
    Object.assign(items[2] ?? {}, { claimedBy: 'bea', claimedUntil: Date.now() + 600_000 })
    const opened = await openQueue(browser, { items, link: '#/review/item/review-2' })
    const { page, logged } = opened
    await page.getByRole('heading', { name: 'Somebody else has this item' }).waitFor()
    expect(await page.locator('main').innerText()).toMatch(/bea has it until \d/)
    expect(logged).toEqual([expect.stringContaining('409')])
    await page.getByRole('button', { name: 'Take the next item' }).click()
    await page.locator('.review h1').waitFor()
    await opened.close()
  })

  test('a refused submission keeps the item and the choice and shows the reason', async () => {
    const opened = await openQueue(browser)
    const { page, queue } = opened
    await page.keyboard.press('2')
    Object.assign(queue.items[0] ?? {}, { claimedBy: 'bea', claimedUntil: Date.now() + 600_000 })
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/Not submitted: bea has it until .* Your choice and your note are kept/s)
    expect(await page.getByRole('radio', { name: 'B Refund the shipping only' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Take the next item' }).click()
    await page.locator('.asked').getByText('subscription was renewed').waitFor()
    await opened.close()
  })

  test('an unreachable server costs no choice, and the submission is retried', async () => {
    const opened = await openQueue(browser)
    const { page, queue, fixture } = opened
    await page.keyboard.press('2')
    fixture.setFault({ path: /^\/v1\/reviews\//, kind: 'hang-up' })
    await page.keyboard.press('Enter')
    await page.getByText('the server cannot be reached').waitFor()
    fixture.setFault(null)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('You said B').first().waitFor()
    expect(queue.items[0]?.outcome).toEqual({ kind: 'option', option: 'B' })
    await opened.close()
  })

  test('an answer that is refused for its content offers no retry', async () => {
    const opened = await openQueue(browser)
    const { page, queue } = opened
    queue.refuse = (verb) => (verb === 'submit' ? refused(422, 'invalid', 'the answer cannot be read') : null)
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.getByText('the answer cannot be read').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    queue.refuse = () => null
    await page.keyboard.press('Enter')
    await page.getByText('You said B').first().waitFor()
    await opened.close()
  })

  test('an item for a second reader stays hidden after the time to undo, and the page says so', async () => {
    const [item] = queuedItems(1)
    if (item === undefined) throw new Error('one item')
    const opened = await openQueue(browser, { items: [{ ...item, isBlind: true, isReadTwice: true }], undoMs: 500 })
    const { page } = opened
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.getByText('appears when nobody else has to read this question').first().waitFor()
    await opened.close()
  })

  test('an expired claim is reported, nothing is submitted, and the item can be claimed again', async () => {
    const opened = await openQueue(browser, { claimMs: 2500 })
    const { page, queue } = opened
    await page.getByText('Your claim on this item has expired').first().waitFor()
    await page.keyboard.press('2')
    expect(queue.items[0]?.status).toBe('waiting')
    await page.getByRole('button', { name: 'Claim it again' }).click()
    await page.getByRole('button', { name: /^Submit/ }).waitFor()
    expect(await page.getByRole('radio', { name: 'B Refund the shipping only' }).isChecked()).toBe(true)
    await opened.close()
  })

  test('a claim is renewed while the reviewer works', async () => {
    const opened = await openQueue(browser, { claimMs: 8000 })
    const { page, fixture } = opened
    const isKept = () => fixture.asked.some((one) => one.startsWith('POST /v1/reviews/review-0/claim'))
    for (let tries = 0; !isKept() && tries < 60; tries++) {
      await page.keyboard.press('j')
      await page.waitForTimeout(200)
    }
    expect(isKept()).toBe(true)
    expect(await page.getByText('has expired').count()).toBe(0)
    await opened.close()
  })

  test('after its time an undo becomes a retraction, which asks for confirmation', async () => {
    const opened = await openQueue(browser, { undoMs: 1500 })
    const { page, queue } = opened
    await page.keyboard.press('2')
    await submitted(opened, 0)
    // The page ends the time to undo one round trip early, when the server would still undo.
    Object.assign(queue.items[0] ?? {}, { undoUntil: 0 })
    await page.getByRole('button', { name: /^Retract/ }).waitFor()
    await page.keyboard.press('u')
    const dialog = page.getByRole('dialog', { name: 'Retract your answer?' })
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(queue.items[0]?.status).toBe('submitted')
    await page.keyboard.press('u')
    await dialog.getByRole('button', { name: 'Retract it' }).click()
    await page.getByText('Retracted: the question waits again.').first().waitFor()
    expect(queue.items[0]?.status).toBe('retracted')
    await opened.close()
  })

  test('a dialog that is opened again at once stays open', async () => {
    const opened = await openQueue(browser, { undoMs: 1500 })
    const { page, queue } = opened
    await page.keyboard.press('2')
    await submitted(opened, 0)
    Object.assign(queue.items[0] ?? {}, { undoUntil: 0 })
    await page.getByRole('button', { name: /^Retract/ }).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('button', { name: 'Keep it' }).waitFor()
    // The browser reports a closed dialog in a later task. The key comes before this report.
    const states = await page.evaluate(`(async () => {
      const dialog = document.querySelector('dialog[open]')
      dialog.querySelector('button').click()
      while (dialog.open) await Promise.resolve()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', bubbles: true }))
      for (let turn = 0; turn < 100 && !dialog.open; turn++) await Promise.resolve()
      const isOpenAtOnce = dialog.open
      await new Promise((done) => setTimeout(done, 200))
      return { isOpenAtOnce, isOpenLater: dialog.open }
    })()`)
    expect(states).toEqual({ isOpenAtOnce: true, isOpenLater: true })
    await opened.close()
  })

  test('the countdown of an undo never exceeds its time, even if the clocks differ', async () => {
    const opened = await openQueue(browser, { undoMs: 600_000, session: { undoMs: 60_000 } })
    await opened.page.keyboard.press('2')
    await submitted(opened, 0)
    const seconds = Number.parseInt(await opened.page.getByRole('timer').first().innerText(), 10)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    await opened.close()
  })

  test('a queue that never had an item does not claim that all were reviewed', async () => {
    const { page, close } = await openQueue(browser, { items: [] })
    await page.getByText('Nothing has arrived yet.').waitFor()
    expect(await page.getByText('has been reviewed').count()).toBe(0)
    await close()
  })

  test.each([
    { name: 'an empty queue', setting: { items: [] }, says: 'Nothing waits' },
    {
      name: 'a queue claimed by others',
      setting: {
        items: queuedItems(2).map((item) => ({ ...item, claimedBy: 'bea', claimedUntil: Date.now() + 600_000 })),
      },
      says: 'Nothing for you right now',
    },
    { name: 'a viewer', setting: { session: { role: 'viewer' as const } }, says: 'Your role cannot review' },
    { name: 'a machine', setting: { session: { kind: 'machine' as const } }, says: 'A machine cannot review' },
  ])('$name reads why there is nothing to review, and takes nothing', async ({ setting, says }) => {
    const { page, fixture, close } = await openQueue(browser, { ...setting, view: { width: 390, bypassCSP: true } })
    await page.getByRole('heading', { name: says }).waitFor()
    // The reason need not be another claim: a second reading is never given to the first reader.
    if (says.startsWith('Nothing for you')) await page.getByText('2 waiting, but none for you: they are').waitFor()
    expect(fixture.asked.filter((one) => /claim|submit/.test(one))).toEqual([])
    expect(await axeViolations(page)).toEqual([])
    await close()
  })

  test('nothing moves between items', async () => {
    const opened = await openQueue(browser)
    const { page } = opened
    const areas = async () => {
      const all = await page.locator('.status-line, .asked, .outcomes, .item-note, .actions, .panel-evidence').all()
      return Promise.all(all.map((area) => area.boundingBox()))
    }
    const first = await areas()
    for (const [index, key] of ['2', '2', '1', 'c'].entries()) {
      await page.keyboard.press(key)
      await submitted(opened, index)
      expect(await areas()).toEqual(first)
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await opened.close()
  })

  test('on a phone the buttons are large and at the bottom, and the page does not scroll sideways', async () => {
    const { page, close } = await openQueue(browser, { view: { width: 390 } })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    for (const button of await page.locator('.actions button').all()) {
      const box = await button.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(48)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(780)
    }
    for (const choice of await page.locator('.choice').all()) {
      expect((await choice.boundingBox())?.height).toBeGreaterThanOrEqual(48)
    }
    await close()
  })

  test('axe finds nothing in any state, in both themes, wide and narrow', async () => {
    const opened = await openQueue(browser, { view: { width: 1440, bypassCSP: true } })
    const { page, fixture } = opened
    await page.keyboard.press('2')
    await expectSoundLooks(page, 'an item', THEMES_AND_WIDTHS)
    await submitted(opened, 0)
    await page.keyboard.press('1')
    await submitted(opened, 1)
    await expectSoundLooks(page, 'a blind item', THEMES_AND_WIDTHS)
    await page.keyboard.press('h')
    await expectSoundLooks(page, 'last items', THEMES_AND_WIDTHS)
    await page.keyboard.press('?')
    await expectSoundLooks(page, 'help', THEMES_AND_WIDTHS)
    await page.keyboard.press('Escape')
    await page.goto(`${fixture.address}/#/review/list`)
    await page.locator('.stacked').waitFor()
    await page.locator('.agreement table').first().waitFor()
    await expectSoundLooks(page, 'the list', THEMES_AND_WIDTHS)
    await opened.close()
  })

  test('the list shows who has which item and claims one', async () => {
    const items = queuedItems(60)
    Object.assign(items[1] ?? {}, { claimedBy: 'bea', claimedUntil: Date.now() + 600_000 })
    const { page, queue, close } = await openQueue(browser, { items, link: '#/review/list' })
    await page.locator('.stacked tbody tr').first().waitFor()
    expect(await page.locator('.stacked tbody tr').count()).toBe(50)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('All 60 shown.').waitFor()
    const second = page.locator('.stacked tbody tr').nth(1)
    expect(await second.innerText()).toContain('bea')
    expect(await second.locator('a').count()).toBe(0)
    expect(await page.locator('.stacked tbody tr').nth(2).innerText(), 'a blind one hides its source').toContain(
      'hidden',
    )
    await page.locator('.stacked tbody tr').nth(5).getByRole('link').click()
    await page.locator('.review h1').waitFor()
    expect(queue.items[5]?.claimedBy).toBe('rey')
    expect(page.url()).toMatch(/#\/review$/)
    await close()
  })

  test('an administrator puts back and assigns many items with the keyboard alone, and a reviewer cannot', async () => {
    const items = queuedItems(4)
    for (const item of items.slice(1, 3)) Object.assign(item, { claimedBy: 'bea', claimedUntil: Date.now() + 600_000 })
    const own = await openQueue(browser, { items, link: '#/review/list' })
    await own.page.locator('.stacked tbody tr').first().waitFor()
    expect(await own.page.getByRole('checkbox').count()).toBe(0)
    await own.close()
    const { page, queue, logged, close } = await openQueue(browser, {
      items,
      link: '#/review/list',
      session: { role: 'admin' },
      view: { width: 1440, bypassCSP: true },
    })
    await page.locator('.stacked tbody tr').first().waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'p']) await page.keyboard.press(key)
    await page.getByText('2 items put back. 1 needed no change.').waitFor()
    expect(queue.items.map(({ claimedBy }) => claimedBy)).toEqual([null, null, null, null])
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: 'Assign 3 items' }).waitFor()
    expect(await axeViolations(page), 'the dialog').toEqual([])
    await page.getByLabel('Reviewer').selectOption('mira')
    await page.getByLabel('Due', { exact: true }).selectOption('tomorrow, 17:00')
    await page.getByRole('button', { name: 'Assign', exact: true }).press('Enter')
    await page.getByText('3 items assigned.').waitFor()
    expect(queue.items.map(({ assignedTo = null }) => assignedTo)).toEqual(['mira', 'mira', 'mira', null])
    expect(new Date(queue.items[0]?.dueAt ?? 0).getHours()).toBe(17)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: /^Assigned to/ }).selectOption('nobody')
    await page.getByText('All 1 shown.').waitFor()
    await page.getByText('47 items were read by two people. They disagreed on 4.').waitFor()
    expect(await page.locator('.agreement').innerText()).toMatch(/bea and rey\s+6\s+6\s+too few: 30 are needed/)
    expect(logged).toEqual([])
    await close()
  })

  test('hostile text stays text in every field', async () => {
    const attack = '<img src=x onerror="alert(1)">\u202e"\'><script>alert(2)</script>\u0007{{7*7}} javascript:alert(3)'
    const items = queuedItems(3).map((item) => ({ ...item, debate: hostile(item.debate, attack) }))
    Object.assign(items[2] ?? {}, { claimedBy: attack, claimedUntil: Date.now() + 600_000 })
    const opened = await openQueue(browser, { items, session: { name: attack } })
    const { page, logged, fixture } = opened
    expect(await page.locator('.panel-evidence').innerText()).toContain('<script>alert(2)</script>')
    expect(await page.locator('.asked').innerText()).toContain('<img src=x')
    await page.keyboard.press('1')
    await submitted(opened, 0)
    await page.keyboard.press('h')
    await page.locator('.last-items summary').first().click()
    await page.goto(`${fixture.address}/#/review/list?status=any`)
    await page.locator('.stacked tbody tr').first().waitFor()
    expect(await page.locator('.stacked tbody').innerText()).toContain('<img src=x')
    expect(await page.locator('main img, main script, main iframe, main [onerror]').count()).toBe(0)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(logged).toEqual([])
    await opened.close()
  })
})

type Debate = ReturnType<typeof queuedItems>[number]['debate']

/** A payload in every text from outside. Option names must differ. */
function hostile(debate: Debate, attack: string): Debate {
  const named = (name: string | null) => (name === null ? null : `${name}${attack}`)
  return {
    ...debate,
    question: attack,
    excerpt: attack,
    group: attack,
    runId: attack,
    questionId: attack,
    options: debate.options.map(({ name }) => ({ name: `${name}${attack}`, text: attack })),
    turns: debate.turns.map((round) =>
      round.map((turn) => ({ ...turn, agent: named(turn.agent) ?? '', answer: named(turn.answer), text: attack })),
    ),
    verdict: debate.verdict && {
      ...debate.verdict,
      path: debate.verdict.path.map((step) => ({ ...step, answer: `${step.answer}${attack}` })),
    },
  }
}

/** Each answer in the turns has some words, as a date or an amount has. */
function withLongAnswers(debate: QueuedItem['debate']): QueuedItem['debate'] {
  const long = (name: string | null) => (name === null ? null : `23 March ${name}`)
  return {
    ...debate,
    options: debate.options.map((option) => ({ ...option, name: long(option.name) ?? '' })),
    turns: debate.turns.map((round) =>
      round.map((turn) => ({ ...turn, agent: `agent-${turn.agent}`, answer: long(turn.answer), confidence: 0.97 })),
    ),
  }
}
