import { type Bound, type KnnCertificate, namedState, type Panels, type ReadPanel } from '@quorate/certificate'
import { calibrateOurs } from './ours.ts'
import { medianOf } from './outcome.ts'

/** The terms of the bound, each the median over test debates. */
export interface BoundTerms {
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly lower: number
}

/** The bounds of a debate, one a round; null where labels are too few. */
export type BoundPath = readonly (Bound | null)[]

const stateOf = namedState('paper')

/** Of a certificate over the state (p1, margin). */
export function boundPaths(certificate: KnnCertificate, { panels }: Panels): BoundPath[] {
  return panels.map((panel) => panel.rounds.map((_, at) => boundAt(certificate, panel, at + 1)))
}

function boundAt(certificate: KnnCertificate, { rounds, record }: ReadPanel, round: number): Bound | null {
  const found = certificate.bound(round, stateOf(rounds.slice(0, round), record))
  return found.lower === null ? null : found
}

/** At the last round; null where labels are too few. */
export function lastTerms(certificate: KnnCertificate, { panels }: Panels): BoundTerms | null {
  const last = panels.flatMap((panel) => boundAt(certificate, panel, panel.rounds.length) ?? [])
  if (last.length === 0) return null
  const median = (term: keyof BoundTerms) => medianOf(last.map((bound) => bound[term]))
  return { mean: median('mean'), envelope: median('envelope'), slack: median('slack'), lower: median('lower') }
}

/** Median over debates of the best bound of any round; null where labels are too few. */
export function medianBest(paths: readonly BoundPath[]): number | null {
  const best = paths.flatMap((path) => {
    const found = path.flatMap((bound) => bound?.lower ?? [])
    return found.length === 0 ? [] : Math.max(...found)
  })
  return best.length === 0 ? null : medianOf(best)
}

/** Over all debates and rounds. */
export function medianRadius(certificate: KnnCertificate, test: Panels): { radius: number; allowance: number } {
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

/** What each neighbourhood size alone gives at the last round; sizes beyond the rows are left out. */
export function tradeOff({ train, test }: { readonly train: Panels; readonly test: Panels }, seed: number): TradeOff[] {
  return TRADE_OFF_SIZES.flatMap((k) => {
    const certificate = calibrateOurs(train, seed, { kFamily: [k] })
    if (k > certificate.split.neighbours.length) return []
    const terms = lastTerms(certificate, test)
    return terms ? [{ k, ...terms }] : []
  })
}

/** Entropy of the labels of the neighbourhoods that gave the bound, in nats: the median where acted on, and elsewhere. */
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
