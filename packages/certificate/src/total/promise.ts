import { compareCodePoints } from '../beliefs/code-point-order.ts'
import { decimal, type TotalBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { LIMITS } from '../limits.ts'

/**
 * `pac`: with confidence, this certificate acts on and is wrong about at most beta of all questions. `average`:
 * averaged over calibration sets, at most beta. `selective`: with confidence, at most beta of the questions that it
 * *acts on* are wrong.
 */
export type PromiseKind = NonNullable<TotalBudget['kind']>

/** What a `total` certificate promises, and with which confidence. It is declared before any neighbour label is read. */
export interface TotalPromise {
  readonly kind: PromiseKind
  /** Share of all questions for `pac` and `average`, of those acted on for `selective`. */
  readonly beta: number
  /** Allowed failure probability of all promises together. */
  readonly delta: number
  /** Smallest share of right answers that every class must reach. If null, a class may be wrong far more often. */
  readonly floor: number | null
  /**
   * Answers with their own budget, by name: of the debates that end with this answer, at most `beta` are acted on and
   * wrong.
   */
  readonly answers: readonly AnswerBudget[]
  /**
   * Whether a model graded. beta then bounds the actions that it did not grade as right, and its measured error is
   * added.
   */
  readonly isJudged: boolean
  /** Number of certificates made from labels that overlap these, including this one. */
  readonly attempt: number
}

export interface AnswerBudget {
  readonly answer: string
  readonly beta: number
}

export interface TotalPromiseInput extends TotalBudget {
  readonly beta: number
}

/** Share of delta for the total. The rest is for the floor. */
const SHARE_OF_TOTAL = 0.6
/** The same if answers have their own budgets or a judge is checked. These get the rest of delta. */
const SHARES_WITH_MORE = { total: 0.4, floor: 0.3 }
const DEFAULT_DELTA = 0.05
const MOST_ATTEMPTS = 10_000

export function usualFloor(beta: number): number {
  return decimal(Math.max(0.7, 1 - 2 * beta))
}

export function resolvePromise(where: string, input: TotalPromiseInput): TotalPromise {
  if (typeof input !== 'object' || input === null) {
    throw new CertificateError(where, 'budget', 'an object with beta', input)
  }
  const kind = choice(where, 'budget.total.kind', input.kind ?? 'pac', ['pac', 'average', 'selective'])
  const { beta, delta = DEFAULT_DELTA, attempt = 1 } = input
  if (!isBetween(beta, 0, 1)) throw new CertificateError(where, 'budget.beta', 'a number in (0, 1)', beta)
  if (!isBetween(delta, 0, 0.5)) throw new CertificateError(where, 'budget.total.delta', 'a number in (0, 0.5)', delta)
  if (!(Number.isInteger(attempt) && attempt >= 1 && attempt <= MOST_ATTEMPTS)) {
    throw new CertificateError(where, 'budget.total.attempt', `a whole number in [1, ${MOST_ATTEMPTS}]`, attempt)
  }
  const answers = resolveAnswers(where, kind, input.answers ?? {})
  const isJudged = input.isJudged ?? false
  if (isJudged && (kind === 'selective' || answers.length > 0)) {
    const expected =
      'false beside the selective target and budgets of answers: the error of a judge is bounded of all questions'
    throw new CertificateError(where, 'budget.total.isJudged', expected, isJudged)
  }
  return Object.freeze({ kind, beta, delta, floor: resolveFloor(where, kind, input), answers, isJudged, attempt })
}

function resolveAnswers(where: string, kind: PromiseKind, given: unknown): readonly AnswerBudget[] {
  const place = 'budget.total.answers'
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new CertificateError(where, place, 'an object of answer to its budget', given)
  }
  const answers = Object.entries(given).sort(([left], [right]) => compareCodePoints(left, right))
  if (answers.length > LIMITS.options)
    throw new CertificateError(where, place, `of at most ${LIMITS.options}`, answers.length)
  for (const [answer, beta] of answers) {
    if (!isBetween(beta, 0, 1)) throw new CertificateError(where, `${place}.${answer}`, 'a number in (0, 1)', beta)
  }
  if (answers.length > 0 && kind !== 'pac') {
    throw new CertificateError(where, place, 'empty beside any promise but "pac": only there are they proved', given)
  }
  return Object.freeze(answers.map(([answer, beta]) => Object.freeze({ answer, beta: Number(beta) })))
}

function resolveFloor(where: string, kind: PromiseKind, { beta, floor }: TotalPromiseInput): number | null {
  if (floor === 'none') return null
  if (kind === 'selective') {
    // A floor drops kinds by their labels, and afterwards the share of wrong answers among actions is no longer the one
    // that was tested.
    if (floor === undefined) return null
    throw new CertificateError(where, 'budget.total.floor', '"none" beside the selective target', floor)
  }
  if (floor === undefined) return usualFloor(beta)
  if (!isBetween(floor, 0, 1))
    throw new CertificateError(where, 'budget.total.floor', 'a number in (0, 1) or "none"', floor)
  return floor
}

/** The levels of the tests, and the confidence that may be printed. */
export interface PromiseLevels {
  readonly total: number
  /** For all floor tests together. */
  readonly floor: number
  /** For the budgets of all answers together. */
  readonly answers: number
  /** For the upper limit of the judge's error. */
  readonly judge: number
  /** Without a floor: for the printed limit of the share of right answers among actions. */
  readonly limit: number
  /** Confidence in the total, over this attempt and all others. */
  readonly totalConfidence: number
  readonly floorConfidence: number
  readonly answersConfidence: number
  readonly judgeConfidence: number
  readonly confidence: number
}

/**
 * The first attempt is tested at delta. Attempt r on overlapping labels is tested at delta x 6 / (pi^2 r^2). All
 * attempts together then fail with probability at most 1.392 delta, which is what later attempts print, however many
 * follow.
 */
export function promiseLevels(
  promise: Pick<TotalPromise, 'kind' | 'delta' | 'floor' | 'answers' | 'isJudged' | 'attempt'>,
): PromiseLevels {
  const { kind, delta, floor, answers, isJudged, attempt } = promise
  const share = attempt === 1 ? 1 : BASEL / attempt ** 2
  const spent = attempt === 1 ? 1 : 2 - BASEL
  // Without a floor the total keeps its own share, so the promise about the total does not depend on the floor.
  const hasMore = answers.length > 0 || isJudged
  const shares = hasMore ? SHARES_WITH_MORE : { total: SHARE_OF_TOTAL, floor: 1 - SHARE_OF_TOTAL }
  const total = kind === 'selective' ? delta : shares.total * delta
  const floorDelta = floor === null ? 0 : shares.floor * delta
  const moreDelta = hasMore ? (1 - shares.total - shares.floor) * delta : 0
  const answersDelta = answers.length > 0 ? moreDelta : 0
  const judgeDelta = isJudged ? moreDelta : 0
  return {
    total: decimal(total) * share,
    floor: decimal(floorDelta) * share,
    answers: decimal(answersDelta) * share,
    judge: decimal(judgeDelta) * share,
    limit: decimal(shares.floor * delta) * share,
    totalConfidence: 1 - decimal(total) * spent,
    floorConfidence: 1 - decimal(floorDelta) * spent,
    answersConfidence: 1 - decimal(answersDelta) * spent,
    judgeConfidence: 1 - decimal(judgeDelta) * spent,
    confidence: 1 - decimal(total + floorDelta + moreDelta) * spent,
  }
}

/** 6 / pi^2, so the shares of attempts 1, 2, 3, ... sum to 1. */
const BASEL = 6 / Math.PI ** 2

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && value > low && value < high
}
