import { clopperPearsonLower, clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { questionsOf } from './log-capital.ts'
import type { BoundSettings } from './monitor-settings.ts'
import { missOf, wrongRateLower, wrongRateUpper } from './rate-bounds.ts'
import { type RiskState, sampledOf } from './risk-monitor.ts'

/**
 * The realised wrong-action rate: the share of sampled questions that were acted on and wrong. If p changed, it is not
 * an average over questions.
 */
export interface RealisedRate {
  readonly wrong: number
  readonly sampled: number
  readonly rate: number
  /** The rate if every abandoned or open question turned out to be wrong. */
  readonly rateAtMost: number
  /** 95 % Clopper-Pearson interval of the spot checks, valid at one moment that was chosen beforehand. */
  readonly interval: { readonly lower: number; readonly upper: number }
}

const TAIL = 0.025

/** Null before the first spot check. Unknown outcomes count as not wrong at the lower end and as wrong at the upper end. */
export function realisedRate(state: RiskState): RealisedRate | null {
  const sampled = sampledOf(state)
  if (sampled === 0) return null
  const { wrong } = state
  const atMost = wrongAtMost(state)
  return {
    wrong,
    sampled,
    rate: wrong / sampled,
    rateAtMost: atMost / sampled,
    interval: { lower: clopperPearsonLower(wrong, sampled, TAIL), upper: clopperPearsonUpper(atMost, sampled, TAIL) },
  }
}

/** The rate averaged over questions, with bounds on it. */
export interface AverageRate {
  /**
   * The mean of the stretches weighted by their number of questions, which for one p is the realised rate; null before
   * the first spot check.
   */
  readonly rate: number | null
  readonly lower: number
  readonly upper: number
  /**
   * Lower limit of the probability that both bounds hold at every moment simultaneously: 1 - 2 eta, or less once p has
   * changed (`missOf`).
   */
  readonly level: number
}

/** Bounds on the rate averaged over all questions so far. Null before the first question. */
export function rateBounds(state: RiskState, settings: BoundSettings): AverageRate | null {
  const { asked } = state
  if (questionsOf(state) === 0) return null
  return {
    rate: averageOf(asked.filter(({ sampled }) => sampled > 0)),
    lower: wrongRateLower(asked, settings),
    upper: wrongRateUpper(
      asked.map(({ wrong, unknown, ...stretch }) => ({ ...stretch, wrong: wrong + unknown })),
      settings,
    ),
    level: 1 - 2 * missOf(asked, settings),
  }
}

/** A single stretch is divided directly, without the rounding of a mean. */
function averageOf(stretches: RiskState['asked']): number | null {
  const [only, ...others] = stretches
  if (only === undefined) return null
  if (others.length === 0) return only.wrong / only.sampled
  const questions = questionsOf({ asked: stretches })
  return stretches.reduce((sum, { wrong, sampled, ...one }) => sum + ((wrong / sampled) * one.questions) / questions, 0)
}

function wrongAtMost({ wrong, abandoned, open }: RiskState): number {
  return wrong + abandoned + open
}
