import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, bearer } from '../test/server/ask.ts'
import { fillQueue } from '../test/server/faults/filled-queue.ts'
import { startLife } from '../test/server/faults/lives.ts'

/** A queue of 100,000 items behind `quorate serve`: pages of the list, and 20 clients who take items at once. */
const ITEMS = 100_000
const CLIENTS = 20
const CLAIMS_EACH = 50
const PAGES = 40

const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
const tokens = await fillQueue(folder, { items: ITEMS, reviewers: CLIENTS })
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
    tokens.map(async (token) => {
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
} finally {
  server.kill()
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}

async function timed(action: () => ReturnType<typeof ask>) {
  const began = performance.now()
  const { status, text } = await action()
  const ms = performance.now() - began
  if (status !== 200) throw new Error(`expected status 200, got ${status}: ${text}`)
  const body: { next?: string | null; item?: { id: string } | null } = JSON.parse(text)
  return { ms, next: body.next ?? null, id: body.item?.id ?? null }
}

function spread(name: string, times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1)
  return `${name} ms p50 ${at(0.5)} p99 ${at(0.99)} most ${at(1)}`
}
