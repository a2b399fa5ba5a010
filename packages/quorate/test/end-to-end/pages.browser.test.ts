import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { axeViolations, leavePage, overflow } from '../../../../apps/web/test/fixture/opened-page.ts'
import { sized } from '../../../../tools/lane.ts'
import type { DebateRow, MonitorView, NextReview } from '../../src/contract/index.ts'
import { decideOverHttp, rightOption } from './over-http.ts'
import { createToken, FRESH, LATE } from './quorate-folder.ts'
import { KEEPS_SCREENSHOTS, keepScreenshots, makeSteady } from './screenshots.ts'
import { asked, type Served } from './served.ts'
import { copyCalibrated, describeForReal } from './stage.ts'

const FIRST_PAGE_BYTES = 160_000
const MOST_REVIEWED = KEEPS_SCREENSHOTS ? 2000 : 40
interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly rules: 'all' | 'of colours'
}

const WIDE: Look = { colorScheme: 'light', width: 1440, rules: 'all' }
const NARROW: Look = { colorScheme: 'dark', width: 390, rules: 'all' }
const OTHER_LOOKS: readonly Look[] = [
  { colorScheme: 'dark', width: 1440, rules: 'of colours' },
  { colorScheme: 'light', width: 390, rules: 'of colours' },
]
/** In the short form the tests of the app check narrow pages with all rules, and this file checks wide ones. */
const LOOKS = sized<readonly Look[]>({
  short: [WIDE, { ...NARROW, rules: 'of colours' }],
  full: [WIDE, NARROW, ...OTHER_LOOKS],
})
/** A store with so many decisions fills every page. */
const DECIDED = sized({ short: 100, full: FRESH.length })

/** Pages by the name of their picture; DEBATE, ITEM and CERTIFICATE stand for what the store has. */
const PAGES = [
  ['overview', '#/'],
  ['runs', '#/runs'],
  ['debates', '#/debates'],
  ['debate', '#/debates/DEBATE'],
  ['review', '#/review/item/ITEM'],
  ['review-list', '#/review/list'],
  ['checks', '#/certificates/active/checks'],
  ['certificates', '#/certificates'],
  ['certificate', '#/certificates/CERTIFICATE'],
  ['settings', '#/settings'],
  ['not-found', '#/nowhere'],
] as const

describeForReal('every page on a store with debates, decisions and reviews', (stage) => {
  let served: Served
  const places = new Map<string, string>()

  beforeAll(async () => {
    await copyCalibrated(stage().folder)
    // Pictures are taken of a store with hundreds of labels.
    const rate = KEEPS_SCREENSHOTS ? ['--spot-check-rate', '0.2'] : []
    served = await stage().serve('--certificate', 'certificate.json', ...rate)
    const questions = KEEPS_SCREENSHOTS ? [...FRESH, ...LATE] : FRESH.slice(0, DECIDED)
    // One after the other, so that they arrive in this order every time.
    for (const question of questions) await decideOverHttp(served, [question])
    places.set('ITEM', await reviewAllButOne(served))
    if (KEEPS_SCREENSHOTS) await labelsCount(served)
    // Those with a blind review are not in the list until it is final.
    const { items } = await asked<{ items: DebateRow[] }>(served, '/v1/debates?kind=defer&limit=100')
    const [near] = items.toSorted((a, b) => (b.bound ?? 0) - (a.bound ?? 0))
    places.set('DEBATE', `${near?.runId}/${near?.questionId}`)
    const certificates = await asked<{ items: { id: string }[] }>(served, '/v1/certificates')
    places.set('CERTIFICATE', certificates.items[0]?.id ?? '')
  })

  test.each(PAGES)('axe finds nothing on the %s page, in both themes, wide and narrow', async (name, link) => {
    const place = link.replace(/[A-Z]{2,}/, (word) => places.get(word) ?? word)
    const { page, logged } = await stage().open(served, place, { bypassCSP: true })
    if (KEEPS_SCREENSHOTS && name !== 'not-found') {
      await makeSteady(page, served.address)
      await page.reload()
      await page.locator('main h1').first().waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await keepScreenshots(page, name)
    }
    await expectSound(page, name)
    expect(logged).toEqual([])
    await leavePage(page)
  })

  test('the first page needs less than 160 KB, compressed, and says how long it took', async () => {
    const page = await stage().browser().newPage()
    const sizes: Promise<readonly [string, number]>[] = []
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname
      if (!path.startsWith('/v1/')) sizes.push(response.body().then((body) => [path, gzipSync(body).length] as const))
    })
    const start = performance.now()
    await page.goto(`${served.address}/`)
    await page.getByRole('banner').getByText('Acting').waitFor()
    const usableMs = performance.now() - start
    await page.waitForLoadState('networkidle')
    const bytes = (await Promise.all(sizes)).reduce((sum, [, size]) => sum + size, 0)
    process.stdout.write(
      `first page: ${sizes.length} files, ${(bytes / 1000).toFixed(1)} KB gzip, usable after ${usableMs.toFixed(0)} ms\n`,
    )
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(FIRST_PAGE_BYTES)
    await page.close()
  })

  test('the description of the API breaks no rule and needs nothing from elsewhere', async () => {
    const page = await stage().browser().newPage({ bypassCSP: true })
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(served.address)) elsewhere.push(request.url())
    })
    await page.goto(`${served.address}/docs`)
    expect(await axeViolations(page)).toEqual([])
    expect(elsewhere).toEqual([])
    await page.close()
  })

  test('the sign-in page of a server that asks for a token', async () => {
    await createToken(stage().folder, 'ops', 'admin')
    const guarded = await stage().serve('--require-token')
    const { page } = await stage().open(guarded, '#/', { bypassCSP: true })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await keepScreenshots(page, 'sign-in')
    await expectSound(page, 'sign-in')
    await leavePage(page)
    await guarded.stop()
  })
})

/** Reviews most of the queue. The first item that is not blind is left to others: its page shows what the panel did. */
async function reviewAllButOne(served: Served): Promise<string> {
  let open: string | null = null
  for (let reviewed = 0; reviewed < MOST_REVIEWED; reviewed++) {
    const { item, progress } = await asked<NextReview>(served, '/v1/reviews/next', { body: {} })
    if (item === null || (item.id === open && (progress.waiting <= 1 || !KEEPS_SCREENSHOTS))) break
    const isLeft = item.id === open || (open === null && !item.isBlind)
    const outcome = { kind: 'option', option: rightOption(item.question ?? '') }
    await asked(served, `/v1/reviews/${item.id}/${isLeft ? 'skip' : 'submit'}`, { body: isLeft ? {} : { outcome } })
    if (isLeft) open = item.id
  }
  if (open === null) throw new Error('every item was blind')
  return open
}

/** Labels count once they can no longer be undone; until then the pictures of two pages would differ. */
async function labelsCount(served: Served): Promise<void> {
  for (;;) {
    const { spotChecks } = await asked<MonitorView>(served, '/v1/monitor')
    if (spotChecks.openSpotChecks.count === 0) return
    await sleep(500)
  }
}

/** One load for all looks: a theme and a width are only emulated. The other theme of a width differs in colours alone. */
async function expectSound(page: Page, name: string): Promise<void> {
  for (const { colorScheme, width, rules } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    expect(await overflow(page), `${name} is wider than ${width}`).toBeLessThanOrEqual(0)
    expect(await axeViolations(page, rules), `${name} ${colorScheme} ${width}`).toEqual([])
  }
}
