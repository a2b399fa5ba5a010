import type { ReviewRecord } from '../../record/review.ts'
import type { OutboxMessage } from '../outbox.ts'
import type { LedgerEntry, Millis, StoredLabel } from '../store.ts'

/** A new review item. Without a distance it comes last in the open list. */
export interface Review
  extends Pick<
    ReviewRecord,
    'id' | 'runId' | 'questionId' | 'source' | 'reason' | 'createdAt' | 'status' | 'claimedBy' | 'claimedUntil'
  > {
  /** JSON of the outcome. */
  readonly outcome: string | null
  readonly distance?: number | null
  /**
   * A secret random number, uniform in [0, 1), that determines whether a deferral is reviewed blind. Absent: it is blind. Spot
   * checks always are.
   */
  readonly chance?: number
  /** The list of an item that replaces another one. Absent: `source` and `chance` determine the list. */
  readonly list?: ReviewList
  /** Id of the first reading, for a further reading of the same item. Absent: this is the first reading. */
  readonly root?: string
  readonly part?: number
}

/** `list` is secret while the item waits, because an item of the open list is no spot check. */
export type StoredReview = Omit<ReviewRecord, 'outcome'> & { readonly outcome: string | null }

export type ReviewList = ReviewRecord['list']

export interface Claim {
  readonly reviewer: string
  readonly now: Millis
  readonly claimMs: number
  /** The most items that one reviewer may have claimed at a time. Absent: no limit. */
  readonly maxClaims?: number
  /** How long one reviewer may keep an item in total, however often they renew the claim. Absent: no limit. */
  readonly maxTotalMs?: number
}

export interface NextClaim extends Claim {
  /** The list to search first for the claim with this number, from 0. Must be pure, because a retry calls it again. */
  readonly slot: (number: number) => ReviewList
}

export interface ClaimRelease {
  readonly reviewer: string
  readonly now: Millis
  /** The ledger entry of each released item. */
  readonly entryOf: (review: StoredReview) => LedgerEntry
}

/** An admin's change to items. An absent field stays unchanged, and null clears it. */
export interface Assignment {
  readonly ids: readonly string[]
  readonly assignedTo?: string | null
  readonly dueAt?: Millis | null
  /** The ledger entry of each item that changes. */
  readonly entryOf: (review: StoredReview) => LedgerEntry
}

export interface ItemsRelease {
  readonly ids: readonly string[]
  readonly now: Millis
  /** The ledger entry of each released claim. */
  readonly entryOf: (review: StoredReview, claimant: string) => LedgerEntry
}

/** The outcome for one id. `missing`: no item has this id. `closed`: the item is submitted or retracted. */
export type BulkOutcome = 'changed' | 'unchanged' | 'closed' | 'missing'

/** An action that a person sends to review. */
export interface ReviewRequest {
  readonly review: Review
  readonly entry: LedgerEntry
}

export interface Submission {
  readonly id: string
  readonly reviewer: string
  readonly outcome: string
  readonly note: string | null
  readonly at: Millis
  readonly undoUntil: Millis
  readonly label: StoredLabel
  readonly entry: LedgerEntry
  /** Sent not before `undoUntil`. Their `subject` is the id of the review. */
  readonly messages: readonly OutboxMessage[]
  /** For an item that several people review. Absent: one person reviews it. */
  readonly joint?: JointReading
}

/** How the answers of several people to one item are combined. */
export interface JointReading {
  /** Combines all answers that are not undone or retracted, including this one. */
  readonly resolve: (reviews: readonly StoredReview[]) => Resolved
  /** Id of the item for the next person, if another reading is needed. */
  readonly nextId: string
}

export interface Resolved {
  readonly label: Required<Pick<StoredLabel, 'gold' | 'verdict' | 'grades' | 'text' | 'by'>>
  /** The reading that is needed next; null: none. */
  readonly nextPart: number | null
}

export interface Undoing {
  readonly id: string
  /** Only a review by this reviewer may be undone; null: a review by anybody (an admin's right). */
  readonly reviewer: string | null
  /** The person who undoes it. */
  readonly by: string
  /** Identifies the submission to undo. Refused if the review has been submitted again since. */
  readonly submittedAt: Millis
  readonly now: Millis
  /** For this long after an undo, the item is claimed by the reviewer who submitted it. */
  readonly claimMs: number
  readonly undone: LedgerEntry
  readonly retracted: LedgerEntry
  readonly retraction: readonly OutboxMessage[]
  /** Combines the answers of others to the same item, without this one. */
  readonly resolve: JointReading['resolve']
  /** Id of the new item with which the question waits again after a retraction, because its label no longer counts. */
  readonly replacementId: string
}

/** `refused`: nothing was written, because of the current state of the review; null: there is no such review. */
export type Changed<Kind extends string> =
  | { readonly kind: Kind; readonly review: StoredReview }
  | { readonly kind: 'refused'; readonly review: StoredReview | null }

/** Questions of one run or, without `runId`, of any run. */
export interface HiddenAmong {
  readonly questionIds: readonly string[]
  readonly runId?: string
  readonly now: Millis
}

export interface HidingPage {
  /** Only items of this run. Absent: of all runs. */
  readonly runId?: string
  readonly status: 'waiting' | 'submitted'
  /** Id of the last item of the previous page. */
  readonly after: string | null
  readonly limit: number
  readonly now: Millis
}

