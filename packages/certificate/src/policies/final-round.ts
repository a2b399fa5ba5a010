import type { Budget } from '../budget.ts'
import { fitCertificate } from '../certificate/fit-certificate.ts'
import type { KnnCertificate } from '../certificate/knn-certificate.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import { hasVote } from '../certificate/step.ts'
import { namedState } from '../states/named-states.ts'
import { ANY_BUDGET, tuningOf } from './certificate-policy.ts'
import type { FittedPolicy, Policy, PolicyOptions } from './policy.ts'
import { questionsOf, type TrainingRows, trainingRows } from './training-rows.ts'
import { wholeDebates } from './whole-debates.ts'

/**
 * Ablation A2 of the paper: its full bound, used only after the last round. There is one test, so the level is not
 * divided by the rounds.
 */
export const finalRoundPolicy: Policy = {
  name: 'final-round',
  summary: "Acts on the paper's bound after the last round only, to show what stopping early is worth.",
  fit(train, options) {
    const training = trainingRows('final-round', train)
    if ('kind' in training) return training
    const stateOf = stateReader(options)
    const certificate = lastRoundCertificate(training, stateOf, options)
    return fitted(certificate, {
      rounds: training.rounds,
      groupConditional: options.groupConditional ?? false,
      stateOf,
    })
  },
}

function lastRoundCertificate(
  { debates, rounds, correct }: TrainingRows,
  stateOf: StateReader,
  options: PolicyOptions,
): KnnCertificate {
  const { state: _, ...local } = options.local ?? {}
  const questions = questionsOf(debates, options)
  const last = {
    states: debates.map((debate) => stateOf(debate, rounds)),
    correct: debates.map((_, row) => correct[(row + 1) * rounds - 1]!),
  }
  const groups = debates.map(groupOf)
  return fitCertificate(
    { rounds: [last], groups, ...(questions && { questions }) },
    { ...local, profile: 'paper', budget: ANY_BUDGET, split: { seed: options.seed } },
  )
}

type StateReader = (debate: ReadDebate, round: number) => readonly number[]

/**
 * The state of the certificate. A learned or custom state is fitted over all rounds, so the paper's state replaces it
 * here.
 */
function stateReader({ local: { state = 'paper' } = {} }: PolicyOptions): StateReader {
  const named = namedState(typeof state === 'object' || state === 'learned' ? 'paper' : state)
  return ({ rounds, record }, round) => named(rounds.slice(0, round), record)
}

function fitted(
  certificate: KnnCertificate,
  { rounds, groupConditional, stateOf }: { rounds: number; groupConditional: boolean; stateOf: StateReader },
): FittedPolicy {
  /** The bound of a debate after its last round; NaN if there is none. */
  const boundsUnder = (budget: Budget) => {
    const tuned = certificate.withBudget(budget)
    return (debate: ReadDebate) => {
      if (!hasVote(debate, rounds)) return Number.NaN
      const group = groupConditional ? groupOf(debate) : undefined
      return tuned.bound(1, stateOf(debate, rounds), group).lower ?? Number.NaN
    }
  }
  return {
    kind: 'fitted',
    at(budget) {
      const tuning = tuningOf(certificate.withBudget(budget))
      const boundOf = boundsUnder(budget)
      const threshold = tuning.threshold ?? Infinity
      return { ...tuning, actsAt: (debate, round) => round === rounds && boundOf(debate) >= threshold }
    },
    replay(read) {
      const debates = wholeDebates('final-round', read, rounds)
      // The bounds do not depend on beta or epsilon, which only move the threshold.
      let known: { delta: number; deltaOmega: number; bounds: Float64Array } | null = null
      return {
        at(budget) {
          const asked = certificate.withBudget(budget)
          const { delta, deltaOmega } = asked.budget
          if (known?.delta !== delta || known.deltaOmega !== deltaOmega) {
            known = { delta, deltaOmega, bounds: Float64Array.from(debates, boundsUnder(budget)) }
          }
          const tuning = tuningOf(asked)
          const threshold = tuning.threshold ?? Infinity
          return { ...tuning, actedAt: Uint8Array.from(known.bounds, (bound) => (bound >= threshold ? rounds : 0)) }
        },
      }
    },
  }
}

function groupOf({ record }: ReadDebate): string {
  return record.group ?? ''
}
