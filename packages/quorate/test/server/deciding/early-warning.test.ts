import { expect, test } from 'vitest'
import { ModelError } from '../../../src/model/model-error.ts'
import { createEarlyWarning, servedWarning } from '../../../src/run/early-warning.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'
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
    expect(views.at(-1)?.decision?.detail).toMatch(/No call is sent for five minutes\. Correct the key or the model/u)
    // The three agents of the first question.
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 12 })
  },
)

test('a refusal defers the questions that are being debated too', async () => {
  const first = await serveWorld()
  const long: (typeof FRESH)[number][] = []
  for (const question of FRESH) {
    const { id } = await first.services.decisions.ask(inputOf(question), ASKED)
    if (((await decided(first.services, id)).rounds ?? 0) > 1) long.push(question)
    if (long.length === 3) break
  }
  const refused = new AbortController()
  // The first rounds of two questions wait until the third question is refused.
  const { models } = countedModels(async (_, call) => {
    if (call > 6) throw new ModelError('key', '401 invalid key', { charged: 'no' })
    await timerSleep(60_000, refused.signal)
  })
  const { services } = await serveWorld({ models })
  const views = []
  for (const question of long) views.push(await services.decisions.ask(inputOf(question), ASKED))
  await decided(services, views[2]?.id ?? '')
  refused.abort()
  for (const { id } of views) {
    const { decision } = await decided(services, id)
    expect(decision).toMatchObject({ kind: 'defer', reason: 'agent-failure' })
    expect(decision?.detail).toContain('401 invalid key')
  }
})

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

test('the full stop of a provider is not repeated', () => {
  const [refused, unreached] = [createEarlyWarning({}), createEarlyWarning({})]
  refused.refused('401 You sent no key.')
  unreached.attempted('m', 'Circuit breaker open. Last error: no route.')
  unreached.failed('m')
  expect(refused.found()?.words).toMatch(/^401 You sent no key\. No further call is sent\./u)
  expect(unreached.found()?.words).toMatch(/ no route\. No further call is sent\./u)
})

test('answers that cannot be read are counted again after the wait', () => {
  let time = 0
  const warning = createEarlyWarning({ maxUnreadable: 0.5, ...servedWarning({ now: () => time }) })
  const silent = { agent: 'a', answer: null, beliefs: null, text: 'no idea' }
  for (let turn = 0; turn < 20; turn++) warning.count([silent])
  expect(warning.found()?.words).toMatch(/20 of 20 answers could not be read\. .*for five minutes/u)
  time += 5 * 60_000
  expect(warning.found()).toBeNull()
  warning.count([silent])
  expect(warning.found()).toBeNull()
})

test('only a command shows an answer that cannot be read, and its words to store have none', () => {
  const silent = { agent: 'a', answer: null, beliefs: null, text: 'no idea' }
  const [command, served] = [createEarlyWarning({}), createEarlyWarning(servedWarning({ now: () => 0 }))]
  for (const warning of [command, served]) for (let turn = 0; turn < 20; turn++) warning.count([silent])
  expect(command.found()?.wordsWithExample).toMatch(/^20 of 20 answers could not be read, such as "no idea"\. At most/u)
  expect(command.found()?.words).toMatch(/^20 of 20 answers could not be read\. At most/u)
  expect(served.found()?.wordsWithExample).toBe(served.found()?.words)
  expect(served.found()?.words).not.toContain('no idea')
})

test('the deferrals after unreadable answers repeat none of them, because they belong to other questions', async () => {
  const { models } = countedModels()
  const talking = new Map(
    [...models].map(([agent, { model, insist }]) => {
      const call: typeof model.call = async (request) => ({
        ...(await model.call(request)),
        text: 'Wolfhart carries it.',
      })
      return [agent, { model: { ...model, call }, insist }] as const
    }),
  )
  const { services, store } = await serveWorld({ models: talking })
  const views = []
  for (const question of FRESH.slice(0, 4)) {
    const { id } = await services.decisions.ask(inputOf(question), ASKED)
    views.push(await decided(services, id))
  }
  const last = views.at(-1)
  expect(last?.decision?.detail).toMatch(/ answers could not be read\. At most .*No call is sent for five minutes/u)
  expect(last?.decision?.detail).not.toContain('Wolfhart')
  const debate = await store.debates.find(last?.runId ?? '', last?.questionId ?? '')
  expect(debate?.debate).toContain('could not be read')
  expect(debate?.debate).not.toContain('Wolfhart')
})
