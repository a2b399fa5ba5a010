import {
  budgetSentences,
  missedByJudge,
  promiseLevels,
  type ResolvedBudget,
  type TotalOutcome,
  type TotalPromise,
} from '@quorate/certificate'
import { exactTexts } from './number-text.ts'

/** The budget of a certificate in one line: its parts, or for `total` its promise with beta and floor. */
export function certificateBudgetLine(
  certificate: { readonly budget: ResolvedBudget } & ({ readonly kind: 'cells' | 'knn' } | TotalLine),
): string {
  if (certificate.kind !== 'total') return budgetLine(certificate.budget)
  const missed = missedByJudge(certificate)
  const more = missed === 0 ? '' : `, plus at most ${shareUp(missed)} that the grading model misses`
  return `${promiseLine(certificate.promise)}${more}`
}

/** Rounded up, as a limit must be. */
function shareUp(share: number): string {
  return (Math.ceil(share * 10_000) / 10_000).toFixed(4)
}

interface TotalLine {
  readonly kind: 'total'
  readonly promise: TotalPromise
  readonly outcomes?: ReadonlyMap<string | null, Pick<TotalOutcome, 'chosen' | 'judge'>> | undefined
}

const PROMISE_WORDS: Readonly<Record<TotalPromise['kind'], string>> = {
  pac: 'of all questions wrong, with confidence',
  average: 'of all questions wrong, on average',
  selective: 'of the questions acted on wrong, with confidence',
}

/** For example: beta 0.10 (of all questions wrong, with confidence), floor 0.80 in every class, delta 0.05, attempt 1 */
export function promiseLine({ kind, beta, delta, floor, answers, attempt }: TotalPromise): string {
  const [most, failure] = exactTexts([beta, delta])
  const least = floor === null ? 'no floor' : `floor ${exactTexts([floor])[0]} in every class`
  const own = answers
    .map((each) => `, ${exactTexts([each.beta])[0]} of those answered ${JSON.stringify(each.answer)}`)
    .join('')
  return `beta ${most} (${PROMISE_WORDS[kind]})${own}, ${least}, delta ${failure}, attempt ${attempt}`
}

/**
 * Under the paper's rule the parts add up to beta: beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020. Under the
 * sharp rule they do not, because delta costs hardly any of beta. A negative alpha is not a part of beta.
 */
export function budgetLine({ beta, delta, alpha, epsilon, shortfall }: ResolvedBudget): string {
  if (alpha < 0) {
    const [spent, part, other] = exactTexts([beta, delta, epsilon])
    return `beta ${spent} leaves nothing for alpha beside delta ${part} and epsilon ${other}`
  }
  const [whole, first, second, third] = exactTexts([beta, delta, alpha, epsilon])
  if (shortfall !== delta) return `beta ${whole}, which leaves alpha ${second} with delta ${first} and epsilon ${third}`
  return `beta ${whole} = delta ${first} + alpha ${second} + epsilon ${third}`
}

/** What is declared before any label is read; `promise` is null for every profile but total. */
export interface Declared {
  readonly profile: string
  readonly budget: ResolvedBudget
  readonly promise: TotalPromise | null
  readonly groupConditional?: boolean
  /** Groups that always go to a person. */
  readonly deferGroups?: readonly string[]
}

/** What a certificate of this profile and budget would promise. */
export function declaredSentences(declared: Declared): string[] {
  const { profile, budget, promise, groupConditional = false, deferGroups: deferredGroups = [] } = declared
  if (promise === null)
    return budgetSentences({ kind: profile === 'cells' ? 'cells' : 'knn', budget, groupConditional })
  const levels = promiseLevels(promise)
  return budgetSentences({ kind: 'total', promise, levels, outcomes: null, groupConditional, deferredGroups })
}
