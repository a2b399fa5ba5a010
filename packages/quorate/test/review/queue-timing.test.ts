import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { createReviewService } from '../../src/review/create-review-service.ts'
import { writeQuestion } from '../../src/run/stored-question.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { sampleId, sampleRun } from '../store/samples.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { nextOf } from './review-fixture.ts'

const ITEMS = sized({ short: 20_000, full: 100_000 })
const CLIENTS = 20
const CLAIMS = 400

const FILL = `
  with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${ITEMS - 1})
  insert into reviews (id, root, part, run_id, question_id, source, status, created_at, distance, rank, arrival, list, queue, sequence, skips)
  select printf('%012d', n), printf('%012d', n), 1, '${sampleId(1)}', 'q0', source, 'waiting', n, distance,
    case source when 'deferral' then distance else n end, 0, list, list, n + 1, 0
  from (select n, iif(n % 7 = 0, 'spot-check', 'deferral') as source, iif(n % 7 = 0, 'blind', 'open') as list, abs(random()) % 1000000000 as distance from numbers)`

test('many items: a page and concurrent claims by 20 reviewers; times are printed, claims are checked', async () => {
  const file = join(temporaryFolder(), 'store.db')
  const store = openSqlite(file, { now: () => 0 })
  const options = [{ name: 'A', text: 'A' }]
  const question = writeQuestion({ id: 'q0', question: 'what?', options, gold: null, group: null })
  await store.runs.create(sampleRun({ kind: 'decide' }), [
    { position: 0, questionId: 'q0', question, isSpotCheck: false },
  ])
  const database = new DatabaseSync(file)
  database.exec(FILL)
  database.close()
  let ids = 0
  const service = createReviewService({
    store,
    now: () => 1,
    newId: () => sampleId(ids++),
    newSalt: () => 's',
    claimMs: 1000,
    undoMs: 10,
    maxClaims: 1000,
    evidenceOf: async () => null,
    messagesOf: () => [],
  })
  const page = await timed(() => service.list({ cursor: null, limit: 50 }))
  expect(page.value.items.length).toBe(50)
  const taken: (string | undefined)[] = []
  const claims = await timed(() => Promise.all(Array.from({ length: CLIENTS }, (_, at) => claimMany(`r${at}`))))
  expect(taken.length).toBe(CLAIMS)
  expect(new Set(taken).size).toBe(CLAIMS)
  const perClaim = (claims.ms / CLAIMS).toFixed(2)
  const line = `first page ${page.ms.toFixed(1)} ms, ${CLAIMS} claims by ${CLIENTS} at once ${perClaim} ms each`
  process.stdout.write(`queue of ${ITEMS.toLocaleString('en')} items on SQLite: ${line}\n`)
  await store.close()

  async function claimMany(name: string): Promise<void> {
    for (let count = 0; count < CLAIMS / CLIENTS; count++) {
      taken.push((await nextOf(service, { name, kind: 'human', role: 'reviewer' })).item?.id)
    }
  }
})

async function timed<Value>(action: () => Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }> {
  const start = performance.now()
  const value = await action()
  return { value, ms: performance.now() - start }
}
