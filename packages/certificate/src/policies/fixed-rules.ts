import { isRightAt } from '../beliefs/truth.ts'
import { checkBudget } from '../budget.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'
import { type FittedPolicy, type Policy, type PolicyName, UNTUNED } from './policy.ts'
import { trainingRows } from './training-rows.ts'
import { wholeDebates } from './whole-debates.ts'

/** Baseline H1 of the paper. */
export const consensusPolicy: Policy = {
  name: 'consensus',
  summary: 'Acts when every agent votes for the same option. An abstention is no agreement.',
  fit(train) {
    const training = trainingRows('consensus', train)
    if ('kind' in training) return training
    return fixedRule('consensus', training.rounds, isUnanimous)
  },
}

export const majorityFinalPolicy: Policy = {
  name: 'majority-final',
  summary: 'Acts on every debate after the last round: what the panel does without a gate.',
  fit(train) {
    const training = trainingRows('majority-final', train)
    if ('kind' in training) return training
    return fixedRule('majority-final', training.rounds, (_, round) => round === training.rounds)
  },
}

export const majorityFirstPolicy: Policy = {
  name: 'majority-first',
  summary: 'Acts on every debate after round 1: what the panel does without debate.',
  fit(train) {
    const training = trainingRows('majority-first', train)
    if ('kind' in training) return training
    return fixedRule('majority-first', training.rounds, (_, round) => round === 1)
  },
}

/** Uses the label of the debate that it decides: an upper limit for comparison, not a rule to deploy. */
export const oraclePolicy: Policy = {
  name: 'oracle',
  summary: 'Acts at the first round whose answer is right. Possible only if the answer is known.',
  fit(train) {
    const training = trainingRows('oracle', train)
    if ('kind' in training) return training
    return fixedRule('oracle', training.rounds, isRight)
  },
}

function isUnanimous({ record }: ReadDebate, round: number): boolean {
  const { votes } = record.rounds[round - 1]!
  return votes[0]! >= 0 && votes.every((vote) => vote === votes[0])
}

function isRight(debate: ReadDebate, round: number): boolean {
  const { id, truth } = debate.record
  if (truth === null) throw new CertificateError('oracle', `gold of ${id}`, 'the right option', null)
  return isRightAt(debate, round)
}

type Acts = (debate: ReadDebate, round: number) => boolean

/** A rule that learns nothing and ignores the budget. */
function fixedRule(name: PolicyName, rounds: number, acts: Acts): FittedPolicy {
  return {
    kind: 'fitted',
    at(budget) {
      checkBudget(name, budget)
      return { ...UNTUNED, actsAt: (debate, round) => round <= rounds && acts(debate, round) }
    },
    replay(debates) {
      const order = Array.from({ length: rounds }, (_, at) => at + 1)
      const actedAt = Uint8Array.from(
        wholeDebates(name, debates, rounds),
        (debate) => order.find((round) => acts(debate, round)) ?? 0,
      )
      return {
        at(budget) {
          checkBudget(name, budget)
          // A copy, since the caller may write to it.
          return { ...UNTUNED, actedAt: actedAt.slice() }
        },
      }
    },
  }
}
