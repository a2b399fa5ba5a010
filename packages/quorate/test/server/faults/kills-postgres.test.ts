import { afterAll, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { startPostgres } from '../../../../../tools/postgres.ts'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { checkAccount } from '../../chaos/account.ts'
import type { ChaosEngine } from '../../chaos/engines.ts'
import { findLosses } from './find-losses.ts'
import { runFaults } from './run-faults.ts'

// Safe without syncs to the disk, because the database itself is never killed.
const start = await startPostgres({ fsync: 'off' })

if (start.kind === 'absent') test.skip(`kills of a server on PostgreSQL: ${start.reason}`, () => {})
else {
  const { url, stop } = start.postgres
  afterAll(() => stop())
  const engine: ChaosEngine = {
    name: 'postgres',
    env: () => ({ QUORATE_STORE: url }),
    open: () => openPostgres(url, { now: () => 0, connections: 2 }),
  }

  test('on PostgreSQL too a server that is killed loses nothing and counts nothing twice', async () => {
    const ended = await runFaults({ engine, kills: sized({ short: 3, full: 6 }), seed: 31 })
    const store = await engine.open(ended.folder)
    expect(await findLosses({ ...ended, store })).toEqual([])
    const [first] = ended.journal.decisions.values()
    await checkAccount(store, first?.accepted.runId ?? '', ended.provider)
    await store.close()
  })
}
