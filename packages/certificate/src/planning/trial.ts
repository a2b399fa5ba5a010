import type { Budget, ResolvedBudget } from '../budget.ts'
import { calibrate } from '../certificate/calibrate.ts'
import type { Panels } from '../certificate/panel.ts'
import { replay } from '../decision/replay.ts'
import { type Protocol, type Tally, tallyActions } from '../evaluation/tally.ts'
import { countsOf } from '../evaluation/tally-figures.ts'
import { ANY_BUDGET, PILOT_FRACTION } from '../policies/certificate-policy.ts'
import type { PlanProfile } from './label-floor.ts'
import { smallestAlpha } from './smallest-alpha.ts'

export interface TrialOptions {
  readonly profile: PlanProfile
  readonly budget: ResolvedBudget
  readonly seed: number
  readonly protocol: Protocol
  readonly questionOf?: (id: string) => string
}

/** A certificate made from some labels and tried on debates it has not seen. */
export interface Trial {
  readonly labels: number
  /** The smallest alpha that acts; null when none does. */
  readonly smallestAlpha: number | null
  /** The same with beta shared out in another way. */
  smallestAlphaWith(other: Budget): number | null
  /** What it did at the declared budget; null when that leaves no alpha. */
  readonly tally: Tally | null
}

export function tryOut(train: Panels, test: Panels, options: TrialOptions): Trial {
  const { profile, budget, seed, protocol, questionOf } = options
  const certificate = calibrate(train, {
    profile,
    budget: ANY_BUDGET,
    split: { pilotFraction: PILOT_FRACTION, seed },
    ...(questionOf && { questionOf }),
  })
  const stored = {
    kind: certificate.kind,
    replay: replay(certificate, test),
    counted: certificate.split.neighbours.length,
  }
  return {
    labels: train.panels.length,
    smallestAlpha: smallestAlpha(stored, budget),
    smallestAlphaWith: (other) => smallestAlpha(stored, other),
    tally: budget.feasible ? tallyActions(test.panels, stored.replay.at(budget).actedAt, { protocol }) : null,
  }
}

/** Share of the debates that a trial acted on at the declared budget. */
export function actOf({ tally }: Trial): number | null {
  return tally && countsOf(tally).acted / tally.debates
}
