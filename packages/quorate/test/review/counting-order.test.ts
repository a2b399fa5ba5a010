import { expect, test } from 'vitest'
import { openedSqlite } from '../store/opened.ts'
import { addReview, saveDecision } from '../store/rows.ts'
import { sampleDebate, sampleDecision, sampleEntry, sampleReview, sampleRun } from '../store/samples.ts'

/** A batch of ten spot checks that were not decided in their order of arrival. */
async function filled() {
  const store = openedSqlite(':memory:', { now: () => 0 })
  const certificateId = 'certificate'
  await store.certificates.save({ id: certificateId, file: '{}', at: 0, runId: null })
  const run = sampleRun({ kind: 'decide', certificateId })
  const ids = Array.from({ length: 10 }, (_, position) => `q${position}`)
  const counted = { spotCheckRate: 1, at: 5 }
  const questions = ids.map((questionId, position) => {
    return { position, questionId, question: JSON.stringify({ id: questionId }), isSpotCheck: true, counted }
  })
  await store.runs.create(run, questions)
  for (const [number, questionId] of ids.entries()) {
    const id = sampleReview(number).id
    const decision = sampleDecision(number, questionId, { id, kind: 'act', answer: 'A', reason: null, certificateId })
    await saveDecision(store, decision, sampleDebate(questionId), sampleEntry({ texts: [] }))
    await addReview(store, sampleReview(number, { questionId, source: 'spot-check', createdAt: 100 + number }))
  }
  return { store, certificateId }
}

test('spot checks are claimed in the order in which the monitor counts them', async () => {
  const { store, certificateId } = await filled()
  const arrived = await store.runs.spotChecks({ certificateId, after: 0, limit: 99 })
  const handedOut: string[] = []
  for (let at = 0; at < arrived.length; at++) {
    const review = await store.reviews.claimNext({ reviewer: 'ann', now: 200, claimMs: 1000, slot: () => 'blind' })
    handedOut.push(review?.questionId ?? '')
  }
  expect(handedOut).toEqual(arrived.map(({ questionId }) => questionId))
  expect(handedOut, 'the order of the decisions is another one').not.toEqual(handedOut.toSorted())
  await store.close()
})
