import type { PolicyName } from '../policies/policy.ts'
import { usualFloor } from '../total/promise.ts'
import { computeMatched } from './compute-matched.ts'
import type { EvaluatedFile } from './evaluated-file.ts'
import type { EvaluatedPolicy, Evaluation, GroupFigures, LabelFigures, RoundFigures } from './evaluation.ts'
import { figure, meanOf, rateInterval } from './figures.ts'
import { judgedKinds, kindFigures } from './kind-figures.ts'
import { type LeftOutGroup, summariseShift } from './shift.ts'
import type { GroupTally, Tally } from './tally.ts'
import { callsFigure, countsOf, rateFigures } from './tally-figures.ts'
import type { BudgetTally, SplitTally } from './tally-split.ts'

/** The budget of the tallies: its beta, and its index in the list of evaluated budgets. */
export interface EvaluatedBudget {
  readonly beta: number
  readonly place: number
  /** The floor by which kinds of debates are judged; the default floor for beta if absent. */
  readonly floor?: number
  /** Groups that were left out one by one; none by default. */
  readonly leftOut?: readonly LeftOutGroup[]
}

/**
 * Summarises every policy over all splits. A policy that could not be fitted in some split is skipped, since its
 * figures would not be comparable.
 */
export function summarise(splits: readonly SplitTally[], file: EvaluatedFile, budget: EvaluatedBudget): Evaluation {
  const names = splits[0]?.policies.map(({ name }) => name) ?? []
  const skipped = names.flatMap((name) => skippedFor(name, splits))
  const { beta, floor = usualFloor(beta) } = budget
  const policies = names
    .filter((name) => !skipped.some((left) => left.name === name))
    .map((name) => evaluatedPolicy(name, talliesOf(name, splits, budget.place), { file, beta, floor }))
  return {
    n: file.n,
    rounds: file.rounds,
    beta,
    floor,
    seeds: splits.map(({ seed }) => seed),
    skipped,
    policies,
    computeMatched: computeMatched(splits, policies),
    shift: summariseShift(budget.leftOut ?? [], budget),
  }
}

function skippedFor(name: PolicyName, splits: readonly SplitTally[]): Evaluation['skipped'] {
  const unfit = splits.flatMap(({ policies }) =>
    policies.flatMap((policy) => (policy.kind === 'unfit' && policy.name === name ? policy : [])),
  )
  const [first] = unfit
  if (first === undefined) return []
  const where = unfit.length === splits.length ? '' : ` (in ${unfit.length} of ${splits.length} splits)`
  return [{ name, reason: `${first.reason}${where}` }]
}

function talliesOf(name: PolicyName, splits: readonly SplitTally[], place: number): BudgetTally[] {
  return splits.flatMap(({ policies }) =>
    policies.flatMap((policy) => (policy.kind === 'ran' && policy.name === name ? policy.budgets[place]! : [])),
  )
}

function evaluatedPolicy(
  name: PolicyName,
  ran: readonly BudgetTally[],
  { file, beta, floor }: { readonly file: EvaluatedFile; readonly beta: number; readonly floor: number },
): EvaluatedPolicy {
  const tallies = ran.map(({ tally }) => tally)
  const counts = tallies.map(countsOf)
  const thresholds = ran.flatMap(({ threshold }) => threshold ?? [])
  const budgetUsed = figure(counts.map(({ debates, acted, right }) => (acted - right) / debates / beta))!
  const perKind = kindFigures(tallies, floor)
  const judged = judgedKinds(perKind)
  const rounds = tallies.map(({ acted }) => acted.reduce((sum, count, index) => sum + count * (index + 1), 0))
  return {
    name,
    delta: ran[0]!.delta,
    epsilon: ran[0]!.epsilon,
    threshold: thresholds.length === 0 ? null : meanOf(thresholds),
    ...rateFigures(counts),
    budgetUsed,
    roundsUsed: figure(
      counts.map(({ debates, acted }, split) => (rounds[split]! + (debates - acted) * file.rounds) / debates),
    )!,
    stoppingRound: figure(counts.flatMap(({ acted }, split) => (acted === 0 ? [] : rounds[split]! / acted))),
    calls: callsFigure(tallies),
    worstBudgetUsed: budgetUsed.max,
    perRound: Array.from({ length: file.rounds }, (_, index) => roundFigures(tallies, index + 1)),
    perGroup: [...file.groups].flatMap(([group, n]) => groupFigures(tallies, group, n)),
    perAnswer: labelFigures(tallies.map(({ answers }) => answers)),
    perTruth: labelFigures(tallies.map(({ truths }) => truths)),
    perKind,
    floor,
    kindsJudged: judged.length,
    kindsBelow: judged.filter(({ isBelow }) => isBelow).length,
  }
}

function roundFigures(tallies: readonly Tally[], round: number): RoundFigures {
  const acted = tallies.reduce((sum, tally) => sum + tally.acted[round - 1]!, 0)
  if (acted === 0) return { round, acted, accuracy: null, low: null, high: null }
  const right = tallies.reduce((sum, tally) => sum + tally.right[round - 1]!, 0)
  const accuracy = right / acted
  return { round, acted, accuracy, ...rateInterval(accuracy, Math.round(acted / tallies.length)) }
}

/** Figures over the splits that test a debate with the label. */
function labelFigures(splits: readonly ReadonlyMap<string, GroupTally>[]): LabelFigures[] {
  const labels = [...new Set(splits.flatMap((split) => [...split.keys()]))]
  return labels
    .map((label) => {
      const tested = splits.flatMap((split) => split.get(label) ?? [])
      return { label, n: meanOf(tested.map(({ debates }) => debates)), ...rateFigures(tested) }
    })
    .sort((left, right) => right.n - left.n || (left.label < right.label ? -1 : 1))
}

/** Figures over the splits that test a debate of the group; empty if none does. */
function groupFigures(tallies: readonly Tally[], group: string, n: number): GroupFigures[] {
  const tested = tallies.flatMap(({ groups }) => groups.get(group) ?? [])
  return tested.length === 0 ? [] : [{ group, n, ...rateFigures(tested) }]
}
