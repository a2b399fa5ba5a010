import { test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { CHAOS_TIMEOUT_MS } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { runChaos } from './run-chaos.ts'

const CHAOS = sized({ short: { questions: 48, kills: 4 }, full: { questions: 2000, kills: 20 } })

test(
  'killed several times among the faults, a run is resumed to complete records and the same account',
  async () => {
    await runChaos({ engine: SQLITE, ...CHAOS })
  },
  CHAOS_TIMEOUT_MS,
)
