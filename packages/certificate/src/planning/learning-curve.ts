import type { Panels } from '../certificate/panel.ts'
import type { Halves } from '../evaluation/halves.ts'
import { lowerMedian } from './spread.ts'
import { type Trial, type TrialOptions, tryOut } from './trial.ts'

/** Trials of one split, fewest labels first; the last is calibrated on the whole training half. */
export type SplitTrials = readonly Trial[]

/** Shares of the training half. The half of a half is among them: it tells what doubling the labels did. */
const SHARES = [0.25, 0.35, 0.5, 0.7, 1]
/** With fewer rows a certificate says nothing. */
const FEWEST_LABELS = 20
/** Small certificates are tried on at most so many debates: enough for one per cent, and a third of the time. */
const FEWER_DEBATES = 2000

/** How many labels each trial of a split is made from; empty when there are too few for one. */
export function curveSizes(calibration: number): number[] {
  return SHARES.map((share) => Math.floor(share * calibration)).filter((labels) => labels >= FEWEST_LABELS)
}

/** Calibrates on growing parts of the training half, in its random order, and tries each on the test half. */
export function trySplit(
  panels: Panels,
  { train, test }: Halves,
  options: TrialOptions & { readonly sizes: readonly number[]; readonly progress: () => void },
): SplitTrials {
  const { sizes, progress, ...trial } = options
  return sizes.map((labels, at) => {
    progress()
    const tested = at === sizes.length - 1 ? test : test.subarray(0, FEWER_DEBATES)
    return tryOut(rowsOf(panels, train.subarray(0, labels)), rowsOf(panels, tested), trial)
  })
}

/** The curve in labels and median alpha, without the sizes at which fewer than half of the splits reach any. */
export function alphaCurve(splits: readonly SplitTrials[]): { readonly labels: number; readonly value: number }[] {
  return (splits[0] ?? []).flatMap(({ labels }, at) => {
    const value = lowerMedian(splits.map((trials) => trials[at]!.smallestAlpha))
    return value === null ? [] : [{ labels, value }]
  })
}

function rowsOf({ reading, panels }: Panels, rows: Uint32Array): Panels {
  return { reading, panels: Array.from(rows, (row) => panels[row]!) }
}
