import { z } from 'zod'

/** Rows that people and other panels add to a chain beside its decisions. */
export interface ReviewCheck {
  /** What nobody would have written here, null for what follows from the rows before; undefined: another kind of row. */
  next(kind: string, body: unknown): string | null | undefined
}

const reviewSchema = z.looseObject({ reviewId: z.string(), questionId: z.string(), outcome: z.looseObject({}) })
const certifiedSchema = z.looseObject({
  decisionId: z.string(),
  questionId: z.string(),
  debate: z.looseObject({ id: z.string() }),
})

const releasedSchema = z.strictObject({
  reviewId: z.string(),
  questionId: z.string(),
  reviewer: z.string(),
  by: z.string(),
})
const revealedSchema = z.looseObject({ questionId: z.string(), by: z.string() })

/** A review is about a decided question, said once, and only what was said is taken back. */
export function checkReviews(isDecided: (questionId: string) => boolean): ReviewCheck {
  const said = new Set<string>()
  return {
    next(kind, body) {
      if (kind === 'certified') return certifiedFault(body)
      if (kind === 'claim-released')
        return releasedSchema.safeParse(body).success ? null : 'expected whose claim of what was released by whom'
      if (kind === 'blind-revealed')
        return revealedSchema.safeParse(body).success ? null : 'expected who looked at what'
      if (!['review', 'review-undone', 'review-retracted'].includes(kind)) return undefined
      const read = reviewSchema.safeParse(body)
      if (!read.success)
        return `expected a review: ${read.error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`
      const { reviewId, questionId } = read.data
      if (!isDecided(questionId)) return `expected that ${JSON.stringify(questionId)} is decided before its review`
      const isSaid = said.has(reviewId)
      if (kind === 'review') {
        said.add(reviewId)
        return isSaid ? `${JSON.stringify(questionId)} is reviewed a second time` : null
      }
      if (kind === 'review-undone') said.delete(reviewId)
      return isSaid ? null : `a review of ${JSON.stringify(questionId)} is taken back that nobody made`
    },
  }
}

/** A round of somebody else's debate that decided nothing. */
function certifiedFault(body: unknown): string | null {
  const read = certifiedSchema.safeParse(body)
  if (!read.success) return 'expected a certified round: a field is missing or wrong'
  return read.data.debate.id === read.data.questionId ? null : 'it is about another question than its debate'
}
