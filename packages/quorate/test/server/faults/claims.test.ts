import { expect, onTestFinished, test } from 'vitest'
import type { NextReview, ReviewItem, ReviewRow } from '../../../src/contract/reviews.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { ask, bearer } from '../ask.ts'
import { fillQueue } from './filled-queue.ts'
import { startLife } from './lives.ts'

const ITEMS = 10_000
const CLIENTS = 20
/** By next and by id, in two lives of the server. In total it is no more than one person may claim. */
const CLAIMS_EACH = 2

test('20 concurrent clients never claim an item that another has, by next or by id, even after a kill', async () => {
  const folder = temporaryFolder()
  const tokens = await fillQueue(folder, { items: ITEMS, reviewers: CLIENTS })
  const first = await startLife(folder)
  onTestFinished(() => first.kill())
  const headers = bearer(tokens[0] ?? '')
  const page = (await ask(first.port, '/v1/reviews?limit=50', { headers })).json() as { items: ReviewRow[] }
  expect(page.items).toHaveLength(50)
  const named = page.items.slice(0, CLAIMS_EACH).map(({ id }) => id)
  const taken = new Map<string, string>()
  await Promise.all(tokens.map((token) => claimMany(first.port, token, { taken, named })))
  expect(taken.size).toBeGreaterThanOrEqual(CLIENTS * CLAIMS_EACH)
  first.kill()
  await first.ended
  const second = await startLife(folder)
  onTestFinished(() => second.kill())
  const before = taken.size
  await Promise.all(tokens.map((token) => claimMany(second.port, token, { taken, named })))
  expect(taken.size).toBe(before + CLIENTS * CLAIMS_EACH)
})

interface Claiming {
  /** The reviewer of each claimed item. */
  readonly taken: Map<string, string>
  /** Items that every client tries to claim. */
  readonly named: readonly string[]
}

async function claimMany(port: number, token: string, { taken, named }: Claiming): Promise<void> {
  const request = { method: 'POST', headers: bearer(token), body: '{}' }
  const keep = ({ id }: ReviewItem) => {
    expect(taken.get(id) ?? token).toBe(token)
    taken.set(id, token)
  }
  for (const id of named) {
    const next = (await ask(port, '/v1/reviews/next', request)).json() as NextReview
    if (next.item === null) throw new Error('the queue is empty')
    expect(taken.has(next.item.id)).toBe(false)
    keep(next.item)
    const claimed = await ask(port, `/v1/reviews/${id}/claim`, request)
    if (claimed.status === 200) keep(claimed.json() as ReviewItem)
    else expect(claimed.status).toBe(409)
  }
}
