import { labelsOf, type ReadDebate } from '../certificate/read-debates.ts'
import { prefixOf } from '../certificate/step.ts'
import { type Modulus, modulus, readModulus } from '../envelopes/modulus.ts'
import { PAIRWISE_LIMIT } from '../envelopes/pilot-states.ts'
import { type DistinctStates, distinctStates } from '../neighbours/distinct-states.ts'
import { fitGam } from '../smoothers/gam.ts'
import type { Smoother } from '../smoothers/smoother.ts'
import { empiricalCdfs, readCdf } from '../states/empirical-cdf.ts'
import { namedState } from '../states/named-states.ts'
import type { Measure } from './audit.ts'
import type { HeldOut } from './held-out.ts'

const EDGES = [0, 0.02, 0.05, 0.1, 0.15, 0.2]
/** Most held-out debates whose pairs are compared. */
const MOST_ROWS = 1500
const ROUND = 1
const DIMENSION = 2

/**
 * The paper's table: the share of held-out pairs whose smoothed values differ by no more than the modulus at their
 * distance. It compares the smoother with itself, so it can hardly fail. Only for the profile `paper`, and for round 1
 * as in the paper.
 */
export function smoothnessCoverage({ certificate, calibrated, debates }: HeldOut): Measure[] {
  if (certificate.kind === 'cells' || certificate.profile !== 'paper') return []
  const cdfs = empiricalCdfs(statesOf(calibrated), DIMENSION)
  const placesOf = (found: readonly ReadDebate[]) =>
    statesOf(found).map((value, at) => readCdf(cdfs[at % DIMENSION]!, value, 'step'))
  const pilot = certificate.split.pilot.map((row) => calibrated[row]!)
  const labels = Uint8Array.from(pilot, (debate) => labelsOf(debate, 'audit', 'debates')[ROUND - 1]!)
  if (!(labels.includes(0) && labels.includes(1))) return []
  const states = distinctStates(placesOf(pilot), DIMENSION, labels)
  const smoother = fitGam(states.points, DIMENSION, states.successes, states.counts, 'scikit-learn')
  const table = modulusOf(states, smoother)
  const places = placesOf(debates.slice(0, MOST_ROWS))
  const bins = countPairs(places, smoothedAt(places, smoother), (distance) => readModulus(table, distance, 'linear'))
  const nameOf = (bin: number) => `[${EDGES[bin]!.toFixed(2)}, ${EDGES[bin + 1]!.toFixed(2)})`
  const rows = bins.map(({ pairs, covered }, bin) => ({
    name: nameOf(bin),
    n: pairs,
    value: pairs === 0 ? null : covered / pairs,
  }))
  const modulusRows = EDGES.slice(1).map((edge) => ({
    name: `within ${edge.toFixed(2)}`,
    n: null,
    value: readModulus(table, edge, 'linear'),
  }))
  const meaning =
    "The paper's diagnostic: held-out pairs of round 1 whose smoothed values differ by no more than the modulus, by " +
    'distance. It compares the smoother with itself.'
  return [
    { name: 'smoothness coverage', meaning, rows },
    {
      name: 'modulus',
      meaning: 'Largest change of the smoothed pilot labels within a distance, round 1.',
      rows: modulusRows,
    },
  ]
}

function modulusOf({ points, counts }: DistinctStates, smoother: Smoother): Modulus {
  const looked = Math.min(counts.length, PAIRWISE_LIMIT)
  const some = points.subarray(0, looked * DIMENSION)
  const smoothed = smoothedAt(some, smoother)
  return modulus({ points: some, dimension: DIMENSION, counts: counts.subarray(0, looked), smoothed })
}

function statesOf(debates: readonly ReadDebate[]): Float64Array {
  const state = namedState('paper')
  return Float64Array.from(debates.flatMap((debate) => state(prefixOf(debate, ROUND), debate.record)))
}

function smoothedAt(points: Float64Array, smoother: Smoother): Float64Array {
  return Float64Array.from({ length: points.length / DIMENSION }, (_, row) => smoother.predict(points, row * DIMENSION))
}

function countPairs(points: Float64Array, smoothed: Float64Array, allowed: (distance: number) => number) {
  const bins = EDGES.slice(1).map(() => ({ pairs: 0, covered: 0 }))
  for (let i = 0; i < smoothed.length; i++) {
    for (let j = i + 1; j < smoothed.length; j++) {
      const distance = Math.hypot(points[2 * i]! - points[2 * j]!, points[2 * i + 1]! - points[2 * j + 1]!)
      const bin = bins[EDGES.findIndex((edge) => distance < edge) - 1]
      if (bin === undefined) continue
      bin.pairs++
      if (Math.abs(smoothed[i]! - smoothed[j]!) <= allowed(distance) + 1e-12) bin.covered++
    }
  }
  return bins
}
