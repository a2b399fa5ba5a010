import { audit, readPanels } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { hasRecordedData, NO_RECORDED_DATA, readRecorded } from '../../src/data/recorded.ts'

if (!hasRecordedData) console.log(`skipped: ${NO_RECORDED_DATA}`)

describe.skipIf(!hasRecordedData)('three agents on MMLU, whose late agreement is worth less than early', () => {
  const panels = hasRecordedData ? readPanels(readRecorded('dylan-mmlu-3agents')) : { panels: [], reading: undefined }

  const stoppingRounds = (beta: number, seed: number) => {
    if (panels.reading === undefined) throw new Error('no recorded debates')
    const budget = { beta, delta: 0.03, epsilon: 0.02 }
    return audit(panels, { profile: 'paper', budget, seed, order: 'none' }).checks[0]!
  }

  test.each(
    [0.15, 0.2, 0.25, 0.3, 0.32, 0.35, 0.4].flatMap((beta) =>
      [7, 11, 13].filter((seed) => !(beta === 0.3 && seed === 7)).map((seed) => [beta, seed] as const),
    ),
  )('beta %d, seed %d: the paper profile is falsified by stopping round, or n is too small', (beta, seed) => {
    const check = stoppingRounds(beta, seed)
    expect(['falsified', 'not enough data']).toContain(check.verdict)
    if (check.verdict === 'not enough data') expect(check.finding).toMatch(/n = \d+/)
  })

  // Only round 2 acts, so that early agreement (the 805 debates that round 1 acts on at beta .32) is counted with late
  // agreement (the 305 that round 2 does): 76.2 % are right where 73 % were promised. Nothing is contradicted.
  test('beta 0.3, seed 7: round 2 acts on early and late agreement together and keeps its promise', () => {
    const { verdict, rows } = stoppingRounds(0.3, 7)
    expect(verdict).toBe('not falsified')
    expect(rows.map(({ n }) => n)).toEqual([0, 1110, 0, 1110])
    expect(rows[1]!.figure).toBeCloseTo(0.762, 3)
  })

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
