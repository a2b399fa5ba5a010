import type { ReadPanel } from '../certificate/panel.ts'
import { fixedRule } from './fixed-rule.ts'
import type { Policy } from './policy.ts'
import { trainingRows } from './training-rows.ts'

/** Baseline H1 of the paper. */
export const consensusPolicy: Policy = {
  name: 'consensus',
  summary: 'Acts when every agent votes for the same option; an abstention is no agreement.',
  fit(train) {
    const training = trainingRows('consensus', train)
    if ('kind' in training) return training
    return fixedRule({ name: 'consensus', rounds: training.rounds, acts: isUnanimous })
  },
}

function isUnanimous({ record }: ReadPanel, round: number): boolean {
  const { votes } = record.rounds[round - 1]!
  return votes[0]! >= 0 && votes.every((vote) => vote === votes[0])
}
