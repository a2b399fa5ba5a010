import { afterAll, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { startPostgres } from '../../../../../tools/postgres.ts'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { checkAccount } from '../../chaos/account.ts'
import type { ChaosEngine } from '../../chaos/engines.ts'
import { findLosses } from './find-losses.ts'
import { holdFaults } from './hold-faults.ts'

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
    const held = await holdFaults({ engine, kills: sized({ short: 3, full: 6 }), seed: 31 })
    const store = await engine.open(held.folder)
    expect(await findLosses({ ...held, store })).toEqual([])
    const [first] = held.journal.decisions.values()
    await checkAccount(store, first?.accepted.runId ?? '', held.provider)
    await store.close()
  })
}
