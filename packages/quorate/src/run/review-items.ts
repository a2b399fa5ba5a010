import { decisionSchema } from '../record/decision.ts'
import { parseStored } from '../record/parse-stored.ts'
import { StoreError } from '../record/store-error.ts'
import type { Review, Store } from '../store/store.ts'
import { reviewOf } from './decision-record.ts'
import { decisionsOf } from './pages.ts'
import { findReviewOf } from './review-id.ts'

/** Adding it again changes nothing. */
export async function addReview(store: Store, review: Review): Promise<void> {
  try {
    await store.reviews.add(review)
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'exists')) throw error
  }
}

const drawnSchema = decisionSchema.pick({ isDrawn: true, path: true })

/** The item that a killed process had no time to add after its last decisions. */
export async function addMissingReviews(store: Store, runId: string, newSalt: () => string): Promise<void> {
  for await (const decision of decisionsOf(store, runId)) {
    const { isDrawn, path } = parseStored(drawnSchema, decision.decision, `decision ${decision.id}`)
    const review = reviewOf({ ...decision, isDrawn, path }, newSalt())
    if (review !== null && (await findReviewOf(store, decision.id)) === null) await addReview(store, review)
  }
}
