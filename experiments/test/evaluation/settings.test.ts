import { calibrate, canonicalJson, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { evaluateSetting } from '../../src/evaluation/evaluate-setting.ts'
import { BETAS, DELTA, EPSILON, PAPER, SETTINGS, type Setting, SHIPPED } from '../../src/evaluation/settings.ts'
import { simulateTruth } from '../../src/truths/simulate-truth.ts'
import { openWorld } from '../../src/worlds/worlds.ts'

const read = readDebates(simulateTruth('sloped', 1500, 1).map(({ debate }) => debate))
const budget = { beta: 0.2, delta: DELTA, epsilon: EPSILON }

test.each(['total', 'tight', 'cells'] as const)(
  'the setting called shipped is what the package does for %s',
  (profile) => {
    const shipped = calibrate(read, { ...SHIPPED[profile].options, budget })
    expect(canonicalJson(shipped.toJSON())).toBe(canonicalJson(calibrate(read, { profile, budget }).toJSON()))
  },
)

test('every setting has a name of its own', () => {
  expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length)
})

const draw = openWorld({ kind: 'simulated', name: 'sloped' })(1)
const linesOf = (setting: Setting) => evaluateSetting(draw, setting).map(({ line }) => line)
const LINES = new Map([PAPER, ...Object.values(SHIPPED)].map((setting) => [setting, linesOf(setting)]))

test.each(BETAS)('the line at %s is 1 - alpha - epsilon of the certificate, and the floor of total', (beta) => {
  const lineOf = (setting: Setting) => LINES.get(setting)![BETAS.indexOf(beta)]!
  for (const setting of [PAPER, SHIPPED.tight, SHIPPED.cells]) {
    const { budget: used } = calibrate(draw.train, { ...setting.options, budget: { ...budget, beta } })
    expect(lineOf(setting)).toBeCloseTo(1 - used.alpha - used.epsilon, 12)
  }
  expect(lineOf(PAPER)).toBeCloseTo(1 - beta + DELTA, 12)
  expect(lineOf(SHIPPED.cells)).toBeLessThan(1 - beta + 0.01)
  expect(lineOf(SHIPPED.total)).toBeCloseTo(Math.max(0.7, 1 - 2 * beta), 12)
})
