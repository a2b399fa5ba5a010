import type { ReviewRecord } from '../../record/review.ts'
import type { OutboxMessage } from '../outbox.ts'
import type { LedgerEntry, Millis, StoredLabel } from '../store.ts'

/** A review as it is added. Without a distance it comes last. */
export interface Review
  extends Pick<
    ReviewRecord,
    'id' | 'runId' | 'questionId' | 'source' | 'reason' | 'createdAt' | 'status' | 'assignee' | 'lockedUntil'
  > {
  /** JSON of the outcome. */
  readonly outcome: string | null
  readonly distance?: number | null
  /**
   * A secret number from 0 to below 1, chosen evenly: whether a deferral is reviewed blind follows from it. Absent: it is.
   * Spot checks always are.
   */
  readonly chance?: number
  /** Of an item that takes the place of another one. Absent: the coin says. */
  readonly list?: ReviewList
  /** Of another reading of an item. Absent: it is the first. */
  readonly root?: string
  readonly part?: number
}

/** `list` is secret while it waits: an item of the open list is a deferral. */
export type StoredReview = Omit<ReviewRecord, 'outcome'> & { readonly outcome: string | null }

export type ReviewList = ReviewRecord['list']

export interface Claim {
  readonly reviewer: string
  readonly now: Millis
  readonly lockMs: number
  /** Items that one reviewer may hold at once. Absent: any number. */
  readonly maxClaims?: number
  /** How long one reviewer may hold an item in all, however often it is claimed again. Absent: for ever. */
  readonly maxTotalMs?: number
}

export interface NextClaim extends Claim {
  /** The list to look at first, at the hand-out with this number, from 0; pure, as it may be asked again. */
  readonly slot: (number: number) => ReviewList
}

export interface ClaimRelease {
  readonly reviewer: string
  readonly now: Millis
  /** What the ledger says of each item that is put back. */
  readonly entryOf: (review: StoredReview) => LedgerEntry
}

/** What an admin says about items. An absent field stays as it is, null takes it away. */
export interface Assignment {
  readonly ids: readonly string[]
  readonly assignedTo?: string | null
  readonly dueAt?: Millis | null
  /** What the ledger says of each item that changes. */
  readonly entryOf: (review: StoredReview) => LedgerEntry
}

export interface Unlocking {
  readonly ids: readonly string[]
  readonly now: Millis
  /** The ledger entry of each released claim. */
  readonly entryOf: (review: StoredReview, holder: string) => LedgerEntry
}

/** Of each id what became of it: `missing` has no item, `closed` is submitted or retracted. */
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
  /** Sent at `undoUntil` at the earliest; their `subject` is the review's id. */
  readonly messages: readonly OutboxMessage[]
  /** Of an item that several people read. Absent: one person does. */
  readonly joint?: JointReading
}

/** What several people's answers to one item come to. */
export interface JointReading {
  /** Of all answers that stand, this one included. */
  readonly resolve: (reviews: readonly StoredReview[]) => Resolved
  /** Id of the item for the next person, if there has to be one. */
  readonly nextId: string
}

export interface Resolved {
  readonly label: Required<Pick<StoredLabel, 'gold' | 'verdict' | 'grades' | 'text' | 'by'>>
  /** The reading that is needed next; null: none. */
  readonly nextPart: number | null
}

export interface Undoing {
  readonly id: string
  /** Only a review by this reviewer; null: by anybody (an admin's right). */
  readonly reviewer: string | null
  /** Who undoes it. */
  readonly by: string
  /** What is undone, as it was read: refused if the review is another by now. */
  readonly submittedAt: Millis
  readonly now: Millis
  /** Undone: it is back in the hands of who submitted it for this long. */
  readonly lockMs: number
  readonly undone: LedgerEntry
  readonly retracted: LedgerEntry
  readonly retraction: readonly OutboxMessage[]
  /** What the answers of others to the same item come to without this one. */
  readonly resolve: JointReading['resolve']
  /** Retracted: the question waits again as a new item under this id, since its label counts no more. */
  readonly replacementId: string
}

/** `refused`: nothing was written, for what the review is now; null: there is none. */
export type Changed<Kind extends string> =
  | { readonly kind: Kind; readonly review: StoredReview }
  | { readonly kind: 'refused'; readonly review: StoredReview | null }

/** Questions of this run, or without one of any run. */
export interface HiddenAmong {
  readonly questionIds: readonly string[]
  readonly runId?: string
  readonly now: Millis
}

