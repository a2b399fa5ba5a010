import { type CalibrateOptions, calibrate, type Panels, type Replay, replay } from '@quorate/certificate'
import { halves, SPLIT_SEEDS } from './halves.ts'
import type { SplitOutcome } from './operating-point.ts'

export type Setting = Omit<CalibrateOptions, 'budget'>

/** One split of a data set, calibrated once and ready to be decided under any budget. */
export interface PreparedSplit {
  readonly replay: Replay
  /** Row-major: whether the panel's answer of each round of each test debate was right. */
  readonly correct: Uint8Array
}

export const DELTA = 0.03
export const EPSILON = 0.02

/** Calibrates on one half and lays out the other. */
export function prepareSplit({ panels, reading }: Panels, setting: Setting, seed: number): PreparedSplit {
  const { train, test } = halves(panels, seed)
  const budget = { beta: 0.2, delta: DELTA, epsilon: EPSILON }
  const certificate = calibrate({ panels: train, reading }, { ...setting, budget })
  const correct = test.flatMap(({ record, rounds }) =>
    rounds.map(({ prediction }) => Number(prediction === record.gold)),
  )
  return { replay: replay(certificate, { panels: test, reading }), correct: Uint8Array.from(correct) }
}

export function prepareSplits(
  panels: Panels,
  setting: Setting,
  seeds: readonly number[] = SPLIT_SEEDS,
): PreparedSplit[] {
  return seeds.map((seed) => prepareSplit(panels, setting, seed))
}

export function outcomeAt({ replay: stored, correct }: PreparedSplit, beta: number, delta = DELTA): SplitOutcome {
  const { actedAt } = stored.at({ beta, delta, epsilon: EPSILON })
  const acted = new Array<number>(stored.rounds).fill(0)
  const right = new Array<number>(stored.rounds).fill(0)
  for (const [row, round] of actedAt.entries()) {
    if (round === 0) continue
    acted[round - 1]! += 1
    right[round - 1]! += correct[row * stored.rounds + round - 1]!
  }
  return { questions: stored.debates, acted, right }
}
