import { clopperPearsonLower, clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { questionsOf } from './log-capital.ts'
import type { BoundSettings } from './monitor-settings.ts'
import { wrongRateLower, wrongRateUpper } from './rate-bounds.ts'
import { drawsOf, type RiskState } from './risk-monitor.ts'

/** The realised wrong-action rate: drawn, acted on and wrong, of all drawn. */
export interface RealisedRate {
  readonly wrong: number
  readonly draws: number
  readonly rate: number
  /** If everything undecidable or open turned out wrong. */
  readonly rateAtMost: number
  /** 95 % Clopper-Pearson of the draws: for one look at one moment chosen beforehand. */
  readonly interval: { readonly lower: number; readonly upper: number }
}

const TAIL = 0.025

/** Null before the first draw. What is not known counts as not wrong at the lower end, as wrong at the upper one. */
export function realisedRate(state: RiskState): RealisedRate | null {
  const draws = drawsOf(state)
  if (draws === 0) return null
  const { wrong } = state
  const atMost = wrongAtMost(state)
  return {
    wrong,
    draws,
    rate: wrong / draws,
    rateAtMost: atMost / draws,
    interval: { lower: clopperPearsonLower(wrong, draws, TAIL), upper: clopperPearsonUpper(atMost, draws, TAIL) },
  }
}

/**
 * Bounds on the rate averaged over all questions so far, each valid at every moment at once with probability 1 - eta;
 * both together with 1 - 2 eta. Null before the first question.
 */
export function rateBounds(
  state: RiskState,
  settings: BoundSettings,
): { readonly lower: number; readonly upper: number } | null {
  const { asked, wrong } = state
  if (questionsOf(state) === 0) return null
  return {
    lower: wrongRateLower({ asked, wrong }, settings),
    upper: wrongRateUpper({ asked, wrong: wrongAtMost(state) }, settings),
  }
}

function wrongAtMost({ wrong, undecidable, open }: RiskState): number {
  return wrong + undecidable + open
}
