import { calibrate, canonicalJson, readPanels } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { BETAS, DELTA, EPSILON, lineOf, SETTINGS, SHIPPED } from '../../src/evaluation/settings.ts'
import { simulateTruth } from '../../src/truths/simulate-truth.ts'

const panels = readPanels(simulateTruth('sloped', 1500, 1).map(({ debate }) => debate))
const budget = { beta: 0.2, delta: DELTA, epsilon: EPSILON }

test.each(['tight', 'cells'] as const)('the setting called shipped is what the package does for %s', (profile) => {
  const shipped = calibrate(panels, { ...SHIPPED[profile].options, budget })
  expect(canonicalJson(shipped.toJSON())).toBe(canonicalJson(calibrate(panels, { profile, budget }).toJSON()))
})

test('every setting has a name of its own', () => {
  expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length)
})

test.each(BETAS)('the line at %s is 1 - alpha - epsilon of every profile', (beta) => {
  for (const profile of ['paper', 'tight', 'cells'] as const) {
    const { budget: used } = calibrate(panels, { profile, budget: { ...budget, beta } })
    expect(lineOf(beta)).toBeCloseTo(1 - used.alpha - used.epsilon, 12)
  }
})
