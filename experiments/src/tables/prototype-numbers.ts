import type { RecordedName } from '../data/recorded.ts'

/** One cell of the prototype's table, in percent. */
export interface PrototypeNumber {
  readonly act: number
  readonly min: number
  readonly max: number
  /** Null when it never acted. */
  readonly accuracy: number | null
  /** Act when it is given the rows of our ten halves, pilots included, in place of its own. */
  readonly actOnOurHalves: number
}

export type PrototypeColumn = 'paper' | 'tight' | 'path' | 'nominate'

/**
 * Output of the independent Python prototype behind the method's table (scikit-learn, SciPy), run on 2026-11-15: once
 * unchanged, with the ten halves that numpy draws from the seeds, and once on the rows of the halves that we draw from the
 * same seeds. The first reproduces the method's table, with one decimal more. One cell differs: for dylan at .20 the
 * method prints 0 in the k-NN column where the prototype says 0.7.
 */
export const PROTOTYPE: Readonly<
  Partial<Record<RecordedName, Readonly<Record<number, Readonly<Record<PrototypeColumn, PrototypeNumber>>>>>>
> = {
  'mmlu-pro-conf-12models': {
    0.1: {
      paper: none(),
      tight: of([6.4, 0, 13], 97.6, 5.0),
      path: of([16.6, 4, 34], 96.5, 13.6),
      nominate: of([20.2, 0, 37], 95.2, 19.2),
    },
    0.15: {
      paper: none(),
      tight: of([42.1, 38, 45], 94.5, 41.4),
      path: of([41.9, 38, 45], 93.8, 41.5),
      nominate: of([45.4, 26, 60], 92.1, 47.7),
    },
    0.2: {
      paper: of([5.7, 0, 11], 95.7, 5.0),
      tight: of([54.5, 48, 59], 92.8, 56.5),
      path: of([57.1, 54, 61], 90.6, 57.0),
      nominate: of([65.1, 41, 72], 88.9, 59.0),
    },
    0.3: {
      paper: of([35.4, 26, 41], 93.0, 36.9),
      tight: of([68.2, 65, 72], 89.7, 69.1),
      path: of([74.4, 71, 78], 86.1, 73.2),
      nominate: of([79.8, 78, 81], 84.9, 79.3),
    },
  },
  'mmlu-pro-14models': {
    0.1: {
      paper: none(),
      tight: of([0.1, 0, 1], 98.8, 0),
      path: of([4.5, 0, 18], 95.2, 1.8),
      nominate: of([5.5, 0, 16], 94.3, 1.4),
    },
    0.15: {
      paper: none(),
      tight: of([18.4, 12, 23], 93.7, 16.3),
      path: of([25.2, 18, 33], 91.9, 24.5),
      nominate: of([28.3, 21, 39], 91.1, 27.5),
    },
    0.2: {
      paper: of([9.4, 0, 24], 92.7, 11.7),
      tight: of([36.5, 32, 41], 91.1, 36.6),
      path: of([40.8, 34, 45], 89.9, 41.9),
      nominate: of([45.2, 38, 53], 88.1, 41.7),
    },
    0.3: {
      paper: of([43.1, 39, 48], 87.3, 44.3),
      tight: of([56.5, 54, 59], 86.7, 54.6),
      path: of([55.9, 50, 61], 86.0, 55.5),
      nominate: of([56.1, 51, 65], 85.0, 57.7),
    },
  },
  'dylan-mmlu-3agents': {
    0.1: { paper: none(), tight: none(), path: none(), nominate: none() },
    0.15: { paper: none(), tight: none(), path: none(), nominate: none() },
    0.2: { paper: none(), tight: of([0.7, 0, 7], 87.4, 0), path: none(0.5), nominate: none() },
    0.3: {
      paper: none(5.6),
      tight: of([15.4, 3, 28], 85.2, 14.4),
      path: of([53.0, 44, 62], 80.8, 52.1),
      nominate: of([50.1, 0, 63], 80.0, 55.0),
    },
  },
}

function of(
  [act, min, max]: readonly [number, number, number],
  accuracy: number,
  actOnOurHalves: number,
): PrototypeNumber {
  return { act, min, max, accuracy, actOnOurHalves }
}

function none(actOnOurHalves = 0): PrototypeNumber {
  return { act: 0, min: 0, max: 0, accuracy: null, actOnOurHalves }
}
