import { expect, test } from 'vitest'
import type { Identity } from '../../../src/server/access/identity.ts'
import { verified } from './verified.ts'
import { ANN, decided, FRESH, inputOf, serveWorld } from './world.ts'

const CHIEF: Identity = { name: 'chief', role: 'admin', kind: 'human', isLocal: false }

test('a ledger with every change that an admin makes to reviews verifies', async () => {
  const { services, store } = await serveWorld()
  const asked = FRESH.slice(0, 8).map((question) =>
    services.decisions.ask(inputOf(question), { who: ANN, idempotencyKey: null }),
  )
  const views = await Promise.all((await Promise.all(asked)).map(({ id }) => decided(services, id)))
  const runId = views[0]?.runId ?? ''
  const acted = views.find(({ decision }) => decision?.kind === 'act')
  const items = await store.reviews.list({ after: null, limit: 99 })
  const [waiting] = items
  if (acted === undefined || waiting === undefined) throw new Error('the world should act once and defer once')

  await services.reviews.request([{ runId, questionId: acted.questionId }], CHIEF)
  await services.reviews.assign({ ids: [waiting.id], dueAt: 1_790_000_000_000 }, CHIEF)
  await services.reviews.claim(waiting.id, ANN)
  await services.reviews.releaseItems([waiting.id], CHIEF)

  const rows = await store.ledger.list(runId, { after: 0, limit: 100 })
  const kinds = rows.map(({ line }) => JSON.parse(line).kind)
  expect(kinds).toEqual(expect.arrayContaining(['review-requested', 'review-assigned', 'claim-released']))
  expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: views.length })
})
