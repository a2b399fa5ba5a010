import { describe, expect, test } from 'vitest'
import { holderCheck, panelReader, readPanels } from '../../src/certificate/panel.ts'
import { simulatedDebates } from './simulated-debates.ts'

const same = simulatedDebates({ count: 3, seed: 1, agents: ['x', 'y', 'z'] })
const [turned] = same.map((debate) => ({
  ...debate,
  id: 'turned',
  rounds: debate.rounds.map((turns) => turns.toReversed()),
}))
const [pair] = simulatedDebates({ count: 1, seed: 2, agents: ['x', 'y'] }).map((debate) => ({ ...debate, id: 'pair' }))
const { panels } = readPanels([...same, turned!, pair!])
const namesOf = (row: number, round: number) => panels[row]!.rounds[round - 1]!.agents

describe('names of agents', () => {
  test('are one array for debates with the same agents in the same seats, and what they were for others', () => {
    expect(namesOf(1, 1)).toBe(namesOf(0, 1))
    expect(namesOf(2, 3)).toBe(namesOf(0, 3))
    expect(namesOf(3, 1)).toEqual(['z', 'y', 'x'])
    expect(namesOf(4, 1)).toEqual(['x', 'y'])
  })

  test('are shared by debates read one at a time too', () => {
    const reader = panelReader()
    for (const [row, debate] of same.entries()) reader.add(debate, `line ${row + 1}`)
    const [first, second] = reader.panels().panels
    expect(second?.rounds[1]?.agents).toBe(first?.rounds[1]?.agents)
    expect(reader.panels()).toEqual(readPanels(same))
  })
})

describe('a round is held by the calibrated panel', () => {
  const agents = [
    ['x', 'y', 'z'],
    ['x', 'y', 'z'],
    ['x', 'y'],
  ]

  test('when it has its very agents in any seats, however often and in whatever order rounds are asked', () => {
    const isHeld = holderCheck({ agents, panels: 'same' })
    for (const row of [0, 3, 4, 0, 4, 3]) {
      expect([1, 2, 3].map((round) => isHeld(panels[row]!, round))).toEqual(
        row === 4 ? [false, false, true] : [true, true, false],
      )
    }
  })

  test('when it has some of them, where panels varied', () => {
    const isHeld = holderCheck({ agents, panels: 'varying' })
    expect([1, 2, 3].map((round) => isHeld(panels[4]!, round))).toEqual([true, true, true])
    expect([1, 2, 3].map((round) => isHeld(panels[0]!, round))).toEqual([true, true, false])
  })

  test('never beyond the rounds that were calibrated', () => {
    const isHeld = holderCheck({ agents: [['x', 'y', 'z']], panels: 'same' })
    expect(isHeld(panels[0]!, 2)).toBe(false)
  })
})
