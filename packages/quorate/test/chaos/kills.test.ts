import { test } from 'vitest'
import { CHAOS_TIMEOUT_MS } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { holdChaos } from './hold-chaos.ts'

test(
  'killed 20 times among the faults, a run of 24,000 calls is resumed to complete records and the same account',
  async () => {
    await holdChaos({ engine: SQLITE, questions: 2000, kills: 20 })
  },
  CHAOS_TIMEOUT_MS,
)
