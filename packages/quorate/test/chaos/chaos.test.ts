import { expect, test } from 'vitest'
import { FAULTS } from '../fake-provider/faults.ts'
import { CHAOS_TIMEOUT_MS } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { holdChaos } from './hold-chaos.ts'

test(
  'every tenth of 24,000 calls fails, and every debate is held, no answer paid twice, every charge accounted for',
  async () => {
    const { faults } = await holdChaos({ engine: SQLITE, questions: 2000, kills: 0 })
    for (const fault of FAULTS) expect(faults[fault], fault).toBeGreaterThan(150)
  },
  CHAOS_TIMEOUT_MS,
)
