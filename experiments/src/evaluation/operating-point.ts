import { clopperPearsonInterval } from '@quorate/certificate'

/** What a policy did on the test half of one split. */
export interface SplitOutcome {
  readonly questions: number
  /** Acted and right, by stopping round. */
  readonly acted: readonly number[]
  readonly right: readonly number[]
}

/** Over splits: means with spread and worst case. Overlapping splits give no sampling error, so none is claimed. */
export interface OperatingPoint {
  readonly act: { readonly mean: number; readonly min: number; readonly max: number }
  /** Over all acted questions of all splits; null when nothing was acted on. */
  readonly accuracy: number | null
  /** Largest wrong-action rate of a split, as a share of beta. */
  readonly worstBudgetUsed: number
  readonly perRound: readonly RoundOutcome[]
}

export interface RoundOutcome {
  readonly round: number
  /** Mean share of questions acted on in this round. */
  readonly share: number
  readonly accuracy: number | null
  /** Two-sided 95 % interval over one test half's worth of actions, Bonferroni over rounds. */
  readonly low: number | null
  readonly high: number | null
}

export function operatingPoint(splits: readonly SplitOutcome[], beta: number): OperatingPoint {
  const acts = splits.map(({ acted, questions }) => sum(acted) / questions)
  const wrongs = splits.map(({ acted, right, questions }) => (sum(acted) - sum(right)) / questions)
  const acted = sum(splits.map((split) => sum(split.acted)))
  const right = sum(splits.map((split) => sum(split.right)))
  const rounds = splits[0]!.acted.length
  return {
    act: { mean: sum(acts) / acts.length, min: Math.min(...acts), max: Math.max(...acts) },
    accuracy: acted === 0 ? null : right / acted,
    worstBudgetUsed: Math.max(...wrongs) / beta,
    perRound: Array.from({ length: rounds }, (_, at) => roundOutcome(splits, at, rounds)),
  }
}

/** Ten overlapping halves are not ten samples: the interval counts as many actions as one half has on average. */
function roundOutcome(splits: readonly SplitOutcome[], at: number, rounds: number): RoundOutcome {
  const acted = sum(splits.map((split) => split.acted[at]!))
  const right = sum(splits.map((split) => split.right[at]!))
  const questions = sum(splits.map((split) => split.questions))
  const count = Math.round(acted / splits.length)
  const base = { round: at + 1, share: acted / questions }
  if (count === 0) return { ...base, accuracy: null, low: null, high: null }
  const accuracy = right / acted
  const { lower: low, upper: high } = clopperPearsonInterval(Math.round(accuracy * count), count, 1 - 0.05 / rounds)
  return { ...base, accuracy, low, high }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
