import { expect, test } from 'vitest'
import { isDrawn, takeIn } from '../../src/runs/take-in.ts'
import { each, samplePlan, simulatedQuestions } from './run-world.ts'

test('spot checks are drawn at their rate, by the id and the seed alone', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `question ${index}`)
  const plan = { seed: 7, spotCheckRate: 0.05 }
  const drawn = ids.filter((id) => isDrawn(id, plan)).length
  // Five standard deviations of a binomial around 1,000.
  expect(Math.abs(drawn - 1000)).toBeLessThan(155)
  expect(ids.filter((id) => isDrawn(id, plan)).length).toBe(drawn)
  const both = ids.filter((id) => isDrawn(id, plan) && isDrawn(id, { ...plan, seed: 8 })).length
  expect(Math.abs(both - 50)).toBeLessThan(36)
  expect(ids.some((id) => isDrawn(id, { seed: 7, spotCheckRate: 0 }))).toBe(false)
  expect(ids.every((id) => isDrawn(id, { seed: 7, spotCheckRate: 1 }))).toBe(true)
})

test('the same questions have the same hash, and any change another', async () => {
  const questions = simulatedQuestions(3)
  const hashOf = async (changed: typeof questions) => (await takeIn(each(changed), samplePlan())).hash
  const hash = await hashOf(questions)
  expect(await hashOf(simulatedQuestions(3))).toBe(hash)
  expect(await hashOf(questions.toReversed())).not.toBe(hash)
  expect(await hashOf(questions.map((question) => ({ ...question, gold: null })))).not.toBe(hash)
})

test('a run that only debates draws nobody', async () => {
  const { rows } = await takeIn(each(simulatedQuestions(9)), samplePlan({ spotCheckRate: 1 }))
  expect(rows.some((row) => row.isDrawn)).toBe(false)
})
