import { sha256 } from '@quorate/certificate'

/** Milliseconds and counter of a UUID of version 7, `018f3c2a-9b1e-7abc`: reviews are then in the order of their decisions. */
const ORDERING = 18

/**
 * The id of the item that a decision has in the queue: the same for the same decision, so that it is added once, and its
 * last 62 bits lead back to no decision, so that who has the item cannot ask for what was decided.
 */
export function reviewIdOf(decisionId: string): string {
  const digest = sha256(`review of ${decisionId}`)
  const variant = ((Number.parseInt(digest.slice(0, 1), 16) % 4) + 8).toString(16)
  return `${decisionId.slice(0, ORDERING)}-${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}`
}
