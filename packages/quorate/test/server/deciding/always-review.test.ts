import { expect, test } from 'vitest'
import { countedModels, samplePlan } from '../../run/run-world.ts'
import { verified } from './verified.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, serveWorld } from './world.ts'

const RULES = [{ when: { field: 'amount', above: 1000 } }]
const ASKED = { who: ANN, idempotencyKey: null }
const plan = { panel: { ...samplePlan().panel, alwaysReview: RULES }, spotCheckRate: 1 }
const settings = {
  budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 },
  spotCheckRate: 0,
  maxClaims: 10,
  seed: 7,
  profile: 'cells' as const,
}

test('a question under a rule is deferred without a call, and one without the field too', async () => {
  const { models, asked } = countedModels()
  const { services, store } = await serveWorld({ plan, models })
  const [dear, silent, cheap] = FRESH
  if (dear === undefined || silent === undefined || cheap === undefined) throw new Error('no questions')
  const views = []
  for (const input of [{ ...inputOf(dear), fields: { amount: 1001 } }, inputOf(silent)]) {
    const { id } = await services.decisions.ask(input, ASKED)
    views.push(await decided(services, id))
  }
  for (const { decision } of views) {
    expect(decision).toMatchObject({
      kind: 'defer',
      reason: 'always-review',
      reasonText: 'a rule sends it to a person',
    })
  }
  expect(asked).toEqual([])
  const { id } = await services.decisions.ask({ ...inputOf(cheap), fields: { amount: '12' } }, ASKED)
  expect((await decided(services, id)).decision?.reason).not.toBe('always-review')
  expect(asked.length).toBeGreaterThan(0)
  expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 3 })
})

test('a posted debate under a rule is deferred too', async () => {
  const { debates } = await calibrated()
  const [, , , debate] = debates
  if (debate === undefined) throw new Error('no debate')
  const declared = { budget: settings.budget, profile: settings.profile, deferGroups: [], alwaysReview: RULES }
  const { services, store } = await serveWorld({ tools: { settings: { ...settings, declared } } })
  const certify = (fields: Record<string, number> | undefined, id: string) =>
    services.certify(certifyInput(debate, 1, { id, ...(fields && { fields }) }), ANN)
  const ruled = await certify({ amount: 5000 }, 'dear')
  expect(ruled).toMatchObject({ kind: 'defer', reason: 'always-review' })
  expect(await certify(undefined, 'silent')).toMatchObject({ kind: 'defer', reason: 'always-review' })
  expect((await certify({ amount: 5 }, 'cheap')).reason).not.toBe('always-review')
  expect(await verified(store, ruled.runId)).toMatchObject({ kind: 'whole' })
})
