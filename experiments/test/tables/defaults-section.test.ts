import { expect, test } from 'vitest'
import { evaluateSetting, evaluateSettings } from '../../src/evaluation/evaluate-setting.ts'
import type { SplitOutcome } from '../../src/evaluation/operating-point.ts'
import { BETAS, SETTINGS, SHIPPED, TOTAL_PROMISES } from '../../src/evaluation/settings.ts'
import { defaultsSection } from '../../src/tables/defaults-section.ts'
import { gatherMeasurements, TABLE_SEEDS } from '../../src/tables/measurements.ts'
import { overspendingSection } from '../../src/tables/overspending-section.ts'
import { WORLDS } from '../../src/worlds/catalogue.ts'
import { type Draw, openWorld } from '../../src/worlds/worlds.ts'

const whole = openWorld({ kind: 'simulated', name: 'sloped' })(7)
const ROWS = 700
const draw: Draw = {
  train: { ...whole.train, debates: whole.train.debates.slice(0, ROWS) },
  test: { ...whole.test, debates: whole.test.debates.slice(0, ROWS) },
  questions: whole.questions.slice(0, ROWS),
  chances: whole.chances.slice(0, ROWS * 3),
}
const acted = (outcomes: readonly SplitOutcome[]) => outcomes.map(({ actedAt }) => [...actedAt])

test('settings that share a fit give the same results as alone, and no promise is an attempt on the labels of another', () => {
  const settings = [SHIPPED.total, ...TOTAL_PROMISES.slice(0, 3)]
  const together = evaluateSettings(draw, settings, [0.1, 0.2])
  const alone = settings.map((setting) => evaluateSetting(draw, setting, [0.1, 0.2]))
  expect(together.map(acted)).toEqual(alone.map(acted))
  const [usual, free] = together.map((outcomes) => acted(outcomes)[0]!.filter((round) => round > 0).length)
  expect(free).toBeGreaterThanOrEqual(usual!)
})

test('the document names every setting, the pilot share that was picked, and where a budget was exceeded', () => {
  const outcomes = SETTINGS.map((_, row) =>
    BETAS.map((): SplitOutcome => {
      const actedAt = Uint8Array.from({ length: 20 }, (_, at) => Number(at <= row))
      return { rounds: 1, line: 0.7, questions: Uint32Array.from(actedAt.keys()), actedAt, chance: chanceOf(actedAt) }
    }),
  )
  const results = WORLDS.flatMap((world) => TABLE_SEEDS.map((seed) => ({ world, seed, outcomes })))
  const measured = gatherMeasurements(results)
  const text = defaultsSection(measured)
  for (const { name } of SETTINGS) expect(text).toContain(`| ${name} `)
  expect(text).toContain('the choosing half picks *total, pilot 35 %*')
  expect(overspendingSection(measured)).toContain(
    `In the mean over splits: 0 of ${WORLDS.length * SETTINGS.length * BETAS.length}`,
  )
})

/** Every action is right with certainty. */
function chanceOf(actedAt: Uint8Array): Float64Array {
  return Float64Array.from(actedAt, (round) => (round === 0 ? Number.NaN : 1))
}
