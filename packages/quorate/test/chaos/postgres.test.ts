import { afterAll, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { startPostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { CHAOS_TIMEOUT_MS } from './chaos-panel.ts'
import type { ChaosEngine } from './engines.ts'
import { runChaos } from './run-chaos.ts'

// Without syncs to the disk, because no test here ends the server.
const start = await startPostgres({ fsync: 'off' })

if (start.kind === 'absent') {
  test.skip(`chaos on PostgreSQL: ${start.reason}`, () => {})
} else {
  const { url, stop } = start.postgres
  afterAll(stop)

  const engine: ChaosEngine = {
    name: 'postgres',
    env: () => ({ QUORATE_STORE: url }),
    open: () => openPostgres(url, { now: () => 0, connections: 2 }),
  }

  test(
    'on PostgreSQL too a run comes out of faults and kills with complete records and the same account',
    async () => {
      await runChaos({ engine, ...sized({ short: { questions: 40, kills: 2 }, full: { questions: 200, kills: 5 } }) })
    },
    CHAOS_TIMEOUT_MS,
  )
}
