import type { EvaluatedPolicy, Evaluation, ResolvedBudget } from '@quorate/certificate'
import { type LeftOut, readingSentences } from '../text/left-out.ts'
import { countText, percentText } from '../text/number-text.ts'
import type { Profile, ReportSource } from './report-data.ts'

export interface CaveatInput {
  readonly profile: Profile
  readonly budget: ResolvedBudget
  readonly evaluation: Evaluation
  readonly leftOut: LeftOut & Pick<ReportSource, 'reading'>
}

/** What a reader must know before quoting a number of the report. */
export function caveats({ profile, budget, evaluation, leftOut }: CaveatInput): string[] {
  const { policies, seeds } = evaluation
  const { unlabelled, failed, reading } = leftOut
  const ours = policies.find(({ name }) => name === profile)
  return [
    ...(budget.feasible
      ? []
      : [`The budget leaves alpha = ${budget.alpha}: nothing can be certified, so everything defers.`]),
    ...neverActs(ours, budget),
    ...alwaysActs(policies, budget),
    `The ${seeds.length} splits overlap, so their spread is no sampling error. Intervals are Clopper-Pearson 95 % of one test half.`,
    'These are your recorded debates replayed. The wrong-action rate in use is estimated by spot checks only.',
    ...(profile === 'cells'
      ? [
          'Other betas on the frontier have other cells. Each keeps its guarantee if it is declared beforehand. The best of several does not.',
        ]
      : []),
    ...(profile === 'paper'
      ? [
          'The paper’s state forgets how the panel came to agree: late agreement is weaker evidence than early agreement at the same state.',
        ]
      : []),
    ...(unlabelled > 0 ? [`${countText(unlabelled)} debates of the file have no label and were left out.`] : []),
    ...(failed > 0 ? [`${countText(failed)} debates of the file broke off and were left out.`] : []),
    ...readingSentences(reading).map((sentence) => `${sentence}.`),
    ...evaluation.skipped.map(({ name, reason }) => `${name} could not be fitted: ${reason}.`),
  ]
}

function neverActs(ours: EvaluatedPolicy | undefined, { feasible }: ResolvedBudget): string[] {
  return feasible && ours?.act.max === 0
    ? ['It acted on nothing in any split. That keeps every budget and is no evidence for the bound.']
    : []
}

/** A budget above the error of the last round says nothing: acting on everything keeps it. */
function alwaysActs(policies: readonly EvaluatedPolicy[], { beta }: ResolvedBudget): string[] {
  const always = policies.find(({ name }) => name === 'majority-final')
  if (always === undefined) return []
  const error = percentText(always.wrongActions.mean)
  return always.wrongActions.mean <= beta
    ? [
        `Acting on everything after the last round is wrong on ${error} %, which is within this budget. A smaller budget would be more informative.`,
      ]
    : [`Acting on everything after the last round is wrong on ${error} % of all debates.`]
}
