import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { FAULTS } from '../fake-provider/faults.ts'
import { CHAOS_TIMEOUT_MS } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { runChaos } from './run-chaos.ts'

const QUESTIONS = sized({ short: 150, full: 2000 })
const LEAST_OF_EACH_FAULT = sized({ short: 10, full: 150 })

test(
  'every tenth call fails, and every debate ends, no answer paid twice, every charge accounted for',
  async () => {
    const { faults } = await runChaos({ engine: SQLITE, questions: QUESTIONS, kills: 0 })
    for (const fault of FAULTS) expect(faults[fault], fault).toBeGreaterThan(LEAST_OF_EACH_FAULT)
  },
  CHAOS_TIMEOUT_MS,
)
