import { audit, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../tools/lane.ts'
import { hasRecordedData, NO_RECORDED_DATA, readRecorded } from '../../src/data/recorded.ts'

const SEEDS = sized({ short: [7], full: [7, 11, 13] })

if (!hasRecordedData) console.log(`skipped: ${NO_RECORDED_DATA}`)

describe.skipIf(!hasRecordedData)('three agents on MMLU, whose late agreement is worth less than early', () => {
  const read = hasRecordedData ? readDebates(readRecorded('dylan-mmlu-3agents')) : { debates: [], reading: undefined }

  const stoppingRounds = (beta: number, seed: number) => {
    if (read.reading === undefined) throw new Error('no recorded debates')
    const budget = { beta, delta: 0.03, epsilon: 0.02 }
    return audit(read, { profile: 'paper', budget, seed, order: 'none' }).checks[0]!
  }

  test.each([0.15, 0.2, 0.25, 0.3, 0.4].flatMap((beta) => SEEDS.map((seed) => [beta, seed] as const)))(
    'beta %d, seed %d: the paper profile is falsified by stopping round, or n is too small',
    (beta, seed) => {
      const check = stoppingRounds(beta, seed)
      expect(['falsified', 'not enough data']).toContain(check.verdict)
      if (check.verdict === 'not enough data') expect(check.finding).toMatch(/n = \d+/)
    },
  )

  // At betas between .30 and .40 some certificates act in round 1 only, so no panel stops late. 80.5 % are right, and 71 %
  // were promised, so nothing is falsified.
  test('beta 0.32, seed 7: only round 1 acts, and it keeps its promise', () => {
    const { verdict, rows } = stoppingRounds(0.32, 7)
    expect(verdict).toBe('not falsified')
    expect(rows.map(({ n }) => n)).toEqual([805, 0, 0, 0])
    expect(rows[0]!.figure).toBeCloseTo(0.805, 3)
  })

  test('a file sorted by topic is no stream of independent draws', () => {
    if (read.reading === undefined) return
    const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
    const found = audit(read, { profile: 'cells', budget, seed: 7 })
    expect(found.checks.filter(({ verdict }) => verdict === 'falsified').map(({ name }) => name)).toEqual([
      'exchangeability-permutation',
      'exchangeability-martingale',
    ])
  })
})
