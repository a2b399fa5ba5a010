import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { dayText } from '../../src/record/state-words.ts'

/** QUORATE_SCREENSHOTS=write keeps the screenshots of docs/images; otherwise none is taken. */
export const KEEPS_SCREENSHOTS = process.env['QUORATE_SCREENSHOTS'] === 'write'

const IMAGES = resolve(import.meta.dirname, '../../../../docs/images')
const WIDTHS = [
  [1440, 820],
  [390, 1400],
] as const
const MOST_BYTES = 220_000
const SHOWN_NOW = Date.UTC(2026, 10, 15, 12)
const AHEAD_MS = 10 * 60_000
/** A minute of the test is shown as two days, so that charts have something to show. */
const FASTER = 2880

let firstTaken: number | undefined

/** Nearly the same picture from every run: hashes and durations are fixed, and times are counted from one moment. */
export async function makeSteady(page: Page, address: string): Promise<void> {
  if (!KEEPS_SCREENSHOTS) return
  await page.clock.setFixedTime(SHOWN_NOW)
  await page.route(`${address}/v1/**`, async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), date: new Date(SHOWN_NOW).toUTCString() }
    await route.fulfill({ response, headers, body: steadyText(await response.text()) })
  })
}

export async function keepScreenshots(page: Page, name: string): Promise<void> {
  if (!KEEPS_SCREENSHOTS) return
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [width, height] of WIDTHS) {
    await page.setViewportSize({ width, height })
    await page.waitForLoadState('networkidle')
    await page
      .locator('main')
      .getByText(/decided again in|127\.0\.0\.1/)
      .evaluateAll((all) => {
        for (const one of all) {
          one.textContent =
            one.textContent?.replace(/[\d.]+ ms/, '2 ms').replace(/127\.0\.0\.1:\d+/, '127.0.0.1:4711') ?? ''
        }
      })
    const image = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (image.length > MOST_BYTES) throw new Error(`the screenshot of ${name} at ${width} has ${image.length} bytes`)
    await writeFile(join(IMAGES, `web-${name}-${width}.png`), image)
  }
}

/** What was is as long ago as the test makes it, many times over; what is to come in ten minutes. */
function steadyText(text: string): string {
  // One moment for all pictures: a time that two pages show is the same on both.
  firstTaken ??= Date.now()
  const now = firstTaken
  const steady = text
    .replace(/^\{"at":\d+/, `{"at":${SHOWN_NOW}`)
    .replace(/\b1[789]\d{11}\b/g, (time) => {
      if (time === String(SHOWN_NOW)) return time
      const age = now - Number(time)
      return String(Math.round(SHOWN_NOW + (age < 0 ? AHEAD_MS : -age * FASTER)))
    })
    .replace(/"hash":"\w+"/g, `"hash":"${'5eed'.repeat(16)}"`)
  const since = /"policy":\{[^}]*"since":(\d+)/.exec(steady)?.[1]
  return since === undefined ? steady : steady.replace(/since \d+ \w{3}/, `since ${dayText(Number(since))}`)
}
