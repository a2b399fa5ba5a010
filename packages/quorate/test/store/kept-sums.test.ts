import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { createRun, sampleIntent, sampleOutcome } from './samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A store with ten answered calls and their stored sums, and what was spent. */
async function keptStore() {
  const file = join(temporaryFolder(), 'store.db')
  const store = openSqlite(file, { now: () => 0 })
  const { id: runId } = await createRun(store)
  for (let number = 1; number <= 10; number++) {
    await store.calls.open(sampleIntent(number))
    await store.calls.close(sampleIntent(number), 'answered', sampleOutcome())
  }
  const spend = await store.calls.spend(runId)
  expect(await store.calls.keepSums(runId, 1)).toBe(true)
  const change = (sql: string) => {
    const database = new DatabaseSync(file)
    const { changes } = database.prepare(sql).run()
    database.close()
    return Number(changes)
  }
  return { store, runId, spend, change }
}

describe('kept sums of calls', () => {
  test('are read in place of the calls', async () => {
    const { store, runId, spend, change } = await keptStore()
    // A closed call never changes. Here it does, and the stored sums do not reflect it.
    expect(change("update calls set cost_micro_usd = 1 where state = 'answered'")).toBe(10)
    expect(await store.calls.spend(runId)).toEqual(spend)
    await store.close()
  })

  test.each([
    `update call_sums set sums = replace(sums, '2500', '0')`,
    `update call_sums set calls = 9, up_to = (select max(id) from calls where id < up_to)`,
    `update call_sums set digest = ''`,
    `update call_sums set up_to = ''`,
  ])('that were changed by hand are not believed: %s', async (sql) => {
    const { store, runId, spend, change } = await keptStore()
    expect(change(sql)).toBe(1)
    expect(await store.calls.spend(runId)).toEqual(spend)
    await store.close()
  })

  test('are computed again if the number of calls is different', async () => {
    const { store, runId, spend, change } = await keptStore()
    expect(change("delete from calls where cache_key = 'cache-3'")).toBe(1)
    const less = { ...spend, calls: { ...spend.calls, answered: 9 }, committedMicroUsd: 2250 }
    expect(await store.calls.spend(runId)).toMatchObject({ calls: less.calls, committedMicroUsd: 2250 })
    await store.calls.open(sampleIntent(11))
    await store.calls.close(sampleIntent(11), 'answered', sampleOutcome())
    expect(await store.calls.keepSums(runId, 1)).toBe(true)
    expect(await store.calls.spend(runId)).toEqual(spend)
    await store.close()
  })
})
