import {
  type CalibrateOptions,
  calibrate,
  type KnnCertificate,
  type ReadDebates,
  type Replay,
} from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import { type Cell, outcomeOf } from './outcome.ts'

export const PILOT_FRACTION = 0.2

export type OursOptions = Omit<CalibrateOptions, 'profile' | 'budget'>

/** The paper's method: the shipped profile `paper`, with the paper's share of pilot rows. */
export function calibrateOurs(train: ReadDebates, seed: number, options: OursOptions = {}): KnnCertificate {
  const split = { pilotFraction: PILOT_FRACTION, ...(options.split ?? { seed }) }
  return calibrate(train, { ...options, profile: 'paper', split, budget: usualBudget(0.15) })
}

/** The outcome under a budget; null without one. */
export function cellAt(replayed: Replay, test: ReadDebates, beta: number | null): Cell | null {
  if (beta === null) return null
  return { beta, outcome: outcomeOf(test.debates, replayed.at(usualBudget(beta)).actedAt) }
}
