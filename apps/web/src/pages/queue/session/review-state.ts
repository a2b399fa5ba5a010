import type { QueueProgress, ReviewItem, ReviewOutcome } from 'quorate/contract'

/** What the reviewer has chosen and written so far. */
export interface Draft {
  readonly outcome: ReviewOutcome | null
  readonly note: string
}

export const EMPTY_DRAFT: Draft = { outcome: null, note: '' }

/** An item that is locked for this reviewer. */
export interface Claim {
  readonly item: ReviewItem
  readonly draft: Draft
  /** How long the lock was when it was first looked at; null before. */
  readonly lockMs: number | null
  /** By the clock of this machine. */
  readonly lockedAt: number
  readonly isExpired: boolean
}

/** An item that was submitted here, with its evidence; of a blind one that comes when it can no longer be undone. */
export interface Submission {
  readonly item: ReviewItem
  readonly outcome: ReviewOutcome
  readonly note: string
  /** By the clock of this machine; the server allows it a little longer. */
  readonly undoUntil: number
  readonly isRetracted: boolean
}

/** A blind item of which the server has not told yet where it came from and what the panel said. */
export function isUnrevealed({ item, isRetracted }: Submission): boolean {
  return item.isBlind && item.source === null && !isRetracted
}

export type Place =
  /** Nothing was asked yet. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'taking' }
  | { readonly kind: 'item'; readonly claim: Claim }
  /** The server had nothing for this reviewer. */
  | { readonly kind: 'none' }
  /** Put back: nothing is taken before the reviewer says so. */
  | { readonly kind: 'resting' }
  /** Somebody else has it, or it is done; `item` as it is now, where that is known. */
  | { readonly kind: 'taken'; readonly item: ReviewItem | null; readonly detail: string }
  | { readonly kind: 'failed'; readonly error: unknown; readonly id: string | null }

export type Work = 'submit' | 'skip' | 'release' | 'claim' | 'undo'

export interface ReviewState {
  readonly place: Place
  /** What is under way: nothing else begins meanwhile. */
  readonly work: Work | null
  /** What the last thing tried came to grief with; the item and the draft are as they were. */
  readonly problem: { readonly work: Work; readonly error: unknown } | null
  /** Held as well, to come back to. */
  readonly aside: Claim | null
  /** Latest first. */
  readonly submissions: readonly Submission[]
  readonly progress: QueueProgress | null
  /** For the status line and screen readers. */
  readonly news: News | null
}

/** What just happened; `count` tells two alike apart. */
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
