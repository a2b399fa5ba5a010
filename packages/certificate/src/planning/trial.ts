import type { Budget, ResolvedBudget, TotalBudget } from '../budget.ts'
import { declaredInstead } from '../certificate/attempts.ts'
import { calibrate, type LocalOptions } from '../certificate/calibrate.ts'
import { labelsOf, type ReadDebates } from '../certificate/read-debates.ts'
import type { FailedTests } from '../certificate/total-certificate.ts'
import { type Replay, replay } from '../decision/replay.ts'
import { type Protocol, type Tally, tallyActions } from '../evaluation/tally.ts'
import { countsOf } from '../evaluation/tally-figures.ts'
import { ANY_BUDGET } from '../policies/certificate-policy.ts'
import type { PlanProfile } from './label-floor.ts'
import { isFullScore } from './score-change.ts'
import { isActing, type Tried } from './smallest-beta.ts'

export interface TrialOptions {
  readonly profile: PlanProfile
  readonly budget: ResolvedBudget
  /** Promises of the profile `total` in addition to beta. A floor that is not declared follows beta. */
  readonly total?: TotalBudget
  readonly seed: number
  readonly protocol: Protocol
  readonly questionOf?: (id: string) => string
  readonly local?: LocalOptions
}

/** A certificate made from some labels and tested on debates that it has not seen. */
export interface Trial extends Tried {
  readonly labels: number
  /** Whether its pilot was large enough for a score of all features. */
  readonly hasFullScore: boolean
  /** Whether its pilot debates were all right or all wrong in every round, so that nothing can be learned from them. */
  readonly isOneKind: boolean
  /** Its actions at the declared budget; null if that leaves no alpha. */
  readonly tally: Tally | null
  /** Its actions under another budget. */
  tallyAt(budget: Budget): Tally
  /** Tests that a `total` certificate fails under a budget; null for other profiles. */
  failedAt(budget: Budget): FailedTests | null
}

export function tryOut(train: ReadDebates, test: ReadDebates, options: TrialOptions): Trial {
  const { profile, budget, total, seed, protocol, questionOf, local } = options
  const certificate = calibrate(train, {
    ...local,
    trustGrades: true,
    profile,
    budget: ANY_BUDGET,
    split: { seed },
    ...(questionOf && { questionOf }),
  })
  const { pilot, neighbours } = certificate.split
  const stored = replay(certificate, test)
  const promised = (asked: Budget): Budget => (asked.total === undefined && total ? { ...asked, total } : asked)
  const tallyAt = (asked: Budget) => tallyActions(test.debates, stored.at(promised(asked)).actedAt, { protocol })
  return {
    labels: train.debates.length,
    counted: neighbours.length,
    hasFullScore: isFullScore(profile, pilot.length, local),
    isOneKind: areOneKind(train, pilot),
    acts: remembered((asked) => actsAt(stored, promised(asked))),
    tally: budget.feasible ? tallyAt(budget) : null,
    tallyAt,
    failedAt(asked) {
      return certificate.kind === 'total'
        ? certificate.withBudget(declaredInstead(certificate, promised(asked))).failedTests()
        : null
    },
  }
}

/** Share of the debates that a trial acted on at the declared budget. */
export function actOf({ tally }: Trial): number | null {
  return tally && countsOf(tally).acted / tally.debates
}

function actsAt(stored: Replay, budget: Budget): boolean {
  let acted = 0
  for (const round of stored.at(budget).actedAt) if (round > 0) acted++
  return isActing({ acted, debates: stored.debates })
}

/** Caches results, since searches over all splits and over single splits ask for the same betas. */
function remembered(acts: (budget: Budget) => boolean): (budget: Budget) => boolean {
  const known = new Map<string, boolean>()
  return (budget) => {
    const key = `${budget.beta} ${budget.delta} ${budget.epsilon} ${budget.deltaOmega ?? 0}`
    const found = known.get(key) ?? acts(budget)
    known.set(key, found)
    return found
  }
}

function areOneKind({ debates }: ReadDebates, rows: readonly number[]): boolean {
  const labels = rows.map((row) => labelsOf(debates[row]!, 'plan', `debates[${row}]`))
  const rounds = debates[0]?.rounds.length ?? 0
  return Array.from({ length: rounds }, (_, at) => at).every(
    (at) => new Set(labels.map((label) => label[at])).size <= 1,
  )
}
