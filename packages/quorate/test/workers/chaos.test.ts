import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../../tools/postgres.ts'
import { CHAOS_TIMEOUT_MS } from '../chaos/chaos-panel.ts'
import { holdSharedChaos, killing } from './shared-chaos.ts'

const start = await startPostgres()

if (start.kind === 'absent') {
  test.skip(`workers among kills: ${start.reason}`, () => {})
} else {
  const { postgres } = start
  afterAll(postgres.stop)

  test(
    'workers that are killed, frozen and cut off from their database lose only what they had open',
    async () => {
      const { said, lost } = await holdSharedChaos({
        ...{ postgres, questions: 300, workers: 3, concurrency: 8 },
        async trouble(fleet, isDone) {
          await sleep(3000)
          // Longer than others wait: they have its questions when it goes on.
          const frozen = fleet.freeze(18_000)
          await killing(2000, 4)(fleet, isDone)
          await postgres.restart()
          await frozen
        },
      })
      expect(lost).toBeGreaterThan(0)
      expect(said).toMatch(/waiting for the database|will try again/)
    },
    CHAOS_TIMEOUT_MS,
  )
}
