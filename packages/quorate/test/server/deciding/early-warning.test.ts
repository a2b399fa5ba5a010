import { expect, test } from 'vitest'
import { ModelError } from '../../../src/model/model-error.ts'
import { createEarlyWarning, servedWarning } from '../../../src/run/early-warning.ts'
import { countedModels } from '../../run/run-world.ts'
import { verified } from './verified.ts'
import { ANN, decided, FRESH, inputOf, serveWorld } from './world.ts'

const ASKED = { who: ANN, idempotencyKey: null }

test.each([
  ['key', '401 invalid key'],
  ['model', '404 no such model'],
] as const)(
  'a provider that refuses the %s is asked a few times, and every answer names the next step',
  async (kind, words) => {
    const { models, asked } = countedModels(async () => {
      throw new ModelError(kind, words, { charged: 'no' })
    })
    const { services, store } = await serveWorld({ models })
    const views = []
    for (const question of FRESH.slice(0, 12)) {
      const { id } = await services.decisions.ask(inputOf(question), ASKED)
      views.push(await decided(services, id))
    }
    for (const { decision } of views) {
      expect(decision).toMatchObject({ kind: 'defer', reason: 'agent-failure' })
      expect(decision?.detail).toContain(words)
    }
    expect(views.at(-1)?.decision?.detail).toMatch(
      /Nothing more is asked for five minutes\. Correct the key or the model/u,
    )
    // The three agents of the first question.
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 12 })
  },
)

test('a server tries again after five minutes, and a run that is resumed does not wait', () => {
  let time = 1_000_000
  const served = createEarlyWarning(servedWarning({ now: () => time }))
  const plain = createEarlyWarning({})
  for (const warning of [served, plain]) warning.refused('401')
  time += 5 * 60_000 - 1
  expect([served.found()?.kind, plain.found()?.kind]).toEqual(['refused', 'refused'])
  time += 1
  expect([served.found(), plain.found()?.kind]).toEqual([null, 'refused'])
  served.refused('403')
  expect(served.found()?.words).toMatch(/^403/u)
})

test('answers that cannot be read are counted again after the wait', () => {
  let time = 0
  const warning = createEarlyWarning({ maxUnreadable: 0.5, ...servedWarning({ now: () => time }) })
  const silent = { agent: 'a', answer: null, beliefs: null, text: 'no idea' }
  for (let turn = 0; turn < 20; turn++) warning.count([silent])
  expect(warning.found()?.words).toMatch(/20 of 20 answers could not be read, such as "no idea".*for five minutes/u)
  time += 5 * 60_000
  expect(warning.found()).toBeNull()
  warning.count([silent])
  expect(warning.found()).toBeNull()
})
