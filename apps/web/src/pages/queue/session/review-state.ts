import type { QueueProgress, ReviewItem, ReviewOutcome } from 'quorate/contract'

/** What the reviewer has chosen and written, but not submitted. */
export interface Draft {
  readonly outcome: ReviewOutcome | null
  readonly note: string
}

export const EMPTY_DRAFT: Draft = { outcome: null, note: '' }

/** An item that this reviewer has claimed. */
export interface Claim {
  readonly item: ReviewItem
  readonly draft: Draft
  /** Time left on the claim at its first check, in milliseconds; null before that. */
  readonly claimMs: number | null
  /** When the claim began or was renewed, by the clock of this machine. */
  readonly claimedAt: number
  readonly isExpired: boolean
}

/** An item that was submitted in this tab. The evidence of a blind item arrives when it can no longer be undone. */
export interface Submission {
  readonly item: ReviewItem
  readonly outcome: ReviewOutcome
  readonly note: string
  /** By the clock of this machine. The server accepts an undo for slightly longer. */
  readonly undoUntil: number
  readonly isRetracted: boolean
}

/** Whether this is a blind item whose source and panel answer the server has not revealed yet. */
export function isUnrevealed({ item, isRetracted }: Submission): boolean {
  return item.isBlind && item.source === null && !isRetracted
}

export type Place =
  /** The session has not started. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'taking' }
  | { readonly kind: 'item'; readonly claim: Claim }
  /** The server has no item for this reviewer. */
  | { readonly kind: 'none' }
  /** The reviewer put the item back. The next one is claimed only on their request. */
  | { readonly kind: 'resting' }
  /** Somebody else has the item, or it is done. `item` is its present state, if known. */
  | { readonly kind: 'taken'; readonly item: ReviewItem | null; readonly detail: string }
  /** No item has this id. */
  | { readonly kind: 'missing'; readonly id: string }
  | { readonly kind: 'failed'; readonly error: unknown; readonly id: string | null }

export type Work = 'submit' | 'skip' | 'release' | 'claim' | 'undo'

export interface ReviewState {
  readonly place: Place
  /** The work under way, if any. No other work starts meanwhile. */
  readonly work: Work | null
  /** Why the last work failed, if it did. The item and the draft are unchanged. */
  readonly problem: { readonly work: Work; readonly error: unknown } | null
  /** A second claim, to return to afterwards. */
  readonly aside: Claim | null
  /** Latest first. */
  readonly submissions: readonly Submission[]
  readonly progress: QueueProgress | null
  /** For the status line and screen readers. */
  readonly news: News | null
}

/** What just happened. `count` distinguishes two equal events. */
export interface News {
  readonly kind: 'submitted' | 'undone' | 'retracted' | 'skipped' | 'came-back' | 'released' | 'claimed' | 'expired'
  readonly count: number
}

export const FRESH_STATE: ReviewState = {
  place: { kind: 'fresh' },
  work: null,
  problem: null,
  aside: null,
  submissions: [],
  progress: null,
  news: null,
}

export function claimOf({ place }: ReviewState): Claim | null {
  return place.kind === 'item' ? place.claim : null
}