export interface HidingPage {
  /** Of this run alone. */
  readonly runId?: string
  readonly status: 'waiting' | 'submitted'
  /** The last item's id of the page before. */
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

/** Somebody who knows what the panel answered. */
export interface Viewer {
  readonly runId: string
  readonly questionId: string
  readonly reviewer: string
}

export interface QueueCounts {
  readonly waiting: number
  readonly submitted: number
  /** Submitted by this reviewer since then, not undone or retracted. */
  readonly mine: number
  readonly oldestAt: Millis | null
}

/**
 * The queue. Free items stand in two lists that an index holds in order. Spot checks stand in the blind list, and so does
 * a share of the deferrals, chosen by a secret coin when the item is added: at least half of them, and more where spot
 * checks are frequent. The blind list is handed out by age alone, so that neither the order nor being blind says what an
 * item is. The other deferrals stand in the open list, by their distance, and after them what people sent to review.
 * What is assigned stands in neither: its person gets it before all else, the earliest due date first. From its due date
 * on, and where its person cannot take it and nothing else is free, anybody gets it.
 */
export interface ReviewStore {
  add(review: Review): Promise<void>
  find(id: string): Promise<StoredReview | null>
  /** The latest item about a question. */
  latestOf(runId: string, questionId: string): Promise<StoredReview | null>
  /** Those of the questions whose panel is hidden from people by an item of the queue. */
  hidden(among: HiddenAmong): Promise<ReadonlySet<string>>
  /** Items that hide their questions from people, with what is asked; by id. */
  hiding(page: HidingPage): Promise<readonly HidingItem[]>
  /** Written down: this person gets no more blind items about the question. */
  sawPanel(viewer: Viewer): Promise<void>
  /** By id. */
  list(page: {
    readonly after: string | null
    readonly limit: number
    readonly status?: Review['status']
    /** Only what is assigned to this person, null: to nobody; of waiting items unless a status is named. */
    readonly assignedTo?: string | null
  }): Promise<readonly StoredReview[]>
  /** Compare and set: false when the item changed since `expected` was read. */
  update(
    id: string,
    expected: Pick<Review, 'status' | 'assignee' | 'lockedUntil'>,
    next: Partial<Pick<Review, 'status' | 'assignee' | 'lockedUntil' | 'outcome'>>,
  ): Promise<boolean>
  /**
   * Locks the next item for the reviewer, never one that somebody holds. What the reviewer skipped comes again, the
   * longest ago first, when all of its list that waited then were offered, or when nothing else is free; a blind item
   * that was skipped more than three times in all comes first in its list for anybody. Null: nothing is free, or the
   * reviewer holds as many items as allowed.
   *
   * A reviewer who has seen the panel's answer gets the item only if nobody else can, and then not blind.
   */
  claimNext(claim: NextClaim): Promise<StoredReview | null>
  /**
   * Locks this item, or keeps it longer for who holds it. Refused while another holds it or should, once submitted, where
   * the reviewer holds as many as allowed, and where the reviewer held it for as long as allowed: then others come first
   * for `lockMs`.
   */
  claim(id: string, claim: Claim): Promise<Changed<'claimed'>>
  /** Puts back what the reviewer holds; `skip`: and offers others to the same reviewer first. */
  release(
    id: string,
    claimant: { readonly reviewer: string; readonly now: Millis; readonly skip: boolean },
  ): Promise<Changed<'released'>>
  /** Releases all claims of a reviewer, with one ledger row each. */
  releaseClaims(release: ClaimRelease): Promise<readonly StoredReview[]>
  /** Says who is to review each item, and by when. What is so already is not written again. */
  assign(assignment: Assignment): Promise<ReadonlyMap<string, BulkOutcome>>
  /** Releases the claims on these items, with one ledger row each. */
  unlock(unlocking: Unlocking): Promise<ReadonlyMap<string, BulkOutcome>>
  /** Adds items for questions of which none waits or was submitted; how many. */
  request(requests: readonly ReviewRequest[]): Promise<number>
  /** Claims of a reviewer, in the order in which they expire. */
  claimsOf(claimant: { readonly reviewer: string; readonly now: Millis }): Promise<readonly StoredReview[]>
  /**
   * Outcome, label, ledger entry and messages in one commit, only while the review waits and was last claimed by the
   * reviewer. The same outcome by the same reviewer again is `repeated` and writes nothing.
   */
  submit(submission: Submission): Promise<Changed<'submitted' | 'repeated'>>
  /**
   * Before `undoUntil`, and if no message of it has left: as if it had not been, but for the ledger. Later: the label is
   * kept and never counted, and the retraction is sent. A retracted one stays so and is answered again.
   */
  undo(undoing: Undoing): Promise<Changed<'undone' | 'retracted'>>
  /** Answers to items that two or more people read, none of which can still be undone; by item and reading. */
  jointAnswers(now: Millis): Promise<readonly StoredReview[]>
  /** Submitted by this reviewer since then, not undone or retracted. */
  answered(of: { readonly reviewer: string; readonly since: Millis }): Promise<number>
  counts(of: { readonly reviewer: string; readonly since: Millis }): Promise<QueueCounts>
}
