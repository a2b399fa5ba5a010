import { calibrate, type Debate, decide } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { hasRecordedData, readRecorded } from '../../src/data/recorded.ts'
import { evaluateSetting } from '../../src/evaluation/evaluate-setting.ts'
import { DELTA, EPSILON, PAPER, SHIPPED } from '../../src/evaluation/settings.ts'
import { openWorld } from '../../src/worlds/worlds.ts'

const BETA = 0.3
const DEBATES = 50

describe.skipIf(!hasRecordedData)('on recorded debates', () => {
  const name = 'dylan-mmlu-3agents'
  const draw = hasRecordedData ? openWorld({ kind: 'recorded', name })(7) : null
  const debates = new Map(
    (hasRecordedData ? readRecorded(name) : []).map((debate): [string, Debate] => [debate.id, debate]),
  )

  test.each([PAPER, SHIPPED.tight, SHIPPED.cells, SHIPPED.total])(
    '$name: replayed decisions are those of decide',
    (setting) => {
      const { actedAt, chance } = evaluateSetting(draw!, setting, [BETA])[0]!
      const budget = { beta: BETA, delta: DELTA, epsilon: EPSILON }
      const certificate = calibrate(draw!.train, { ...setting.options, budget })
      for (const [row, { record }] of draw!.test.debates.slice(0, DEBATES).entries()) {
        const debate = debates.get(record.id)!
        const decision = decide(certificate, debate)
        expect(decision.kind === 'act' ? decision.round : 0).toBe(actedAt[row])
        if (decision.kind === 'act') expect(chance[row]).toBe(decision.answer === debate.gold ? 1 : 0)
        else expect(chance[row]).toBeNaN()
      }
      if (setting !== PAPER) expect(actedAt.slice(0, DEBATES).some((round) => round > 0)).toBe(true)
    },
  )
})
