import { fixedRule } from './fixed-rule.ts'
import type { Policy } from './policy.ts'
import { trainingRows } from './training-rows.ts'

export const majorityFinalPolicy: Policy = {
  name: 'majority-final',
  summary: 'Acts on every debate after the last round: what the panel does without a gate.',
  fit(train) {
    const training = trainingRows('majority-final', train)
    if ('kind' in training) return training
    return fixedRule({ name: 'majority-final', rounds: training.rounds, acts: (_, round) => round === training.rounds })
  },
}

export const majorityFirstPolicy: Policy = {
  name: 'majority-first',
  summary: 'Acts on every debate after round 1: what the panel does without debate.',
  fit(train) {
    const training = trainingRows('majority-first', train)
    if ('kind' in training) return training
    return fixedRule({ name: 'majority-first', rounds: training.rounds, acts: (_, round) => round === 1 })
  },
}