export interface HidingItem {
  readonly id: string
  readonly questionId: string
  /** JSON; null once erased. */
  readonly question: string | null
}

/** A person who knows the panel's answer to a question. */
export interface Viewer {
  readonly runId: string
  readonly questionId: string
  readonly reviewer: string
}

export interface QueueCounts {
  readonly waiting: number
  readonly submitted: number
  /** Submitted by this reviewer since the given time, and not undone or retracted. */
  readonly mine: number
  readonly oldestAt: Millis | null
}

/**
 * The review queue. Free items are in two lists, which an index keeps in order.
 *
 * - The blind list has the spot checks and a share of the deferrals: at least half of them, and more if spot checks are
 *   frequent. A secret random number chooses them when an item is added. The list is ordered by age alone, so that neither
 *   the order nor being blind reveals what an item is.
 * - The open list has the other deferrals, ordered by distance, and after them the items that people sent to review.
 *
 * An assigned item is in neither list. Its person gets it before all other items, the earliest due date first. Anybody gets it
 * from its due date on, or if its person cannot claim it and nothing else is free.
 */
export interface ReviewStore {
  find(id: string): Promise<StoredReview | null>
  /** The latest item about a question. */
  latestOf(runId: string, questionId: string): Promise<StoredReview | null>
  /** Those of the questions that are hidden from people, by an item of the queue or because they are still in debate. */
  hidden(among: HiddenAmong): Promise<ReadonlySet<string>>
  /** Items that hide their questions from people, with the questions, by id. */
  hiding(page: HidingPage): Promise<readonly HidingItem[]>
  /** Records that this person knows the panel's answer, so they get no more blind items about the question. */
  sawPanel(viewer: Viewer): Promise<void>
  /** By id. */
  list(page: {
    readonly after: string | null
    readonly limit: number
    readonly status?: Review['status']
    /** Only items assigned to this person; null: to nobody. Without a `status` it selects waiting items only. */
    readonly assignedTo?: string | null
  }): Promise<readonly StoredReview[]>
  /** Compare and set. False: the item has changed since `expected` was read. */
  update(
    id: string,
    expected: Pick<Review, 'status' | 'claimedBy' | 'claimedUntil'>,
    next: Partial<Pick<Review, 'status' | 'claimedBy' | 'claimedUntil' | 'outcome'>>,
  ): Promise<boolean>
  /**
   * Claims the next free item for the reviewer. Items that the reviewer skipped come back, the one skipped longest ago first,
   * after all items that waited in the same list at that time were offered, or when nothing else is free. A blind item that
   * was skipped more than three times in total comes first in its list for everybody. Null: nothing is free, or the reviewer
   * has as many claims as allowed.
   *
   * A reviewer who has seen the panel's answer gets the item only if nobody else can, and then not blind.
   */
  claimNext(claim: NextClaim): Promise<StoredReview | null>
  /**
   * Claims this item, or renews the reviewer's claim. Refused if another reviewer has claimed it or should review it, if it is
   * submitted, if the reviewer has as many claims as allowed, or if the reviewer has had it for as long as allowed. In the last
   * case others come first for `claimMs`.
   */
  claim(id: string, claim: Claim): Promise<Changed<'claimed'>>
  /** Releases the reviewer's claim. `skip`: the reviewer is offered other items first. */
  release(
    id: string,
    claimant: { readonly reviewer: string; readonly now: Millis; readonly skip: boolean },
  ): Promise<Changed<'released'>>
  /** Releases all claims of a reviewer, with one ledger row each. */
  releaseClaims(release: ClaimRelease): Promise<readonly StoredReview[]>
  /** Sets who is to review each item, and by when. An item that would not change is not written. */
  assign(assignment: Assignment): Promise<ReadonlyMap<string, BulkOutcome>>
  /** Releases the claims on these items, with one ledger row each. */
  releaseItems(release: ItemsRelease): Promise<ReadonlyMap<string, BulkOutcome>>
  /** Adds items for questions that have no waiting or submitted item, and returns the number added. */
  request(requests: readonly ReviewRequest[]): Promise<number>
  /** Claims of a reviewer, in the order in which they expire. */
  claimsOf(claimant: { readonly reviewer: string; readonly now: Millis }): Promise<readonly StoredReview[]>
  /**
   * Writes outcome, label, ledger entry and messages in one commit, if the review waits and its last claim is the reviewer's. A
   * repeated submission of the same outcome by the same reviewer is `repeated` and writes nothing.
   */
  submit(submission: Submission): Promise<Changed<'submitted' | 'repeated'>>
  /**
   * Before `undoUntil`, and if no message about it has been sent, the submission is removed everywhere but in the ledger. After
   * that it is retracted: its label is kept but no longer counts, the retraction is sent, and the question waits as a new item.
   * Undoing a retracted review again changes nothing.
   */
  undo(undoing: Undoing): Promise<Changed<'undone' | 'retracted'>>
  /** Answers to items that two or more people have reviewed and that can no longer be undone, by item and reading. */
  jointAnswers(now: Millis): Promise<readonly StoredReview[]>
  /** The number of reviews submitted by this reviewer since the given time, and not undone or retracted. */
  answered(of: { readonly reviewer: string; readonly since: Millis }): Promise<number>
  counts(of: { readonly reviewer: string; readonly since: Millis }): Promise<QueueCounts>
}
