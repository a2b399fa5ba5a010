import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluationSchema, operatingPointSchema } from '../../../packages/quorate/src/contract/index.ts'
import { sized } from '../../../tools/lane.ts'
import { connectBrowser, expectSoundLooks, hasBrowser, startBuiltFixture } from './fixture/describe-in-browser.ts'
import { answered, type FixtureRoute, getRoute, refused } from './fixture/fixture-route.ts'
import { leavePage, openPage, type View } from './fixture/opened-page.ts'
import {
  makeEvaluation,
  makeLargePoint,
  makeOperatingPoint,
  NO_CERTIFICATE,
} from './fixture/operating-point-fixture.ts'
import type { Fixture } from './fixture/start-fixture.ts'

const PAYLOAD = '<img src=x onerror=alert(1)>"\'</script>\u202e'

const DEBATES = sized({ short: 600, full: 10_000 })
/** How often each slider moves. The times are printed; the long form prints a median of many. */
const STEPS = sized({ short: 2, full: 12 })
const MOVES = {
  total: ['beta', 'floor'],
  tight: ['beta', 'delta', 'epsilon'],
  cells: ['beta', 'delta'],
} as const
const FIRST_VALUE = { beta: 0.2, floor: 0.75, delta: 0.031, epsilon: 0.031 }

/** The performance mark of the last decision: the work so far, and how long the last decision took. */
interface Work {
  readonly fits: number
  readonly replays: number
  readonly decisions: number
  readonly milliseconds: number
}

function work(page: Page): Promise<Work> {
  return page.evaluate<Work>("performance.getEntriesByName('operating-point-decided').at(-1).detail")
}

/** Milliseconds from the move of a slider until the tiles show the result. */
async function move(page: Page, name: string, value: number): Promise<number> {
  const { decisions } = await work(page)
  const slider = page.getByRole('slider', { name, exact: true })
  const id = await slider.getAttribute('id')
  return page.evaluate<number>(`new Promise((shown) => {
    const input = document.getElementById(${JSON.stringify(id)})
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}')
    const start = performance.now()
    input.dispatchEvent(new Event('input', { bubbles: true }))
    const look = () => {
      const mark = performance.getEntriesByName('operating-point-decided').at(-1)
      if (mark.detail.decisions > ${decisions}) requestAnimationFrame(() => shown(performance.now() - start))
      else setTimeout(look, 1)
    }
    look()
  })`)
}

