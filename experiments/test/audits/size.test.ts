import { audit, readPanels } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { simulateKnownWorld } from '../../src/audits/known-worlds.ts'
import { sufficientTwin } from '../../src/twins/sufficient-twin.ts'

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('where all assumptions hold', () => {
  test('at most 5 of 200 audits of the paper profile falsify one', () => {
    const falsified = seeds(200).filter((seed) => {
      const panels = readPanels(sufficientTwin({ seed, count: 1200 }).map(({ debate }) => debate))
      return (
        audit(panels, { profile: 'paper', budget: { beta: 0.35, delta: 0.03, epsilon: 0.02 }, seed }).verdict ===
        'falsified'
      )
    })
    expect(falsified.length).toBeLessThanOrEqual(5)
  })

  test.each([
    ['tight', 0.15],
    ['cells', 0.1],
  ] as const)('nor do more than 1 of 25 of %s, which acts in most of them', (profile, beta) => {
    const audits = seeds(25).map((seed) => {
      const panels = readPanels(simulateKnownWorld({ violation: 'sound', count: 2000, seed }))
      return audit(panels, { profile, budget: { beta, delta: 0.03, epsilon: 0.02 }, seed })
    })
    expect(audits.filter(({ verdict }) => verdict === 'falsified').length).toBeLessThanOrEqual(1)
    const acting = audits.filter(({ checks }) => checks[0]!.rows.some(({ n }) => n !== 0))
    expect(acting.length).toBeGreaterThanOrEqual(20)
  })
})
