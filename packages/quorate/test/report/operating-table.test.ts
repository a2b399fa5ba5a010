import { describe, expect, test } from 'vitest'
import { operatingTable } from '../../src/report/operating-table.ts'
import { styleFor } from '../../src/report/style.ts'
import { textColumns } from '../../src/report/text-columns.ts'

const table = {
  beta: 0.1,
  certified: [
    { name: 'cells', questions: 2000, acted: 1278, wrong: 24, rounds: 4480 },
    { name: 'paper', questions: 2000, acted: 0, wrong: 0, rounds: 8000 },
  ],
  alwaysTitle: 'acting always',
  always: [{ name: 'round 1', questions: 2000, acted: 2000, wrong: 390, rounds: 2000 }],
}

describe('the operating table', () => {
  test('has one row per policy, with intervals and a verdict in words', () => {
    expect(operatingTable(table, styleFor({ color: false }))).toEqual([
      '         Act %         Acc|Act %   Wrong actions %  Used  Rounds',
      'cells     63.9  98.1 (97.2–98.8)     1.2 (0.8–1.8)  0.12    2.24  ok',
      'paper      0.0              none     0.0 (0.0–0.2)  0.00    4.00  ok',
      'acting always',
      'round 1  100.0  80.5 (78.7–82.2)  19.5 (17.8–21.3)  1.95    1.00  over budget',
    ])
  })

  test('fits 80 columns at its widest', () => {
    const perfect = { name: 'tight', questions: 2000, acted: 2000, wrong: 0, rounds: 2000 }
    const lines = operatingTable({ ...table, beta: 0.001, certified: [perfect] }, styleFor({ color: true }))
    for (const line of lines) expect(textColumns(line)).toBeLessThanOrEqual(80)
  })
})
