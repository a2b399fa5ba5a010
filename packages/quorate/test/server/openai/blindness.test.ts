import { expect, test } from 'vitest'
import { ask, bearer } from '../ask.ts'
import { serveBlind } from '../deciding/views/blind-server.ts'
import { chatBody, QUESTIONS } from './model-world.ts'

const SOME = QUESTIONS.slice(0, 8)

async function answersTo(kind: 'human' | 'machine', spotCheckRate: number) {
  const served = await serveBlind(spotCheckRate)
  const headers = bearer(await served.token('reviewer', kind))
  const answers = []
  for (const question of SOME) {
    const body = JSON.stringify({ ...chatBody(question), metadata: { quorate_id: question.id } })
    const { text, headers: sent } = await ask(served.port, '/v1/chat/completions', { method: 'POST', headers, body })
    answers.push({ ...JSON.parse(text), sentKind: sent['x-quorate-kind'] })
  }
  return { answers, served }
}

test('a program gets the same answer of a spot check as of any other action, and nothing that distinguishes them', async () => {
  const [sampled, plain] = [await answersTo('machine', 1), await answersTo('machine', 0)]
  const announced = ({ answers }: typeof sampled) =>
    answers.map(({ choices, quorate, sentKind }) => {
      const { decisionId, reviewId, ...figures } = quorate
      const { content, refusal } = choices[0].message
      return { content, refusal: refusal?.replace(decisionId, 'ID'), hasReview: reviewId !== null, figures, sentKind }
    })
  expect(announced(sampled)).toEqual(announced(plain))
  const acted = sampled.answers.filter(({ quorate }) => quorate.kind === 'act')
  expect(acted.length).toBeGreaterThan(0)
  // A sampled action has a review item, which is not named.
  for (const { quorate } of acted) expect(quorate.reviewId).toBeNull()
})

test('a person gets no answer of a question that a blind item hides: spot checks and deferrals read the same', async () => {
  const { answers, served } = await answersTo('human', 1)
  for (const { choices, quorate, sentKind } of answers) {
    expect(sentKind).toBe('hidden')
    expect(choices[0].message.content).toBeNull()
    expect(quorate).toMatchObject({ kind: 'hidden', bound: null, threshold: null, reason: null, reviewId: null })
    expect(choices[0].message.refusal.replace(quorate.decisionId, 'ID')).toBe(
      'Hidden until it is reviewed. See decision ID.',
    )
  }
  // If it could be asked under another id, the panel would reveal what the item hides.
  const headers = bearer(await served.token('reviewer', 'human', 'another'))
  const [question] = SOME
  if (question === undefined) throw new Error('no question')
  const twin = await ask(served.port, '/v1/chat/completions', {
    method: 'POST',
    headers,
    body: JSON.stringify(chatBody(question)),
  })
  expect(twin.status).toBe(409)
})
