import type { Budget } from '../budget.ts'
import { describeKind, type KindCode, kindName } from '../kinds/kind.ts'
import { betaQuantileComplement } from '../special/beta-quantile.ts'
import { resolvePromise, usualFloor } from '../total/promise.ts'
import type { KindFigures } from './evaluation.ts'
import { rateInterval } from './figures.ts'
import type { Tally } from './tally.ts'

/** A kind with fewer actions in a test half is shown but not judged. */
export const ACTIONS_TO_JUDGE = 50
const LEVEL = 0.01

/** The declared floor, else the default one. Policies that promise no floor are judged by it too. */
export function judgingFloor({ beta, total }: Pick<Budget, 'beta' | 'total'>): number {
  return resolvePromise('evaluate', { beta, ...total }).floor ?? usualFloor(beta)
}

/** Every kind that some split acted on, in the order of kinds. */
export function kindFigures(tallies: readonly Pick<Tally, 'kinds'>[], floor: number): KindFigures[] {
  const counts = new Map<KindCode, { acted: number; right: number }>()
  for (const { kinds } of tallies) {
    for (const [kind, { acted, right }] of kinds) {
      const count = counts.get(kind) ?? { acted: 0, right: 0 }
      counts.set(kind, { acted: count.acted + acted, right: count.right + right })
    }
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([kind, { acted, right }]) => {
      const perSplit = acted / tallies.length
      const rate = right / acted
      return {
        kind: kindName(kind),
        ...describeKind(kind),
        acted,
        right,
        rate,
        ...rateInterval(rate, Math.round(perSplit)),
        perSplit,
        isBelow: upperLimit(right / tallies.length, perSplit) < floor,
      }
    })
}

export function judgedKinds(perKind: readonly KindFigures[]): readonly KindFigures[] {
  return perKind.filter(({ perSplit }) => perSplit >= ACTIONS_TO_JUDGE)
}

/**
 * Clopper-Pearson limit for the mean counts of a test half, which need not be integers: the beta quantile interpolates
 * between the values at integer counts. Less than one wrong answer counts as one.
 */
function upperLimit(right: number, count: number): number {
  return right === count ? 1 : betaQuantileComplement(LEVEL, Math.max(1, count - right), right + 1)
}
