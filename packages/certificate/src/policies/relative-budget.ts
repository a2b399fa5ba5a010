import type { Budget } from '../budget.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'
import { halves } from '../knn/split-halves.ts'
import type { Policy, PolicyOptions } from './policy.ts'
import { pickRows, questionsOf, type TrainingRows, trainingRows } from './training-rows.ts'

export interface RelativeBudgetOptions extends PolicyOptions {
  readonly policy: Policy
  readonly delta: number
  readonly epsilon: number
  /** Largest share of the budget that may be used on the held-out half of the training debates. */
  readonly limit?: number
  readonly lambdas?: readonly number[]
  /** Largest beta that may be selected; multiples above it are skipped. Default .99, the paper's. */
  readonly atMost?: number
  readonly deltaOmega?: number
  readonly total?: Budget['total']
  /** Which multiple to choose if several act equally; default `smaller`. */
  readonly ties?: 'smaller' | 'larger'
}

/** `beta` is lambda times the error after the last round, over all training debates. */
export type RelativeBudget =
  | {
      readonly kind: 'selected'
      readonly lambda: number
      readonly beta: number
      readonly sweep: readonly RelativeOperatingPoint[]
    }
  | { readonly kind: 'defer'; readonly sweep: readonly RelativeOperatingPoint[] }

/** Results of a budget of lambda times the error of one training half, on the other half. */
export interface RelativeOperatingPoint {
  readonly lambda: number
  readonly beta: number
  /** Share acted on. */
  readonly act: number
  /** Share acted on and wrong, divided by beta. */
  readonly budgetUsed: number
}

const LAMBDAS: readonly number[] = Object.freeze(Array.from({ length: 20 }, (_, at) => (at + 1) / 4))
const LARGEST_BETA = 0.99
const LIMIT = 0.1

/**
 * The paper's training-selected budget (appendix, Training-selected lambda*): the multiple of the panel's own error
 * that acts most while using at most a tenth of its budget, on a half of the training questions that calibration has
 * not seen. If several act equally, the smaller multiple wins by default. If none qualifies, everything is deferred.
 */
export function selectRelativeBudget(train: ReadDebates, options: RelativeBudgetOptions): RelativeBudget {
  const training = trainingRows(options.policy.name, train)
  if ('kind' in training) return { kind: 'defer', sweep: [] }
  const questions = questionsOf(training.debates, options) ?? training.debates.map(({ record }) => record.id)
  const split = halves(questions, (options.seed + 100) % 2 ** 32)
  const calibrating = pickRows(training, [...split.train])
  const tested = pickRows(training, [...split.test])
  const sweep = split.train.length === 0 ? [] : sweepOf(calibrating, tested, train, options)
  const best = mostActing(sweep, options)
  const beta = best && best.lambda * finalError(training)
  if (best === null || !isBudget(beta, options.atMost)) return { kind: 'defer', sweep }
  return { kind: 'selected', lambda: best.lambda, beta, sweep }
}

/** The point of a sweep that acts most within the limit; null if none acts within it. */
export function mostActing(
  sweep: readonly RelativeOperatingPoint[],
  { limit = LIMIT, ties = 'smaller' }: Pick<RelativeBudgetOptions, 'limit' | 'ties'>,
): RelativeOperatingPoint | null {
  let best: RelativeOperatingPoint | null = null
  for (const point of sweep) {
    if (point.act === 0 || point.budgetUsed > limit) continue
    if (best === null || point.act > best.act || (ties === 'larger' && point.act === best.act)) best = point
  }
  return best
}

function sweepOf(
  calibrating: TrainingRows,
  tested: TrainingRows,
  { reading }: ReadDebates,
  options: RelativeBudgetOptions,
): RelativeOperatingPoint[] {
  const { policy, delta, epsilon, deltaOmega, total, atMost, lambdas = LAMBDAS } = options
  const fitted = policy.fit({ reading, debates: calibrating.debates }, options)
  if (fitted.kind === 'unfit') return []
  const replay = fitted.replay({ reading, debates: tested.debates })
  const error = finalError(calibrating)
  const count = tested.debates.length
  return lambdas.flatMap((lambda) => {
    const beta = lambda * error
    if (!isBudget(beta, atMost)) return []
    const parts = {
      ...(deltaOmega === undefined ? {} : { deltaOmega }),
      ...(total && { total }),
      ...(atMost === undefined ? {} : { selectedUpTo: atMost }),
    }
    const { actedAt } = replay.at({ beta, delta, epsilon, ...parts })
    const acted = actedAt.filter((round) => round > 0).length
    const wrong = actedAt.filter(
      (round, row) => round > 0 && tested.correct[row * tested.rounds + round - 1] === 0,
    ).length
    return [{ lambda, beta, act: acted / count, budgetUsed: wrong / count / beta }]
  })
}

function isBudget(beta: number | null, atMost = LARGEST_BETA): beta is number {
  return beta !== null && beta > 0 && beta <= atMost
}

/** Share of debates whose answer after the last round is wrong. */
function finalError({ debates, rounds, correct }: TrainingRows): number {
  let wrong = 0
  for (let row = 0; row < debates.length; row++) wrong += 1 - correct[(row + 1) * rounds - 1]!
  return wrong / debates.length
}
