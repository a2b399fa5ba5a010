import { expect, test } from 'vitest'
import { ModelError } from '../../../../src/model/model-error.ts'
import { withDetail } from '../../../../src/server/deciding/views/deferral-detail.ts'
import { countedModels } from '../../../run/run-world.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, serveWorld } from '../world.ts'

const FIGURES = { reasonText: null, answer: null, round: 0, bound: null, threshold: 0.9, path: [] }
const FACTS = { fingerprint: { agents: [['ada', 'bob']], rounds: 1 }, agents: [], mismatch: [], failure: null }

test('a panel of other agents gets the agents of the certificate and its own in the detail', async () => {
  const { debates } = await calibrated()
  const { services } = await serveWorld()
  const [debate] = debates
  if (debate === undefined) throw new Error('no debate')
  const input = certifyInput(debate, 1, { id: 'strangers' })
  const rounds = input.rounds.map((turns) => turns.map((turn, seat) => ({ ...turn, agent: `agent-${seat}` })))
  const answer = await services.certify({ ...input, rounds }, ANN)
  const detail = 'the certificate is for the agents ada, bob, cleo, but round 1 has agent-0, agent-1, agent-2'
  expect(answer).toMatchObject({ kind: 'defer', reason: 'uncalibrated', detail })
  const view = await services.decisions.find(answer.decisionId, { waitMs: 0, signal: new AbortController().signal })
  expect(view?.decision).toMatchObject({ reason: 'uncalibrated', detail })
})

test('an agent that failed is named with its round and its error, at once and from the store', async () => {
  const { models } = countedModels(async (agent) => {
    if (agent === 'cleo') throw new ModelError('request', 'the key was refused', { charged: 'no' })
  })
  const { services, store } = await serveWorld({ models })
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const { id } = await services.decisions.ask(inputOf(question), { who: ANN, idempotencyKey: null })
  const detail = 'agent cleo failed in round 1: the key was refused'
  const view = await decided(services, id)
  expect(view?.decision).toMatchObject({ reason: 'agent-failure', detail })
  const later = await services.decisions.find(id, { waitMs: 0, signal: new AbortController().signal })
  expect(later?.decision).toMatchObject({ detail })
  const asked = { who: ANN, isRevealed: true }
  const debate = await services.debates.find(view?.runId ?? '', question.id, asked)
  expect(debate?.verdict).toMatchObject({ detail })
  await store.redact(question.id)
  const redacted = await services.debates.find(view?.runId ?? '', question.id, asked)
  expect(redacted?.verdict?.detail).toBe('agent cleo failed in round 1')
})

test.each([
  ['uncalibrated', { mismatch: ['models', 'prompts'] }, 'it differs in models, prompts'],
  ['uncalibrated', { agents: [['ada', 'bob'], ['ada']] }, 'not of the kind'],
  ['agent-failure', { failure: { agent: null, round: 2 } }, 'an agent failed in round 2'],
] as const)('%s of %j says: %s', (reason, facts, words) => {
  const figures = { ...FIGURES, kind: 'defer' as const, reason }
  expect(withDetail(figures, { ...FACTS, ...facts }).detail).toContain(words)
})

test('a judgement has no detail', () => {
  const figures = { ...FIGURES, kind: 'defer' as const, reason: 'bound-low' as const }
  expect(withDetail(figures, FACTS)).toBe(figures)
})
