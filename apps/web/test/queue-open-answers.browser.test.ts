import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBrowser, expectSoundLooks, hasBrowser } from './fixture/describe-in-browser.ts'
import { openQueue } from './fixture/queue/opened-queue.ts'
import { queuedItems } from './fixture/queue/review-queue.ts'

const candidates = [
  { id: 'x', text: '42 kg', alsoSaid: ['42.0 kg'] },
  { id: 'y', text: '4.2 kg', alsoSaid: [] },
]
const labels = Array.from({ length: 40 }, (_, at) => ({ name: `label ${at + 1}`, text: `what label ${at + 1} means` }))

/** The most frequent ways to review: on a desktop, and on a phone with the dark theme. */
const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

describe.skipIf(!hasBrowser)('items without a short list of labels', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())

  test('are answered with the keyboard alone: yes, no, cannot tell, a typed answer, a label from the search', async () => {
    const [first, second, third, fourth] = queuedItems(4)
    if (!first || !second || !third || !fourth) throw new Error('four items')
    const items = [
      { ...first, asks: { kind: 'grades', form: 'a number in kg', candidates } as const },
      { ...third, asks: { kind: 'answer', form: 'a number in kg' } as const },
      { ...second, options: labels },
      fourth,
    ]
    const opened = await openQueue(browser, { items, view: { width: 1440, bypassCSP: true } })
    const { page, queue, logged } = opened
    await page.getByText('Is this answer right?').first().waitFor()
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    expect(queue.items[0]?.status, 'one answer has no grade yet').toBe('waiting')
    await expectSoundLooks(page, 'an open answer', LOOKS)
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    // The next item replaces this one when the server has stored it.
    await expect.poll(() => page.locator('main').innerText()).not.toContain('4.2 kg')
    await page.getByText('Type the right answer').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('42')
    await expectSoundLooks(page, 'a typed answer', LOOKS)
    await page.keyboard.press('Enter')
    await page.getByText('Find a label').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('means')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('label 33')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('radio', { name: 'label 33' }).isChecked()).toBe(true)
    await expectSoundLooks(page, 'a label', LOOKS)
    await page.keyboard.press('Enter')
    await page.locator('.label-search').waitFor({ state: 'detached' })
    expect(queue.items.slice(0, 3).map(({ outcome }) => outcome)).toEqual([
      {
        kind: 'grades',
        grades: [
          { answer: 'x', right: true },
          { answer: 'y', right: false },
        ],
      },
      { kind: 'answer', text: '42' },
      { kind: 'option', option: 'label 33' },
    ])
    expect(logged).toEqual([])
    await opened.close()
  })
})
