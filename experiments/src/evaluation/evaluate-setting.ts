import { type Budget, calibrate, replay } from '@quorate/certificate'
import type { Draw } from '../worlds/worlds.ts'
import type { SplitOutcome } from './operating-point.ts'
import { BETAS, DELTA, EPSILON, type Setting } from './settings.ts'

/** Calibrates on one half and decides the other under each budget, in the order of `betas`. */
export function evaluateSetting(draw: Draw, setting: Setting, betas: readonly number[] = BETAS): SplitOutcome[] {
  return evaluateSettings(draw, [setting], betas)[0]!
}

/** The same for several settings. Settings that differ only in their promise share a fit. */
export function evaluateSettings(
  draw: Draw,
  settings: readonly Setting[],
  betas: readonly number[] = BETAS,
): SplitOutcome[][] {
  const fits = new Map<string, ReturnType<typeof fitted>>()
  return settings.map(({ options, profile, total }) => {
    const key = JSON.stringify(options)
    const fit = fits.get(key) ?? fitted(draw, options, betas[0]!)
    fits.set(key, fit)
    return betas.map((beta) => {
      // Every promise is declared beforehand, so each is the first attempt.
      const promise = profile === 'total' ? { total: { attempt: 1, ...total?.(beta) } } : {}
      return outcomeOf(draw, fit, { ...budgetOf(beta), ...promise })
    })
  })
}

function budgetOf(beta: number): Budget {
  return { beta, delta: DELTA, epsilon: EPSILON }
}

function fitted({ train, test }: Draw, options: Setting['options'], beta: number) {
  const certificate = calibrate(train, { ...options, budget: budgetOf(beta) })
  return { certificate, stored: replay(certificate, test) }
}

function outcomeOf(
  { questions, chances }: Draw,
  { certificate, stored }: ReturnType<typeof fitted>,
  budget: Budget,
): SplitOutcome {
  const { rounds } = stored
  const { actedAt } = stored.at(budget)
  const { threshold, epsilon } = certificate.withBudget(budget).budget
  const chance = Float64Array.from(actedAt, (round, row) =>
    round === 0 ? Number.NaN : chances[row * rounds + round - 1]!,
  )
  return { rounds, line: threshold - epsilon, questions, actedAt, chance }
}
