import { type Debate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { groupControlCells } from '../../src/reproduce/measure/group-control.ts'
import { splitInHalves } from '../../src/reproduce/measure/worlds.ts'
import { groupControlTable, groupRates } from '../../src/reproduce/tables/group-control.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'
import { madeMeasurements } from './made-measurements.ts'

describe('group-conditional control on the BBH twin', () => {
  const read = readDebates(simulateTwin('bbh', { seed: 2026, beliefs: 'soft' }).map(harderPenguins), {
    beliefs: 'stated',
  })
  const cells = [7, 11].flatMap((seed) => groupControlCells(splitInHalves(read, seed), seed))
  const worst = (rule: string, beta: number) =>
    Math.max(...groupRates(cells.filter((cell) => cell.rule === rule && cell.beta === beta)).map(({ wrong }) => wrong))

  test('by group, no subtask is acted on wrongly more often than beta', () => {
    for (const rule of ['total, by group', 'cells, by group', 'paper, by group at delta'] as const) {
      for (const beta of [0.1, 0.2, 0.3]) expect(worst(rule, beta), `${rule} ${beta}`).toBeLessThanOrEqual(beta)
    }
  })

  test('companion: pooled, the hardest subtask is', () => {
    expect(worst('total, pooled', 0.2)).toBeGreaterThan(0.2)
  })

  test('delta / G never acts on more than delta', () => {
    const acted = (rule: string) => cells.filter((cell) => cell.rule === rule).map((cell) => cell.acted)
    const [all, each] = [acted('paper, by group at delta / G'), acted('paper, by group at delta')]
    expect(all.every((count, at) => count <= each[at]!)).toBe(true)
  })
})

/** A small subtask on which the agents sound as sure as ever and every second answer is wrong. */
function harderPenguins(debate: Debate, row: number): Debate {
  if (debate.group !== 'penguins_in_a_table' || row % 2 === 0) return debate
  return { ...debate, gold: debate.gold === 'A' ? 'B' : 'A' }
}

test('a world without groups, or with groups that are too small, has no cells', () => {
  const debates = simulateTwin('bbh', { seed: 1, beliefs: 'soft', count: 300 })
  const few = readDebates(debates, { beliefs: 'stated' })
  expect(groupControlCells(splitInHalves(few, 7), 7)).toEqual([])
  const one = readDebates(
    debates.map((debate) => ({ ...debate, group: null })),
    { beliefs: 'stated' },
  )
  expect(groupControlCells(splitInHalves(one, 7), 7)).toEqual([])
})

test('the table names every rule, counts groups over budget and says what they are', () => {
  const text = groupControlTable.text(madeMeasurements())
  expect(text).toContain('total, by group')
  expect(text).toMatch(/\| 0 of 8 +\| 0 of 16 /)
})
