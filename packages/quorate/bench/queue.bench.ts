import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answered, ask, bearer } from '../test/server/ask.ts'
import { fillQueue } from '../test/server/faults/filled-queue.ts'
import { startLife } from '../test/server/faults/lives.ts'
import { type PlainAnswer, plainClient, plainRequest } from './plain-client.ts'
import { usedBy } from './processor-time.ts'

/**
 * A queue of 100,000 items behind `quorate serve`: pages of the list, 20 clients who take items at once, and 200 who answer
 * them. Each of the 200 keeps a connection, as a browser does, and its requests are made before the clock runs.
 */
const ITEMS = 100_000
const CLIENTS = 20
/** As many as one person may claim. */
const CLAIMS_EACH = 10
const PAGES = 40
const REVIEWERS = 200
const PAIRS_EACH = 15

const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
const tokens = await fillQueue(folder, { items: ITEMS, reviewers: CLIENTS + REVIEWERS })
const server = await startLife(folder)
try {
  const headers = bearer(tokens[0] ?? '')
  const first = await timed(() => ask(server.port, '/v1/reviews?limit=50', { headers }))
  const pages: number[] = []
  for (let cursor = first.next; cursor !== null && pages.length < PAGES; ) {
    const page = await timed(() => ask(server.port, `/v1/reviews?limit=50&cursor=${cursor}`, { headers }))
    pages.push(page.ms)
    cursor = page.next
  }
  console.log(
    `queue of ${ITEMS} items: first page of a fresh process ${first.ms.toFixed(1)} ms; ${spread('next pages', pages)}`,
  )
  const claims: number[] = []
  const ids = new Set<string>()
  await Promise.all(
    tokens.slice(0, CLIENTS).map(async (token) => {
      for (let count = 0; count < CLAIMS_EACH; count++) {
        const request = { method: 'POST', headers: bearer(token), body: '{}' }
        const { ms, id } = await timed(() => ask(server.port, '/v1/reviews/next', request))
        claims.push(ms)
        if (id !== null) ids.add(id)
      }
    }),
  )
  console.log(`${spread(`claims by ${CLIENTS} at once`, claims)}; ${claims.length - ids.size} handed out twice`)
  if (ids.size !== claims.length) process.exitCode = 1
  await answerPairs(tokens.slice(CLIENTS))
} finally {
  server.kill()
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}

/** Each takes an item and answers it, one after the other. */
async function answerPairs(reviewers: readonly string[]): Promise<void> {
  const outcome = JSON.stringify({ outcome: { kind: 'option', option: 'A' } })
  const clients = await Promise.all(reviewers.map(async (token) => ({ token, client: await plainClient(server.port) })))
  const [before, began] = [usedBy([server.pid]), performance.now()]
  const pairs: number[] = []
  await Promise.all(
    clients.map(async ({ token, client }) => {
      const headers = [`authorization: Bearer ${token}`]
      const request = (path: string, body: string) => plainRequest(server.port, `/v1/reviews/${path}`, body, headers)
      const next = request('next', '{}')
      for (let count = 0; count < PAIRS_EACH; count++) {
        const from = performance.now()
        const { id } = await timed(() => client.post(next))
        await timed(() => client.post(request(`${id}/submit`, outcome)))
        pairs.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const used = usedBy([server.pid])
  for (const { client } of clients) client.close()
  const each = used === null || before === null ? 'unknown' : ((used - before) / pairs.length).toFixed(2)
  console.log(
    `next and submit by ${reviewers.length} at once: ${Math.round(pairs.length / seconds)} pairs/s, ` +
      `${each} ms of the server's processor a pair; ${spread('pair', pairs)}`,
  )
}

async function timed(action: () => Promise<Answered | PlainAnswer>) {
  const began = performance.now()
  const answer = await action()
  const ms = performance.now() - began
  const { status } = answer
  const text = typeof answer.text === 'string' ? answer.text : answer.text()
  if (status !== 200) throw new Error(`expected status 200, got ${status}: ${text}`)
  const body: { next?: string | null; item?: { id: string } | null } = JSON.parse(text)
  return { ms, next: body.next ?? null, id: body.item?.id ?? null }
}

function spread(name: string, times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1)
  return `${name} ms p50 ${at(0.5)} p99 ${at(0.99)} most ${at(1)}`
}
