import { type Bound, type KnnCertificate, namedState, type ReadDebate, type ReadDebates } from '@quorate/certificate'
import { calibrateOurs } from './ours.ts'
import { medianOf } from './outcome.ts'

/** The terms of the bound, each the median over test debates. */
export interface BoundTerms {
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly lower: number
}

/** The bounds of a debate, one per round; null if there are too few labels. */
export type BoundPath = readonly (Bound | null)[]

const stateOf = namedState('paper')

/** Bounds of a certificate over the state (p1, margin). */
export function boundPaths(certificate: KnnCertificate, { debates }: ReadDebates): BoundPath[] {
  return debates.map((debate) => debate.rounds.map((_, at) => boundAt(certificate, debate, at + 1)))
}

function boundAt(certificate: KnnCertificate, { rounds, record }: ReadDebate, round: number): Bound | null {
  const found = certificate.bound(round, stateOf(rounds.slice(0, round), record))
  return found.lower === null ? null : found
}

/** Terms at the last round; null if there are too few labels. */
export function lastTerms(certificate: KnnCertificate, { debates }: ReadDebates): BoundTerms | null {
  const last = debates.flatMap((debate) => boundAt(certificate, debate, debate.rounds.length) ?? [])
  if (last.length === 0) return null
  const median = (term: keyof BoundTerms) => medianOf(last.map((bound) => bound[term]))
  return { mean: median('mean'), envelope: median('envelope'), slack: median('slack'), lower: median('lower') }
}

/** Median over debates of the best bound of any round; null if there are too few labels. */
export function medianBest(paths: readonly BoundPath[]): number | null {
  const best = paths.flatMap((path) => {
    const found = path.flatMap((bound) => bound?.lower ?? [])
    return found.length === 0 ? [] : Math.max(...found)
  })
  return best.length === 0 ? null : medianOf(best)
}

/** Medians over all debates and rounds. */
export function medianRadius(certificate: KnnCertificate, test: ReadDebates): { radius: number; allowance: number } {
  const bounds = boundPaths(certificate, test).flatMap((path) => path.flatMap((bound) => bound ?? []))
  return {
    radius: medianOf(bounds.map(({ radius }) => radius)),
    allowance: medianOf(bounds.map(({ envelope, slack }) => envelope + slack)),
  }
}

/** Neighbourhood sizes of the figure on bias and variance. */
export const TRADE_OFF_SIZES = [32, 64, 128, 256, 512, 1024, 2048] as const

export interface TradeOff extends BoundTerms {
  readonly k: number
}

/** Terms of each neighbourhood size alone at the last round. Sizes beyond the number of rows are left out. */
export function tradeOff(
  { train, test }: { readonly train: ReadDebates; readonly test: ReadDebates },
  seed: number,
): TradeOff[] {
  return TRADE_OFF_SIZES.flatMap((k) => {
    const certificate = calibrateOurs(train, seed, { kFamily: [k] })
    if (k > certificate.split.neighbours.length) return []
    const terms = lastTerms(certificate, test)
    return terms ? [{ k, ...terms }] : []
  })
}

/**
 * Median entropy, in nats, of the labels of the neighbourhoods that gave the bound, where debates were acted on and
 * elsewhere.
 */
export function neighbourEntropy(
  paths: readonly BoundPath[],
  actedAt: ArrayLike<number>,
): { readonly acted: number | null; readonly deferred: number | null } {
  const entropies = (isActed: boolean) =>
    paths.flatMap((path, row) => {
      const round = actedAt[row]!
      if (round > 0 !== isActed) return []
      const bound = path[(round || path.length) - 1]
      return bound ? entropyOf(bound.mean) : []
    })
  const medianOrNull = (values: readonly number[]) => (values.length === 0 ? null : medianOf(values))
  return { acted: medianOrNull(entropies(true)), deferred: medianOrNull(entropies(false)) }
}

function entropyOf(share: number): number {
  const part = (probability: number) => (probability > 0 ? -probability * Math.log(probability) : 0)
  return part(share) + part(1 - share)
}
