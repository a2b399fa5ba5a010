import { z } from 'zod'
import { pageOf } from '../../contract/page.ts'
import {
  assignReviewsSchema,
  changedReviewsSchema,
  nextReviewSchema,
  releaseClaimsSchema,
  releasedClaimsSchema,
  releaseReviewsSchema,
  requestedReviewsSchema,
  requestReviewsSchema,
  reviewItemSchema,
  reviewQuerySchema,
  reviewRowSchema,
  submitReviewSchema,
  submittedReviewSchema,
  undoneReviewSchema,
} from '../../contract/reviews.ts'
import type { Answer, Refusal } from '../../review/review-service.ts'
import { endpoint } from '../endpoint.ts'
import { orNotFound, ProblemError, type ProblemParts } from '../problem-response.ts'

const params = z.object({ id: z.string().min(1).max(200) })

export const reviewEndpoints = {
  'GET /v1/reviews': endpoint({
    query: reviewQuerySchema,
    answer: pageOf(reviewRowSchema),
    run: ({ query: { cursor = null, limit, status, assignedTo }, services }) =>
      services.reviews.list({
        cursor,
        limit,
        ...(status === undefined ? {} : { status }),
        ...(assignedTo === undefined ? {} : { assignedTo: assignedTo === '-' ? null : assignedTo }),
      }),
  }),
  'POST /v1/reviews/next': endpoint({
    answer: nextReviewSchema,
    run: async ({ who, services }) => done(await services.reviews.next(who)),
  }),
  'POST /v1/reviews/assign': endpoint({
    body: assignReviewsSchema,
    answer: changedReviewsSchema,
    run: async ({ body, who, services }) => done(await services.reviews.assign(body, who)),
  }),
  'POST /v1/reviews/release': endpoint({
    body: releaseReviewsSchema,
    answer: changedReviewsSchema,
    run: ({ body: { ids }, who, services }) => services.reviews.releaseItems(ids, who),
  }),
  'POST /v1/reviews/request': endpoint({
    body: requestReviewsSchema,
    answer: requestedReviewsSchema,
    run: ({ body: { debates }, who, services }) => services.reviews.request(debates, who),
  }),
  'GET /v1/reviews/{id}': endpoint({
    params,
    answer: reviewItemSchema,
    run: async ({ params: { id }, who, services }) => orNotFound(await services.reviews.find(id, who)),
  }),
  'POST /v1/reviews/{id}/claim': endpoint({
    params,
    answer: reviewItemSchema,
    run: async ({ params: { id }, who, services }) => done(await services.reviews.claim(id, who)),
  }),
  'POST /v1/reviews/{id}/submit': endpoint({
    params,
    body: submitReviewSchema,
    answer: submittedReviewSchema,
    run: async ({ params: { id }, body, who, services }) => done(await services.reviews.submit(id, who, body)),
  }),
  'POST /v1/reviews/{id}/skip': endpoint({
    params,
    answer: reviewItemSchema,
    run: async ({ params: { id }, who, services }) => done(await services.reviews.skip(id, who)),
  }),
  'POST /v1/reviews/{id}/release': endpoint({
    params,
    answer: reviewItemSchema,
    run: async ({ params: { id }, who, services }) => done(await services.reviews.release(id, who)),
  }),
  'POST /v1/reviews/{id}/undo': endpoint({
    params,
    answer: undoneReviewSchema,
    run: async ({ params: { id }, who, services }) => done(await services.reviews.undo(id, who)),
  }),
  'POST /v1/claims/release': endpoint({
    body: releaseClaimsSchema,
    answer: releasedClaimsSchema,
    run: ({ body: { reviewer }, who, services }) => services.reviews.releaseClaims(reviewer, who),
  }),
}

function done<Value>(answer: Answer<Value>): Value {
  if (answer.kind === 'done') return answer.value
  throw new ProblemError(refusalParts(answer))
}

function refusalParts(refusal: Refusal): ProblemParts {
  switch (refusal.kind) {
    case 'not-found':
      return { status: 404, detail: 'Not found: no item has this id.' }
    case 'claimed-by-other': {
      const { claimedBy, claimedUntil } = refusal
      const until = new Date(claimedUntil).toISOString()
      return { status: 409, detail: `${claimedBy} has it until ${until}.`, next: 'Use POST /v1/reviews/next.' }
    }
    case 'assigned-to-other': {
      const { assignedTo, dueAt } = refusal
      const until = dueAt === null ? '' : ` until ${new Date(dueAt).toISOString()}`
      const next = 'Use POST /v1/reviews/next, or ask an admin to assign it to you.'
      return { status: 409, detail: `It is assigned to ${assignedTo}${until}.`, next }
    }
    case 'unknown-person': {
      const expected = `one of the people who may review: ${JSON.stringify(refusal.people)}`
      return { status: 422, detail: 'No such person may review.', errors: [{ field: 'assignedTo', expected }] }
    }
    case 'not-yours':
      return { status: 409, detail: notYours(refusal.claimedBy), next: 'Claim it first.' }
    case 'already-submitted':
      return { status: 409, detail: `It is already ${refusal.status}.`, next: 'Use POST /v1/reviews/next.' }
    case 'knows-panel': {
      const detail =
        "You have seen the panel's answer or already reviewed this question: another person must review it."
      return { status: 409, detail, next: 'Use POST /v1/reviews/next.' }
    }
    case 'too-many-claims': {
      const { claimed, most } = refusal
      const detail = `You have claimed ${claimed.length} items, and one token may claim ${most} at once: ${claimed.join(', ')}.`
      const next = 'Submit or skip one of them, or put it back with POST /v1/reviews/{id}/release.'
      return { status: 409, detail, next }
    }
    case 'claim-used-up': {
      const again = new Date(refusal.again).toISOString()
      const detail = `You have had this item for as long as one person may. It goes to others until ${again}.`
      return { status: 409, detail, next: 'Use POST /v1/reviews/next.' }
    }
    case 'not-submitted':
      return { status: 409, detail: 'Nothing was submitted, so there is nothing to undo.' }
    case 'unknown-option': {
      const expected = `one of ${JSON.stringify(refusal.options)}`
      return {
        status: 422,
        detail: 'The question has no such option.',
        errors: [{ field: 'outcome.option', expected }],
      }
    }
    case 'wrong-outcome': {
      const expected = `an outcome of the kind ${refusal.expected}, cannot-tell or bad-question`
      return { status: 422, detail: 'The item asks for something else.', errors: [{ field: 'outcome.kind', expected }] }
    }
    case 'unreadable-answer':
      return {
        status: 422,
        detail: 'The answer cannot be read.',
        errors: [{ field: 'outcome.text', expected: refusal.form }],
      }
    case 'ungraded': {
      const expected = `one grade for each of ${JSON.stringify(refusal.candidates)}`
      return {
        status: 422,
        detail: 'Not every answer is graded once.',
        errors: [{ field: 'outcome.grades', expected }],
      }
    }
    case 'machine':
      return { status: 403, detail: 'A machine may not decide what is right, so it may not claim items.' }
  }
}

function notYours(claimedBy: string | null): string {
  return claimedBy === null ? 'Nobody has claimed it.' : `${claimedBy} has claimed it.`
}
