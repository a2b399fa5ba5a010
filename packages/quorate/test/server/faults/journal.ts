import type { CertifyAnswer, DecisionView } from '../../../src/contract/decisions.ts'
import type { ReviewOutcome } from '../../../src/contract/reviews.ts'

export interface AcceptedDecision {
  readonly asked: { readonly question: string; readonly options: readonly string[] }
  /** The first response. */
  readonly accepted: DecisionView
  /** Null until a response contained the decision. */
  decided: DecisionView | null
}

export interface CertifiedRounds {
  readonly rounds: number
  readonly answer: CertifyAnswer
}

/** The response to a review: it was submitted, undone or retracted. */
export type ReviewAnswer =
  | {
      readonly kind: 'submitted'
      readonly reviewId: string
      readonly by: string
      readonly outcome: ReviewOutcome
      readonly undoUntil: number
    }
  | { readonly kind: 'undone' | 'retracted'; readonly reviewId: string }

/** Everything that clients learned from responses. The store of the server is compared with it. */
export interface Journal {
  /** By the id of the decision. */
  readonly decisions: Map<string, AcceptedDecision>
  readonly certified: CertifiedRounds[]
  /** In the order of the responses. Those of one review do not overlap. */
  readonly reviews: ReviewAnswer[]
  /** Responses that no client may get. */
  readonly complaints: string[]
}

export function emptyJournal(): Journal {
  return { decisions: new Map(), certified: [], reviews: [], complaints: [] }
}

type Submitted = Extract<ReviewAnswer, { readonly kind: 'submitted' }>

/** A submission and its outcome. */
export interface Submission extends Submitted {
  readonly end: 'stands' | 'undone' | 'retracted'
}

export function submissionsOf({ reviews }: Pick<Journal, 'reviews'>): readonly Submission[] {
  const open = new Map<string, Submitted>()
  const ended: Submission[] = []
  for (const answer of reviews) {
    if (answer.kind === 'submitted') {
      open.set(answer.reviewId, answer)
      continue
    }
    const submission = open.get(answer.reviewId)
    if (submission === undefined) throw new Error(`the journal has a review ${answer.kind} that was not submitted`)
    ended.push({ ...submission, end: answer.kind })
    open.delete(answer.reviewId)
  }
  return [...ended, ...[...open.values()].map((submission): Submission => ({ ...submission, end: 'stands' }))]
}
