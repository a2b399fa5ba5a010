import { fitCertificate, seededRandom } from '@quorate/certificate'
import { medianOf } from './outcome.ts'

/** How far the bound is below the true chance of being right, which a simulator knows. */
export interface KnownSlack {
  readonly rows: number
  /** Median of q - L over new states with the envelope learned from the pilot, and with the true Lipschitz constant. */
  readonly learned: number
  readonly true: number
  /** Share of new states at which L is above q with the learned envelope. */
  readonly above: number
}

export const KNOWN_SIZES = [250, 500, 1000, 2000, 4000] as const

/**
 * q rises from .55 to .95 along the diagonal of the unit square. Its Lipschitz constant is .4 / sqrt 2 per unit of
 * length.
 */
const LIPSCHITZ = 0.4 / Math.SQRT2
const QUERIES = 150
const BUDGET = { beta: 0.15, delta: 0.03, epsilon: 0.02 }

function chance([x, y]: readonly [number, number]): number {
  return 0.55 + 0.2 * (x + y)
}

/** Neighbourhoods of any size may be chosen, as in Corollary 4, with D = 2 dimensions and one round. */
export function knownSlack(rows: number, seed = 2026): KnownSlack {
  const random = seededRandom(seed + rows)
  const draw = (count: number) => Array.from({ length: count }, (): [number, number] => [random(), random()])
  const states = draw(rows)
  const correct = states.map((state) => Number(random() < chance(state)))
  const kFamily = Array.from({ length: 12 }, (_, at) => 8 * 2 ** at).filter((k) => k <= 0.8 * rows)
  // The states are already uniform on [0, 1], so the constant applies to them directly.
  const fit = (envelope: 'modulus' | { lipschitz: number }) =>
    fitCertificate(
      { rounds: [{ states, correct }] },
      { profile: 'paper', budget: BUDGET, kFamily, cdf: 'none', envelope },
    )
  const queries = draw(QUERIES)
  const gaps = (envelope: Parameters<typeof fit>[0]) => {
    const certificate = fit(envelope)
    return queries.map((state) => chance(state) - (certificate.bound(1, state).lower ?? Number.NaN))
  }
  const learned = gaps('modulus')
  return {
    rows,
    learned: medianOf(learned),
    true: medianOf(gaps({ lipschitz: LIPSCHITZ })),
    above: learned.filter((gap) => gap < 0).length / QUERIES,
  }
}

let known: readonly KnownSlack[] | undefined

/** Depends only on the code, so it is computed once per process. */
export function knownSlacks(): readonly KnownSlack[] {
  known ??= KNOWN_SIZES.map((rows) => knownSlack(rows))
  return known
}
