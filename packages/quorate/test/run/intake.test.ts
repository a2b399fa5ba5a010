import { expect, test } from 'vitest'
import { intakeOf, isSampled, sampleRows } from '../../src/run/intake.ts'
import { SAMPLE_KEY } from '../store/samples.ts'
import { each, samplePlan, simulatedQuestions } from './run-world.ts'

const IDS = Array.from({ length: 20_000 }, (_, index) => `question ${index}`)
const TERMS = { runId: 'run 1', key: SAMPLE_KEY, spotCheckRate: 0.05 }

test('spot checks are sampled at their rate, and the key reproduces the sample', () => {
  const sampled = IDS.filter((id) => isSampled(id, TERMS)).length
  // Five standard deviations of a binomial around 1,000.
  expect(Math.abs(sampled - 1000)).toBeLessThan(155)
  expect(IDS.filter((id) => isSampled(id, { ...TERMS })).length).toBe(sampled)
  expect(IDS.some((id) => isSampled(id, { ...TERMS, spotCheckRate: 0 }))).toBe(false)
  expect(IDS.every((id) => isSampled(id, { ...TERMS, spotCheckRate: 1 }))).toBe(true)
})

test.each([
  ['run', { ...TERMS, runId: 'run 2' }],
  ['key', { ...TERMS, key: `${SAMPLE_KEY.slice(0, -1)}b` }],
])('another %s draws the same ids independently', (_, other) => {
  const both = IDS.filter((id) => isSampled(id, TERMS) && isSampled(id, other)).length
  // Five standard deviations around 50, and nowhere near the 1,000 of the same terms.
  expect(Math.abs(both - 50)).toBeLessThan(36)
})

test('each question of a file that is asked every night is sampled at the rate over the nights', () => {
  const nights = Array.from({ length: 2000 }, (_, night) => `night ${night}`)
  const shares = IDS.slice(0, 5).map((id) => nights.filter((runId) => isSampled(id, { ...TERMS, runId })).length)
  // Five standard deviations of a binomial around 100.
  for (const share of shares) expect(Math.abs(share - 100)).toBeLessThan(49)
})

test('the same ids have the same hash, and another order has another hash', async () => {
  const questions = simulatedQuestions(3)
  const hashOf = async (changed: typeof questions) => (await intakeOf(each(changed))).hash
  const hash = await hashOf(questions)
  expect(await hashOf(simulatedQuestions(3))).toBe(hash)
  expect(await hashOf(questions.toReversed())).not.toBe(hash)
  expect(await hashOf(questions.slice(1))).not.toBe(hash)
})

test('without a key nothing is sampled, and with a key each question records how it was sampled', async () => {
  const { rows } = await intakeOf(each(simulatedQuestions(9)))
  const sampled = (key: string | null) => sampleRows(rows, samplePlan({ spotCheckRate: 1 }), { runId: 'run 1', key })
  for (const row of sampled(null))
    expect(row).toMatchObject({ isSpotCheck: false, samplingKey: null, samplingRate: null })
  for (const row of sampled(SAMPLE_KEY))
    expect(row).toMatchObject({ isSpotCheck: true, samplingKey: 1, samplingRate: 1 })
})
