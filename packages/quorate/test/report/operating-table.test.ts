import { describe, expect, test } from 'vitest'
import { operatingTable, rateText, standingOfPoint } from '../../src/report/operating-table.ts'
import { styleFor } from '../../src/text/style.ts'
import { textColumns } from '../../src/text/text-columns.ts'

const points = [
  { name: 'cells', questions: 2000, acted: 1278, wrong: 24, rounds: 4480, calls: 13_440 },
  { name: 'paper', questions: 2000, acted: 0, wrong: 0, rounds: 8000, calls: 24_000 },
  { name: 'majority-first', questions: 2000, acted: 2000, wrong: 390, rounds: 2000, calls: 6000 },
  { name: 'consensus', questions: 2000, acted: 1800, wrong: 196, rounds: 3000, calls: 9000 },
]

describe('the operating table', () => {
  test('has one row per policy, with intervals and a mark for its standing', () => {
    expect(operatingTable(points, 0.1, styleFor({ color: false }))).toEqual([
      '                  Act %         Acc|Act %   Wrong actions %   Rnd  Calls',
      '● cells            63.9  98.1 (97.2–98.8)     1.2 (0.8–1.8)  2.24    6.7',
      '◆ paper             0.0              none     0.0 (0.0–0.2)  4.00   12.0',
      '✕ majority-first  100.0  80.5 (78.7–82.2)  19.5 (17.8–21.3)  1.00    3.0',
      '◆ consensus        90.0  89.1 (87.6–90.5)   9.8 (8.5–11.2)  1.50    4.5'.replace('   9.8', '    9.8'),
    ])
  })

  test('reports over or within only if the whole interval is', () => {
    expect(points.map((point) => standingOfPoint(point, 0.1))).toEqual(['within', 'no evidence', 'over', 'unclear'])
  })

  test('fits 80 columns at its widest', () => {
    const perfect = {
      name: 'confidence-threshold',
      questions: 1000,
      acted: 1000,
      wrong: 0,
      rounds: 4000,
      calls: 12_000,
    }
    const wrong = { ...perfect, wrong: 500 }
    for (const line of operatingTable([perfect, wrong], 0.001, styleFor({ color: true }))) {
      expect(textColumns(line)).toBeLessThanOrEqual(80)
    }
  })

  test('shows no rate without observations', () => {
    expect(rateText(0, 0)).toBe('none')
  })
})
