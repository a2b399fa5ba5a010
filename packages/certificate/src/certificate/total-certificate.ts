import { type Budget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import type { KindCode } from '../kinds/kind.ts'
import type { Split } from '../knn/split-rows.ts'
import type { Score } from '../scores/score.ts'
import { countTotal, type TotalOutcome } from '../total/count.ts'
import { designTotal, type TotalDesign } from '../total/design.ts'
import type { ClassCount } from '../total/judge-classes.ts'
import { type FailedTest, failedFloor, failedTotal } from '../total/outlook.ts'
import { type PromiseLevels, promiseLevels, resolvePromise, type TotalPromise } from '../total/promise.ts'
import { pickStoppingRows, type StoppingRows } from '../total/stopping-rows.ts'
import { assessTotal, prefixScorer } from './assess-total.ts'
import { type Attempts, firstAttempt, furtherAttempt } from './attempts.ts'
import { type TotalFile, totalToJson } from './file/total-file.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { ReadDebate, ResolvedReading } from './read-debates.ts'
import type { Assessment } from './step.ts'
import {
  actsAtAll,
  type ClassLimit,
  type DebateStops,
  type Stop,
  stoppingRule,
  type TotalOutcomes,
} from './stopping-rule.ts'

/**
 * Two promises, each with a confidence: at most beta of all questions are acted on and wrong, and in every listed class
 * of debates at least `floor` of those acted on are right.
 *
 * Pilot rows fix a score, a path of stopping policies and the classes. Neighbour rows are counted: the total is tested
 * policy by policy with the exact binomial tail, the floor class by class. A policy is one function of the whole
 * debate, so there is no survivor effect and no assumption about a representation gap.
 */
export interface TotalCertificate {
  readonly kind: 'total'
  readonly profile: 'total'
  /** alpha is beta, and the threshold of a class is the floor. delta is a confidence and not a share of beta. */
  readonly budget: ResolvedBudget
  readonly promise: TotalPromise
  readonly levels: PromiseLevels
  readonly feasible: boolean
  /** What the lower limit of a class must reach: the floor, or 0 without one (`promise.floor` is then null). */
  readonly threshold: number
  readonly rounds: number
  readonly score: Score
  readonly design: TotalDesign
  readonly outcomes: TotalOutcomes
  /** The outcome that decides debates of this group, or without one; undefined for a group without labels. */
  outcomeOf(group: string | null): TotalOutcome | undefined
  readonly groupConditional: boolean
  /** Questions of these groups always go to a person. The floor holds before this rule is applied. */
  readonly deferredGroups: readonly string[]
  readonly split: Split
  readonly fingerprint: Fingerprint
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  /** Scores of rounds 1..t; null if the panel is not the calibrated one. */
  scoresOf(debate: ReadDebate, round: number): Float64Array | null
  /** What the chosen policy does with a debate whose scores, kinds and excluded rounds are known; see `Stop`. */
  stopAt(debate: DebateStops, group: string | null): Stop
  /** Counts of the class that a certified kind is tested with, and the lower limit of its share of right answers. */
  limitOf(kind: KindCode, group: string | null): ClassLimit
  /** Why nothing is acted on, or why a class is not, and about how many labels are missing. */
  failedTests(group?: string | null): FailedTests
  /**
   * The same score under another promise. The counted labels have already been read for this certificate, so another
   * promise is a further attempt on them and is tested at a smaller delta. Attempts are counted over this certificate
   * and all that were derived from it, in the order of the calls. Repeating a promise is the same attempt. Pass
   * `attempt` if the promise was declared before the labels were read, as in a comparison of several promises.
   */
  withBudget(budget: Budget): TotalCertificate
  assess(debate: ReadDebate, round: number): Assessment
  /** False if no debate can ever be acted on. */
  canAct(): boolean
  toJSON(): TotalFile
}

export interface FailedTests {
  readonly total: FailedTest | null
  readonly classes: readonly { readonly count: ClassCount; readonly failed: FailedTest }[]
}

export interface TotalParts {
  readonly budget: Budget
  /** The design for the stored budget; null if it is still to be made from the pilot rows. */
  readonly design: TotalDesign | null
  readonly score: Score
  readonly split: Split
  /** Pilot rows with out-of-fold scores. */
  readonly pilot: StoppingRows
  readonly neighbours: StoppingRows
  /** Group of each neighbour row. */
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly deferredGroups: readonly string[]
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  readonly fingerprint: Fingerprint
  /**
   * Attempts of the promises that were tested on the same labels without a declared attempt; absent if there is only
   * that of the budget.
   */
  readonly attempts?: Attempts
}

export function totalCertificate(input: TotalParts): TotalCertificate {
  const { neighbours, pilot, score, fingerprint, groupConditional, deferredGroups } = input
  const promise = resolvePromise('certificate', {
    beta: input.budget.beta,
    ...input.budget.total,
    isJudged: neighbours.audit !== undefined,
  })
  refuseBesideSelective(promise, input)
  const levels = promiseLevels(promise)
  const design = input.design ?? designTotal(pilot, neighbours.rows, promise)
  const { attempts = firstAttempt(promise), ...given } = input
  const parts = { ...given, design }
  const outcomes = countOutcomes(parts, promise)
  const rule = stoppingRule({ promise, design, outcomes, groupConditional, deferredGroups })
  const prefixOf = prefixScorer(score, fingerprint)
  const perNeighbour = (pilot.rows + neighbours.rows) / Math.max(1, neighbours.rows)
  return Object.freeze<TotalCertificate>({
    kind: 'total',
    profile: 'total',
    budget: resolvedBudget(promise, input.budget),
    promise,
    levels,
    feasible: true,
    threshold: promise.floor ?? 0,
    rounds: score.layout.agents.length,
    score,
    design,
    outcomes,
    outcomeOf: rule.outcomeOf,
    groupConditional,
    deferredGroups,
    split: input.split,
    fingerprint,
    panel: input.panel,
    ids: input.ids,
    scoresOf(debate, round) {
      const { scores } = prefixOf(debate)
      return scores.length < round ? null : scores.subarray(0, round)
    },
    stopAt: rule.stopAt,
    limitOf: rule.limitOf,
    failedTests(group = null) {
      const outcome = rule.outcomeOf(group)
      if (outcome === undefined) return { total: null, classes: [] }
      return {
        total: failedTotal(outcome, promise, perNeighbour),
        classes: outcome.classes.flatMap((count) => {
          const failed = failedFloor(count, outcome, promise, perNeighbour)
          return failed === null ? [] : [{ count, failed }]
        }),
      }
    },
    withBudget: (other) =>
      totalCertificate({ ...input, attempts, budget: furtherAttempt(promise, attempts, other), design: null }),
    assess: (debate, round) => assessTotal({ rule, promise, deferredGroups }, prefixOf(debate), debate, round),
    canAct: () => [...outcomes.values()].some((outcome) => actsAtAll(outcome, promise)),
    toJSON: () => totalToJson(parts, outcomes),
  })
}

/**
 * The selective target is tested on the debates that a policy acts on. Removing groups afterwards would change that
 * set, and runs of one question are not independent.
 */
function refuseBesideSelective({ kind }: TotalPromise, { deferredGroups, neighbours }: TotalParts): void {
  if (kind !== 'selective') return
  if (deferredGroups.length > 0) {
    const expected =
      'empty beside the selective target: leave these groups out of the calibration set and never ask them'
    throw new CertificateError('certificate', 'deferredGroups', expected, deferredGroups)
  }
  if (neighbours.questions === null) return
  const expected =
    '"pac" or "average" where questions have several runs: the selective test needs independent questions'
  throw new CertificateError('certificate', 'budget.total.kind', expected, kind)
}

function resolvedBudget({ beta, delta, floor }: TotalPromise, { selectedUpTo }: Budget): ResolvedBudget {
  const selected = selectedUpTo === undefined ? {} : { selectedUpTo }
  const resolved = resolveBudget('certificate', { beta, delta, epsilon: 0, ...selected }, { kind: 'total' })
  return Object.freeze({ ...resolved, threshold: floor ?? 0, feasible: true })
}

function countOutcomes(
  { design, neighbours, neighbourGroups, groupConditional }: TotalParts & { readonly design: TotalDesign },
  promise: TotalPromise,
): TotalOutcomes {
  if (!groupConditional) return new Map([[null, countTotal(design, promise, neighbours)]])
  const groups = new Set(neighbourGroups ?? [])
  return new Map(
    [...groups].map((group) => {
      const own = Array.from({ length: neighbours.rows }, (_, row) => row).filter(
        (row) => neighbourGroups?.[row] === group,
      )
      return [group, countTotal(design, promise, pickStoppingRows(neighbours, own))]
    }),
  )
}
