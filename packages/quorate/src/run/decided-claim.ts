import { budgetSentences } from '@quorate/certificate'
import { decisionSchema } from '../record/decision.ts'
import { parseStored } from '../record/parse-stored.ts'
import type { Store } from '../store/store.ts'
import { certificateBudgetLine } from '../text/budget-line.ts'
import { countText } from '../text/number-text.ts'
import { mixtureText } from './calibration/served-models.ts'
import type { Deciding } from './deciding.ts'
import { decisionsOf, pagesOf } from './pages.ts'

/** Counts over all decisions of a run that affect its promise or the review queue. */
export interface DecidedFacts {
  /** Questions sampled for a spot check. */
  readonly sampled: number
  /** Decided questions that were used for calibration. */
  readonly seen: number
  /** Questions that models other than the calibrated ones answered. */
  readonly unexpected: number
  /** Questions that another run, which is no shadow run, has decided too. */
  readonly repeated: number
}

const factsSchema = decisionSchema.pick({ isSpotCheck: true, isSeen: true, mismatch: true })

export async function decidedFacts(store: Store, runId: string): Promise<DecidedFacts> {
  let [sampled, seen, unexpected, repeated] = [0, 0, 0, 0]
  const questionIds: string[] = []
  for await (const { id, questionId, decision } of decisionsOf(store, runId)) {
    questionIds.push(questionId)
    const { isSpotCheck, isSeen, mismatch } = parseStored(factsSchema, decision, `decision ${id}`)
    if (isSpotCheck) sampled += 1
    if (isSeen) seen += 1
    if (mismatch.includes('served')) unexpected += 1
  }
  for (const page of pagesOf(questionIds)) {
    const decisions = await store.decisions.ofQuestions({ questionIds: page })
    const elsewhere = decisions.flatMap((decision) => (decision.runId === runId ? [] : [decision.questionId]))
    repeated += new Set(elsewhere).size
  }
  return { sampled, seen, unexpected, repeated }
}

export interface StatedPromise {
  /** False: something is known to violate the assumptions of the promise. */
  readonly isPromised: boolean
  readonly sentences: readonly string[]
}

/** What may be claimed about a run that decided: the promise of its certificate, or why there is none. */
export function decidedClaim(
  { certified, mismatch, hasNewRules }: Deciding,
  { seen, unexpected }: DecidedFacts,
): StatedPromise {
  const { certificate, mixed } = certified
  const broken = [
    ...(mismatch.length === 0 ? [] : [`the panel is not the calibrated one (${mismatch.join(', ')} differ)`]),
    ...(unexpected === 0
      ? []
      : [`other models answered than in the calibration (served), in ${questions(unexpected)}`]),
    ...(seen === 0 ? [] : [`the certificate was calibrated on ${questions(seen)} of these`]),
  ]
  if (broken.length > 0) {
    const about = `beta = ${certificate.budget.beta} is about new questions to the calibrated panel.`
    return { isPromised: false, sentences: [`No promise: ${broken.join('; ')}. ${about}`] }
  }
  const mixture =
    Object.keys(mixed).length === 0
      ? []
      : [`It was calibrated on a mixture of models and is about the same mixture: ${mixtureText(mixed)}.`]
  const hasFloor = certificate.kind === 'total' && certificate.promise.floor !== null
  const rules = hasNewRules
    ? [
        'Rules of the config (alwaysReview) send questions to a person that the certificate was calibrated on: what is promised of ' +
          `all questions holds${hasFloor ? ', and the share right in each class is that before these rules' : ''}.`,
      ]
    : []
  const sentences = [certificateBudgetLine(certificate), ...budgetSentences(certificate), ...mixture, ...rules]
  return { isPromised: true, sentences }
}

function questions(count: number): string {
  return count === 1 ? '1 question' : `${countText(count)} questions`
}