describe.skipIf(!hasBrowser)('the operating point', () => {
  let browser: Browser
  const fixtures: Fixture[] = []

  async function open(link: string, view: Partial<View> = {}, routes: readonly FixtureRoute[] = []) {
    const fixture = await startBuiltFixture({ routes })
    fixtures.push(fixture)
    return openPage(browser, fixture.address, link, { width: 1440, ...view })
  }

  const acted = (page: Page) => page.locator('.operating-number').first().textContent()

  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(fixtures.map((fixture) => fixture.close()))
  })

  test('a slider changes the figures, the difference, the promise, the config lines and the address', async () => {
    const { page, logged } = await open('#/certificates/active')
    await page.locator('.operating-tiles').waitFor()
    const before = await acted(page)
    expect(before).toMatch(/^\d+\.\d %$/)
    await expect.poll(() => page.getByText('The same debates would be acted on').count()).toBe(1)
    await page.getByRole('slider', { name: 'beta', exact: true }).focus()
    for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => acted(page)).not.toBe(before)
    await expect.poll(() => page.url()).toContain('beta=0.15')
    expect(await page.locator('.operating-code code').textContent()).toContain(
      'budget: { beta: 0.15, delta: 0.03, epsilon: 0 }',
    )
    await expect.poll(() => page.getByText('at most beta = 0.15').count()).toBe(1)
    expect(await page.getByText(/^\d+ more would be acted on$/).count()).toBe(1)
    await page.getByRole('button', { name: 'Back to the certificate in use' }).click()
    await expect.poll(() => acted(page)).toBe(before)
    await expect.poll(() => page.url()).not.toContain('beta')
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('an address sets the sliders, and too small a budget shows what is missing', async () => {
    const { page } = await open('#/certificates/active?beta=0.03&delta=0.03&epsilon=0.02&profile=paper')
    await page.locator('.operating-tiles').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Raise beta above 0.051')
    expect(await acted(page)).toBe('0.0 %')
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Split beta as usual' }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(await page.getByLabel('delta as a number').inputValue()).toBe('0.009')
    // delta stops where it would leave nothing for alpha.
    await page.getByLabel('delta as a number').fill('0.2')
    await page.getByLabel('delta as a number').blur()
    expect(await page.getByLabel('delta as a number').inputValue()).toBe('0.022')
    await leavePage(page)
  })

  test('the split follows beta, and a custom split can be undone', async () => {
    const { page } = await open('#/certificates/active')
    await page.locator('.operating-tiles').waitFor()
    const usual = page.getByRole('button', { name: 'Split beta as usual' })
    await page.getByLabel('beta as a number').fill('0.05')
    expect(await page.getByLabel('delta as a number').inputValue()).toBe('0.015')
    expect(await usual.count()).toBe(0)
    await page.getByLabel('delta as a number').fill('0.02')
    await page.getByLabel('beta as a number').fill('0.06')
    expect(await page.getByLabel('delta as a number').inputValue()).toBe('0.02')
    await usual.click()
    expect(await page.getByLabel('delta as a number').inputValue()).toBe('0.018')
    await leavePage(page)
  })

  test('a number out of range is refused, and a button offers a beta that acts', async () => {
    const { page } = await open('#/certificates/active?beta=0.01&delta=0.003')
    await page.locator('.operating-tiles').waitFor()
    await page.getByText('Nothing would be acted on.').waitFor()
    await page.getByRole('button', { name: /^Try beta 0\.\d+$/ }).click()
    await expect.poll(() => acted(page)).not.toBe('0.0 %')
    expect(await page.getByText('Nothing would be acted on.').count()).toBe(0)
    await page.getByLabel('beta as a number').fill('7')
    expect(await page.getByRole('alert').textContent()).toMatch(
      /^beta is a number from 0\.01 to 0\.5; shown is 0\.\d+\.$/,
    )
    await page.getByLabel('beta as a number').fill('0.2')
    expect(await page.getByRole('alert').count()).toBe(0)
    await leavePage(page)
  })

  test('another profile is fitted once, and returning to it fits nothing', async () => {
    const { page } = await open('#/certificates/active')
    await page.locator('.operating-tiles').waitFor()
    const profile = page.getByLabel('profile', { exact: true })
    await profile.selectOption('tight')
    await expect.poll(async () => (await work(page)).fits).toBe(1)
    await profile.selectOption('cells')
    await expect.poll(async () => (await work(page)).decisions).toBe(3)
    await profile.selectOption('tight')
    await expect.poll(async () => (await work(page)).decisions).toBe(4)
    expect(await work(page)).toMatchObject({ fits: 1, replays: 2 })
    await leavePage(page)
  })

  test('without calibration rows other profiles cannot be chosen, and the page says why', async () => {
    const point = { ...makeOperatingPoint({ profile: 'paper', labelled: 300, stored: 40 }), calibration: null }
    const { page } = await open('#/certificates/active', {}, [
      getRoute('/v1/operating-point', operatingPointSchema, point),
    ])
    await page.getByText('other profiles cannot be fitted here').waitFor()
    expect(await page.locator('option[value="cells"]').isDisabled()).toBe(true)
    await leavePage(page)
  })

  test('without a certificate, debates, labels or a server it explains what to do', async () => {
    const usual = makeOperatingPoint({ profile: 'cells', labelled: 300, stored: 40 })
    const route = (value: typeof usual) => [getRoute('/v1/operating-point', operatingPointSchema, value)]
    const none = await open('#/certificates/active', {}, route(NO_CERTIFICATE))
    await none.page.getByText('quorate calibrate debates.jsonl').waitFor()
    const empty = await open('#/certificates/active', {}, route({ ...usual, debates: NO_CERTIFICATE.debates }))
    await empty.page.getByText('quorate import debates.jsonl').waitFor()
    const unlabelled = { ...usual.debates, gold: usual.debates.gold.map(() => -1) }
    const blank = await open('#/certificates/active', {}, route({ ...usual, debates: unlabelled }))
    await blank.page.getByText('Without labels, right and wrong are not known').waitFor()
    const broken: FixtureRoute = {
      method: 'GET',
      path: '/v1/operating-point',
      answer: () => refused(503, 'The store is away', 'it cannot be read', 'Start it again.'),
    }
    const failed = await open('#/certificates/active', {}, [broken])
    await failed.page.getByText('Start it again.').waitFor()
    await failed.page.getByRole('button', { name: 'Try again' }).click()
    await failed.page.getByText('Start it again.').waitFor()
    for (const { page } of [none, empty, blank, failed]) await leavePage(page)
  })

  test('the baselines load when they come into view, and at another beta on request; hostile names stay text', async () => {
    const asked: string[] = []
    const evaluate: FixtureRoute = {
      method: 'GET',
      path: '/v1/evaluate',
      answer: ({ query }) => {
        asked.push(query.get('beta') ?? 'none')
        return answered(evaluationSchema, makeEvaluation(Number(query.get('beta')), PAYLOAD))
      },
    }
    const { page, logged } = await open('#/certificates/active?beta=0.2', {}, [evaluate])
    await page.locator('.operating-tiles').waitFor()
    expect(asked).toEqual([])
    await page.locator('.operating-frontier').scrollIntoViewIfNeeded()
    await page.getByRole('rowheader', { name: 'majority-final<img src=x' }).waitFor()
    await page.getByRole('button', { name: 'Compare at beta 0.2' }).click()
    await page.getByText('Every policy at beta 0.2').waitFor()
    expect(asked).toEqual(['0.1', '0.2'])
    expect(await page.locator('main img').count()).toBe(0)
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('is readable narrow and dark, wide and light, and axe finds nothing', async () => {
    const { page } = await open('#/certificates/active?beta=0.15', { bypassCSP: true })
    await page.locator('.operating-tiles').waitFor()
    await page.locator('.operating-frontier').scrollIntoViewIfNeeded()
    await page.locator('.operating-frontier svg').waitFor()
    await expectSoundLooks(page, 'the operating point', [
      { width: 390, colorScheme: 'dark' },
      { width: 1440, colorScheme: 'light' },
    ])
    await leavePage(page)
  })

  test.each(['total', 'tight', 'cells'] as const)(
    `${DEBATES} debates under %s: one decision per move, and no fit`,
    async (profile) => {
      const point = operatingPointSchema.parse(makeLargePoint(profile, DEBATES))
      const route = getRoute('/v1/operating-point', operatingPointSchema, point)
      const { page } = await open('#/certificates/active', {}, [route])
      await page.locator(profile === 'total' ? '.dials' : '.operating-tiles').waitFor({ timeout: 60_000 })
      for (const name of MOVES[profile]) {
        const times: { readonly worker: number; readonly shown: number }[] = []
        for (let step = 0; step < STEPS; step++) {
          const value = FIRST_VALUE[name] + step * (name === 'beta' || name === 'floor' ? 0.01 : 0.001)
          const { decisions } = await work(page)
          const shown = await move(page, name, value)
          const after = await work(page)
          expect(after).toMatchObject({ fits: 0, replays: 1, decisions: decisions + 1 })
          times.push({ worker: after.milliseconds, shown })
        }
        process.stdout.write(`${DEBATES} debates, ${profile}, new ${name}: ${said(times)}\n`)
      }
      if (profile === 'total') return leavePage(page)
      const other = profile === 'cells' ? 'tight' : 'cells'
      await page.getByLabel('profile', { exact: true }).selectOption(other)
      await expect.poll(async () => (await work(page)).fits).toBe(1)
      process.stdout.write(
        `${DEBATES} debates, ${profile} to ${other}: ${(await work(page)).milliseconds.toFixed(0)} ms\n`,
      )
      expect(await work(page)).toMatchObject({ fits: 1, replays: 2 })
      await leavePage(page)
    },
  )

  test('sliders that move faster than debates are decided never queue up', async () => {
    const { page } = await open('#/certificates/active')
    await page.locator('.operating-tiles').waitFor()
    await page.evaluate(`{
      const input = document.querySelector('input[type=range]')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      for (let step = 1; step <= 60; step++) {
        set.call(input, String(0.1 + step * 0.005))
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }`)
    await page.getByText('at most beta = 0.4.').waitFor()
    expect((await work(page)).decisions).toBeLessThanOrEqual(4)
    await leavePage(page)
  })
})

function said(times: readonly { readonly worker: number; readonly shown: number }[]): string {
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const worker = median(times.map((time) => time.worker))
  const shown = median(times.map((time) => time.shown))
  return `median ${worker.toFixed(1)} ms in the worker, ${shown.toFixed(1)} ms until shown`
}
