import type { AlphaRule, Budget } from '../budget.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'
import type { Halves } from '../knn/split-halves.ts'
import { type Reach, smallestBeta } from './smallest-beta.ts'
import { type Trial, type TrialOptions, tryOut } from './trial.ts'

/** Certificates made from equally many labels, one per split. */
export interface SizeTrials {
  readonly labels: number
  readonly trials: readonly Trial[]
}

/** Trials of one size with what they reach under a budget. */
export interface CurveSize extends SizeTrials {
  readonly reach: Reach
}

/** Shares of the training half. One half is among them and shows the effect of doubling the labels. */
const SHARES = [0.25, 0.35, 0.5, 0.7, 1]
/** A certificate of fewer rows shows nothing. */
const FEWEST_LABELS = 20
/** Smaller certificates are tested on at most this many debates: enough to see one per cent, in a third of the time. */
const FEWER_DEBATES = 2000
/** Three sizes within a smaller factor are too close for a curve. */
const NARROWEST = 1.4
/** Runs of a question stay together, so a pilot may be a few rows short of its share. */
const SAFELY_ABOVE = 1.05

/**
 * How many labels each trial of a split uses; empty if there are too few for one. If the score changed within the last
 * doubling, three of the sizes lie beyond the change, if there is room.
 */
export function curveSizes(calibration: number, changesAt: number | null): number[] {
  return sharesFor(calibration, changesAt)
    .map((share) => Math.floor(share * calibration))
    .filter((labels) => labels >= FEWEST_LABELS)
}

function sharesFor(calibration: number, changesAt: number | null): readonly number[] {
  const first = (SAFELY_ABOVE * (changesAt ?? 0)) / calibration
  const isWithin = changesAt !== null && 0.5 * calibration < changesAt && first * NARROWEST <= 1
  return isWithin ? [0.25, 0.5, first, Math.sqrt(first), 1] : SHARES
}

/** Calibrates on growing parts of the training half, in its random order, and tests each on the test half. */
export function trySplit(
  read: ReadDebates,
  { train, test }: Halves,
  options: TrialOptions & { readonly sizes: readonly number[]; readonly progress: () => void },
): Trial[] {
  const { sizes, progress, ...trial } = options
  return sizes.map((labels, at) => {
    progress()
    const tested = at === sizes.length - 1 ? test : test.subarray(0, FEWER_DEBATES)
    return tryOut(rowsOf(read, train.subarray(0, labels)), rowsOf(read, tested), trial)
  })
}

/** What each size reaches, fewest labels first. The last size is the whole training half. */
export function learningCurve(sizes: readonly SizeTrials[], budget: Budget, rule: AlphaRule): CurveSize[] {
  return sizes.map(({ labels, trials }) => ({ labels, trials, reach: smallestBeta(trials, budget, rule) }))
}

/**
 * The sizes at which every split has the same kind of score as the largest size; none if the splits of the largest
 * differ.
 */
export function sizesOfSameScore<Size extends SizeTrials>(sizes: readonly Size[]): Size[] {
  const last = sizes.at(-1)?.trials[0]?.hasFullScore
  const isSame = ({ trials }: Size) => trials.every(({ hasFullScore }) => hasFullScore === last)
  return sizes.at(-1) && isSame(sizes.at(-1)!) ? sizes.filter(isSame) : []
}

function rowsOf({ reading, debates }: ReadDebates, rows: Uint32Array): ReadDebates {
  return { reading, debates: Array.from(rows, (row) => debates[row]!) }
}
