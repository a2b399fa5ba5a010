import { afterAll, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { startPostgres } from '../../../../tools/postgres.ts'
import { CHAOS_TIMEOUT_MS } from '../chaos/chaos-panel.ts'
import { runSharedChaos } from './shared-chaos.ts'
import { after, atOnce, freezing, inTurn, killing, restarting } from './troubles.ts'

/** Both forms take as long as the kills and the restart: the one with fewer debates has slower answers. */
const SIZE = sized({ short: { questions: 100, latencyMs: 100 }, full: { questions: 300, latencyMs: 10 } })
const KILLS = sized({ short: 3, full: 4 })

const start = await startPostgres()

if (start.kind === 'absent') {
  test.skip(`workers among kills: ${start.reason}`, () => {})
} else {
  const { postgres } = start
  afterAll(postgres.stop)

  test(
    'workers that are killed, frozen and cut off from their database lose only what they had open',
    async () => {
      const { output, lostOpen } = await runSharedChaos({
        postgres,
        ...SIZE,
        workers: 3,
        concurrency: 8,
        trouble: after(3000, atOnce(freezing({ forMs: 18_000 }), inTurn(killing({ most: KILLS }), restarting))),
      })
      expect(lostOpen).toBeGreaterThan(0)
      expect(output).toMatch(/waiting for the database|will try again/)
    },
    CHAOS_TIMEOUT_MS,
  )
}
