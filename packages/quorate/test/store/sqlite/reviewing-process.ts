import { createReviewService } from '../../../src/review/create-review-service.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { timeOrderedIds } from '../../../src/store/time-ordered-id.ts'

/** Eight reviewers claim and submit items until the queue is empty or the process is killed. Prints what they did. */
const [, , file = '', number = '0'] = process.argv
const store = openSqlite(file, { now: () => 0 })
const newId = timeOrderedIds({ now: Date.now, random: Math.random })
const service = createReviewService({
  store,
  newId,
  now: Date.now,
  newSalt: newId,
  claimMs: 3_600_000,
  undoMs: 60_000,
  maxClaims: 1000,
  evidenceOf: async () => null,
  messagesOf: ({ event, reviewId: subject, at: createdAt, notBefore, body }) => [
    { id: newId(), event, body: JSON.stringify(body), target: 'x', createdAt, notBefore, subject },
  ],
})

async function reviewer(name: string): Promise<void> {
  const who = { name, kind: 'human', role: 'reviewer' } as const
  for (;;) {
    const next = await service.next(who)
    if (next.kind !== 'done' || next.value.item === null) return
    const { item } = next.value
    process.stdout.write(`claimed ${item.id} end\n`)
    const { kind } = await service.submit(item.id, who, { outcome: { kind: 'option', option: 'A' }, note: 'n' })
    process.stdout.write(`${kind === 'done' ? 'submitted' : kind} ${item.id} end\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, at) => reviewer(`${number}-${at}`)))
await store.close()
