import type { Page } from 'playwright-core'
import { FRESH } from './quorate-folder.ts'

export interface InHand {
  readonly questionId: string
  readonly right: string
  readonly isBlind: boolean
}

/** What a person on the review page sees of the item in hand. */
export async function itemInHand(page: Page): Promise<InHand> {
  await page.getByRole('radio').first().waitFor()
  const shown = (await page.locator('.asked').innerText()).trim()
  const asked = FRESH.find(({ question }) => question === shown)
  if (asked === undefined) throw new Error(`no fresh question reads "${shown}"`)
  return { questionId: asked.id, right: asked.gold, isBlind: (await page.locator('.blind-mark').count()) > 0 }
}

/** Presses Enter; what the server then says of the item, once the next one is in hand. */
export async function submitWithEnter(page: Page): Promise<{ readonly id: string; readonly status: string }> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/submit'))
  await page.keyboard.press('Enter')
  const response = await answered
  if (!response.ok()) throw new Error(`the submit was answered with ${response.status()}: ${await response.text()}`)
  const { item } = await response.json()
  await page.locator('.review input:checked').waitFor({ state: 'detached' })
  return item
}
