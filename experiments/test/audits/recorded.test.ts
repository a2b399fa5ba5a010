import { audit, readPanels } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { hasRecordedData, NO_RECORDED_DATA, readRecorded } from '../../src/data/recorded.ts'

if (!hasRecordedData) console.log(`skipped: ${NO_RECORDED_DATA}`)

describe.skipIf(!hasRecordedData)('three agents on MMLU, whose late agreement is worth less than early', () => {
  const panels = hasRecordedData ? readPanels(readRecorded('dylan-mmlu-3agents')) : { panels: [], reading: undefined }

  test.each([0.15, 0.2, 0.32, 0.35, 0.4])(
    'beta %d: the paper profile is falsified by stopping round, or n is too small',
    (beta) => {
      if (panels.reading === undefined) return
      const budget = { beta, delta: 0.03, epsilon: 0.02 }
      const { checks } = audit(panels, { profile: 'paper', budget, seed: 7, order: 'none' })
      const check = checks.find(({ name }) => name === 'stopping-rounds')!
      expect(['falsified', 'not enough data']).toContain(check.verdict)
      if (check.verdict === 'not enough data') expect(check.finding).toMatch(/n = \d+/)
    },
  )

  test('a file sorted by topic is no stream of independent draws', () => {
    if (panels.reading === undefined) return
    const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
    const found = audit(panels, { profile: 'cells', budget, seed: 7 })
    expect(found.checks.filter(({ verdict }) => verdict === 'falsified').map(({ name }) => name)).toEqual([
      'exchangeability-permutation',
      'exchangeability-martingale',
    ])
  })
})
