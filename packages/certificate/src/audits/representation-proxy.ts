import { prefixOf } from '../certificate/step.ts'
import { distinctStates } from '../neighbours/distinct-states.ts'
import { fitGam } from '../smoothers/gam.ts'
import { empiricalCdfs, readCdf } from '../states/empirical-cdf.ts'
import { namedState } from '../states/named-states.ts'
import type { Measure } from './audit.ts'
import { rowsWithBound } from './bound-calibration.ts'
import { type HeldOut, stateOf } from './held-out.ts'

/**
 * The paper's proxy: how much a regression on a richer state differs from one on the certificate's own state. Both are
 * fitted to the labels on which they are compared. Noise alone makes the positive part positive, so this tests nothing.
 */
export function representationProxy(heldOut: HeldOut): Measure[] {
  const gaps = Array.from({ length: heldOut.rounds }, (_, at) => gapsAt(heldOut, at + 1)).flat()
  if (gaps.length === 0) return []
  const measure = (name: string, meaning: string, sign: number): Measure => ({
    name,
    meaning: `${meaning}; fitted and compared on the same labels.`,
    rows: [
      ...summary(
        'all',
        gaps.map(({ gap }) => Math.max(0, sign * gap)),
      ),
      ...summary(
        'acted on',
        gaps.filter(({ isActed }) => isActed).map(({ gap }) => Math.max(0, sign * gap)),
      ),
    ],
  })
  return [
    measure('[q_state - q_rich]+', 'How much a regression on the state exceeds one on p1, margin, p2 and entropy', 1),
    measure('[q_rich - q_state]+', 'How much it falls short of it', -1),
  ]
}

/** Gaps of the debates that stop in this round, whether they are acted on or deferred after the last round. */
function gapsAt(heldOut: HeldOut, round: number): { readonly gap: number; readonly isActed: boolean }[] {
  const { actedAt, correct, rounds, steps, debates } = heldOut
  const at = (row: number) => row * rounds + round - 1
  const rows = rowsWithBound(heldOut, round)
  const stopping = (row: number) => (actedAt[row] === 0 ? rounds : actedAt[row]) === round
  const labels = Uint8Array.from(rows, (row) => correct[at(row)]!)
  if (!rows.some(stopping) || !(labels.includes(0) && labels.includes(1))) return []
  const rich = namedState('paper-4d')
  const byState = fitted(
    rows.map((row) => stateOf(steps[at(row)]!)),
    labels,
  )
  const byRich = fitted(
    rows.map((row) => rich(prefixOf(debates[row]!, round), debates[row]!.record)),
    labels,
  )
  return rows.flatMap((row, place) =>
    stopping(row) ? [{ gap: byState[place]! - byRich[place]!, isActed: actedAt[row]! > 0 }] : [],
  )
}

/** Fits the paper's smoother to normalised states and returns its values at those states. */
function fitted(states: readonly (readonly number[])[], labels: Uint8Array): Float64Array {
  const dimension = states[0]!.length
  const cdfs = empiricalCdfs(Float64Array.from(states.flat()), dimension)
  const points = Float64Array.from(
    states.flatMap((state) => state.map((value, axis) => readCdf(cdfs[axis]!, value, 'step'))),
  )
  const distinct = distinctStates(points, dimension, labels)
  const smoother = fitGam(distinct.points, dimension, distinct.successes, distinct.counts)
  return Float64Array.from(states, (_, row) => smoother.predict(points, row * dimension))
}

function summary(region: string, values: readonly number[]): Measure['rows'][number][] {
  const sorted = values.toSorted((a, b) => a - b)
  const n = sorted.length
  const quantile = (share: number) => (n === 0 ? null : sorted[Math.ceil(share * n) - 1]!)
  return [
    { name: `${region}, mean`, n, value: n === 0 ? null : sorted.reduce((sum, value) => sum + value, 0) / n },
    { name: `${region}, 90th percentile`, n, value: quantile(0.9) },
    { name: `${region}, 95th percentile`, n, value: quantile(0.95) },
    { name: `${region}, largest`, n, value: quantile(1) },
  ]
}
