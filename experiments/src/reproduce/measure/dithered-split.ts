import { type Panels, replay } from '@quorate/certificate'
import { relativeBeta } from './budgets.ts'
import { calibrateOurs, cellAt } from './ours.ts'
import type { Cell } from './outcome.ts'
import { sweepBudgets } from './sweep.ts'
import { splitInHalves } from './worlds.ts'

/** The paper's method on one split of a twin whose agents do not round what they state. */
export interface DitheredSplit {
  readonly lambda: number | null
  readonly operating: Cell | null
  /** At DITHERED_BETAS. */
  readonly absolute: readonly Cell[]
}

export const DITHERED_BETAS = [0.15, 0.2, 0.3] as const

export function measureDitheredSplit(panels: Panels, seed: number): DitheredSplit {
  const { trainError, lambda } = sweepBudgets(panels, seed)
  const { train, test } = splitInHalves(panels, seed)
  const replayed = replay(calibrateOurs(train, seed), test)
  return {
    lambda: lambda.usual,
    operating: cellAt(replayed, test, relativeBeta(lambda.usual, trainError)),
    absolute: DITHERED_BETAS.map((beta) => cellAt(replayed, test, beta)!),
  }
}
