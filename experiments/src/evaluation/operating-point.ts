import { clopperPearsonInterval } from '@quorate/certificate'

/** The decisions of a policy on the test half of one split. */
export interface SplitOutcome {
  readonly rounds: number
  /**
   * Smallest share of right answers that the certificate allows a stopping round: 1 - alpha - epsilon, or the floor of
   * `total`.
   */
  readonly line: number
  /** Number of each test question within the world. */
  readonly questions: Uint32Array
  /** Round of the action; 0 for a deferral. */
  readonly actedAt: Uint8Array
  /** Chance that the answer acted on is right: 1 or 0 if it was recorded; NaN for a deferral. */
  readonly chance: Float64Array
}

/** Means over splits, with spread and worst case. Overlapping splits give no sampling error, so none is claimed. */
export interface OperatingPoint {
  /** Smallest over splits. */
  readonly line: number
  readonly act: Spread
  /** Over all actions of all splits; null if nothing was acted on. */
  readonly accuracy: number | null
  /** WA / beta: share of all questions acted on and wrong, as a share of the budget. */
  readonly budgetUsed: Spread
  /** A deferral uses all rounds. */
  readonly meanRounds: number
  readonly perRound: readonly RoundOutcome[]
}

export interface Spread {
  readonly mean: number
  readonly min: number
  readonly max: number
}

export interface RoundOutcome {
  readonly round: number
  /** Mean share of questions acted on in this round. */
  readonly share: number
  /** Null, with its interval, if nothing was acted on. */
  readonly accuracy: number | null
  /** Effective number of actions for the interval. */
  readonly effectiveActions: number
  /** Two-sided 95 % Clopper-Pearson interval, with a Bonferroni correction over the rounds. */
  readonly low: number | null
  readonly high: number | null
}

export function operatingPoint(splits: readonly SplitOutcome[], beta: number): OperatingPoint {
  const perSplit = splits.map(totals)
  const acted = sum(perSplit.map((split) => split.acted))
  const right = sum(perSplit.map((split) => split.right))
  const { rounds } = splits[0]!
  return {
    line: Math.min(...splits.map(({ line }) => line)),
    act: spread(perSplit.map((split) => split.acted / split.questions)),
    accuracy: acted === 0 ? null : right / acted,
    budgetUsed: spread(perSplit.map((split) => (split.acted - split.right) / split.questions / beta)),
    meanRounds: mean(perSplit.map((split) => split.roundsUsed / split.questions)),
    perRound: Array.from({ length: rounds }, (_, at) => roundOutcome(splits, at + 1)),
  }
}

function totals({ rounds, actedAt, chance }: SplitOutcome) {
  let acted = 0
  let right = 0
  let roundsUsed = 0
  for (const [row, round] of actedAt.entries()) {
    roundsUsed += round === 0 ? rounds : round
    if (round === 0) continue
    acted++
    right += chance[row]!
  }
  return { questions: actedAt.length, acted, right, roundsUsed }
}

/**
 * A question is in the test half of about half of the splits, always with the same label, so ten splits are not ten
 * samples. The interval uses (sum of a)^2 / sum of a^2 actions, where a is how often a question was acted on (Kish
 * 1965).
 */
function roundOutcome(splits: readonly SplitOutcome[], round: number): RoundOutcome {
  const timesActed = new Map<number, number>()
  let right = 0
  for (const { questions, actedAt, chance } of splits) {
    for (const [row, acted] of actedAt.entries()) {
      if (acted !== round) continue
      timesActed.set(questions[row]!, (timesActed.get(questions[row]!) ?? 0) + 1)
      right += chance[row]!
    }
  }
  const times = [...timesActed.values()]
  const acted = sum(times)
  const share = acted / sum(splits.map(({ questions }) => questions.length))
  if (acted === 0) return { round, share, accuracy: null, effectiveActions: 0, low: null, high: null }
  const accuracy = right / acted
  const effectiveActions = Math.round(acted ** 2 / sum(times.map((count) => count ** 2)))
  const { lower, upper } = clopperPearsonInterval(
    Math.round(accuracy * effectiveActions),
    effectiveActions,
    1 - 0.05 / splits[0]!.rounds,
  )
  return { round, share, accuracy, effectiveActions, low: lower, high: upper }
}

function spread(values: readonly number[]): Spread {
  return { mean: mean(values), min: Math.min(...values), max: Math.max(...values) }
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
