import { isRightAt } from '../beliefs/truth.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { type Budget, checkBudget } from '../budget.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import { splitRows } from '../knn/split-rows.ts'
import { type Policy, type Tuning, UNTUNED } from './policy.ts'
import { questionsOf, trainingRows } from './training-rows.ts'
import { wholeDebates } from './whole-debates.ts'

/**
 * Conformal Social Choice (Wang et al. 2026, arXiv 2604.07667): after the last round, split conformal prediction on the
 * linear pool of the agents' probabilities. The prediction set contains every option whose social probability is at
 * least 1 - qhat. It contains the right option with probability at least 1 - alpha over exchangeable questions. A set
 * of one option is acted on, and any other goes to a person. With alpha = beta, an action is wrong only if the set
 * misses the right option, so the probability of acting and being wrong is at most beta on average over calibration
 * sets. One run of a question is counted.
 */
export const socialChoicePolicy: Policy = {
  name: 'social-choice',
  summary: 'Conformal Social Choice: acts after the last round where a conformal set of level 1 - beta is one option.',
  fit(train, options) {
    const training = trainingRows('social-choice', train)
    if ('kind' in training) return training
    const { debates, rounds } = training
    const choice = { pilotFraction: 0, seed: options.seed }
    const { neighbours } = splitRows('social-choice', debates.length, choice, questionsOf(debates, options))
    const counted = neighbours.map((row) => debates[row]!)
    const ofTruth = conformalRows(counted, rounds).sort()
    const tune = (budget: Budget): Tuning => {
      checkBudget('social-choice', budget)
      return { ...UNTUNED, threshold: conformalThreshold(ofTruth, budget.beta) }
    }
    return {
      kind: 'fitted',
      at(budget) {
        const tuning = tune(budget)
        return {
          ...tuning,
          actsAt: (debate, round) => round === rounds && isSingleton(socialAfter(debate, rounds), tuning.threshold),
        }
      },
      replay(debates) {
        const pooled = wholeDebates('social-choice', debates, rounds).map((debate) => socialAfter(debate, rounds))
        return {
          at(budget) {
            const tuning = tune(budget)
            const actedAt = Uint8Array.from(pooled, (social) => (isSingleton(social, tuning.threshold) ? rounds : 0))
            return { ...tuning, actedAt }
          },
        }
      },
    }
  },
}

/**
 * 1 - qhat, where qhat is the ceil((n + 1)(1 - alpha))-th smallest of the n nonconformities 1 - p(right option).
 * `ofTruth` ascends, so this is one of its values. Null if n is too small: every option is then in every set.
 */
export function conformalThreshold(ofTruth: Float64Array, alpha: number): number | null {
  const count = ofTruth.length
  // (n + 1)(1 - alpha) as a decimal: 10 x .9 is 9 and not the slightly larger float.
  const place = Math.ceil(twelveDecimals((count + 1) * (1 - alpha)))
  return place > count ? null : ofTruth[count - place]!
}

function isSingleton(social: Float64Array, threshold: number | null): boolean {
  if (threshold === null) return false
  let members = 0
  for (const probability of social) if (probability >= threshold) members++
  return members === 1
}

/**
 * Social probability of the right option of each debate: of the likeliest one if several are right, and 0 if none is.
 * If grades say that the panel's answer is wrong, they do not name the right option, and it is 0 too. Whenever a set of
 * one option is not right, this value is below the threshold, so the conformal bound covers it.
 */
export function conformalRows(debates: readonly ReadDebate[], rounds: number): Float64Array {
  return Float64Array.from(debates, (debate) => {
    const { truth } = debate.record
    if (truth === null) return Number.NaN
    const social = socialAfter(debate, rounds)
    if (truth.kind === 'options') return truth.options.reduce((most, option) => Math.max(most, social[option]!), 0)
    return isRightAt(debate, rounds) ? social[debate.rounds[rounds - 1]!.prediction]! : 0
  })
}

/** Rounded to twelve decimals, so sums in another order compare equal. */
function socialAfter({ rounds }: ReadDebate, round: number): Float64Array {
  return rounds[round - 1]!.social.map(twelveDecimals)
}
