import { type CalibrateOptions, calibrate, type Debate, type Replay, replay, summariseRounds, readDebate } from '@quorate/certificate'
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

/** Calibrates on one half and lays out the other, for every split seed. */
export function* preparedSplits(debates: readonly Debate[], setting: Setting, seeds: readonly number[] = SPLIT_SEEDS): Generator<PreparedSplit> {
  for (const seed of seeds) {
    const { train, test } = halves(debates, seed)
    const certificate = calibrate(train, { ...setting, budget: { beta: 0.2, delta: DELTA, epsilon: EPSILON } })
    yield { replay: replay(certificate, test), correct: correctness(test, setting) }
  }
}

export function outcomeAt({ replay: stored, correct }: PreparedSplit, beta: number): SplitOutcome {
  const { actedAt } = stored.at({ beta, delta: DELTA, epsilon: EPSILON })
  const acted = new Array<number>(stored.rounds).fill(0)
  const right = new Array<number>(stored.rounds).fill(0)
  for (const [row, round] of actedAt.entries()) {
    if (round === 0) continue
    acted[round - 1]! += 1
    right[round - 1]! += correct[row * stored.rounds + round - 1]!
  }
  return { questions: stored.debates, acted, right }
}

function correctness(debates: readonly Debate[], { beliefs }: Setting): Uint8Array {
  return Uint8Array.from(
    debates.flatMap((debate) => {
      const record = readDebate(debate, beliefs ? { elicitation: beliefs } : {})
      return summariseRounds(record).map(({ prediction }) => (prediction === record.gold ? 1 : 0))
    }),
  )
}
