import { readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { simulateTruth } from '../../src/truths/simulate-truth.ts'
import { TRUTHS, type TruthName } from '../../src/truths/truths.ts'

const NAMES = Object.values(TRUTHS).map(({ name }) => name)
const COUNT = 5000

describe.each(NAMES)('%s', (name: TruthName) => {
  const drawn = simulateTruth(name, COUNT, 3)
  const { debates } = readDebates(drawn.map(({ debate }) => debate))

  test('the panel keeps to one answer, and it is right as often as the known chance says', () => {
    const isRight = debates.map(({ record, rounds }) => {
      expect(new Set(rounds.map(({ prediction }) => prediction)).size).toBe(1)
      return rounds[0]!.prediction === record.gold
    })
    // Checked for each known chance, within five standard errors, so that both levels of a truth with two are checked.
    for (const chance of new Set(drawn.map((debate) => debate.chance))) {
      const rows = drawn.flatMap((debate, row) => (debate.chance === chance ? [row] : []))
      const rate = rows.filter((row) => isRight[row]).length / rows.length
      expect(Math.abs(rate - chance)).toBeLessThan(5 * Math.sqrt(0.25 / rows.length))
    }
  })

  test('the same seed gives the same debates, and another seed gives others', () => {
    expect(simulateTruth(name, 20, 3)).toEqual(drawn.slice(0, 20))
    expect(simulateTruth(name, 20, 4).map(({ debate }) => debate.gold)).not.toEqual(
      drawn.slice(0, 20).map(({ debate }) => debate.gold),
    )
  })
})

test('a late agreement is worth less than an early one, and the panel looks the same', () => {
  const { chance } = TRUTHS['late-agreement']
  expect([chance([1, 1, 1]), chance([0.5, 1, 1]), chance([0.5, 0.75, 1]), chance([0, 0, 0.5])]).toEqual([
    0.97, 0.8, 0.62, 0.5,
  ])
})
