import {
  type AlphaRule,
  type Budget,
  betaFor,
  checkBudget,
  type ResolvedBudget,
  resolveBudget,
  type TotalBudget,
} from '../budget.ts'
import { profileAlphaRule } from '../certificate/alpha-rule.ts'
import { type LocalOptions, PROFILES } from '../certificate/calibrate.ts'
import { labelsOf, questionKeys, type ReadDebates } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { figure, rateInterval } from '../evaluation/figures.ts'
import type { Protocol, Tally } from '../evaluation/tally.ts'
import { callsFigure, countsOf, rateFigures } from '../evaluation/tally-figures.ts'
import { halves } from '../knn/split-halves.ts'
import { resolvePromise, usualFloor } from '../total/promise.ts'
import { type CurveFits, estimate, fitCurve } from './curve-fits.ts'
import { labelFloor, needsWrongAnswers, type PlanProfile } from './label-floor.ts'
import { labelsMissing, lastDoubling } from './labels-outlook.ts'
import { type CurveSize, curveSizes, learningCurve, type SizeTrials, trySplit } from './learning-curve.ts'
import type { CurvePoint, FinalRound, Milestone, OperatingFigures, OtherSplit, Plan, ReachedBeta } from './plan.ts'
import { valueAt } from './root-decay.ts'
import { scoreChangesAt } from './score-change.ts'
import { isActing, reachedBeta, smallestBeta } from './smallest-beta.ts'
import { spread } from './spread.ts'
import { totalPlan } from './total-plan.ts'
import { actOf, type TrialOptions } from './trial.ts'

export interface PlanOptions {
  readonly profile: PlanProfile
  readonly budget: Budget
  /** One per split; at least three, since fewer show no spread. */
  readonly seeds: readonly number[]
  /** Default: debate. */
  readonly protocol?: Protocol
  /** Key of the question that a debate is a run of, in addition to `question_of` of the debates. */
  readonly questionOf?: (id: string) => string
  /** Options of the profiles `tight` and `paper`. */
  readonly local?: LocalOptions
  /** Called before each fit with the number of finished fits and their total. */
  readonly progress?: (done: number, of: number) => void
}

/** What these labelled debates allow under a budget, what is missing, and how many labels would provide it. */
export function plan(read: ReadDebates, options: PlanOptions): Plan {
  const profile = choice('plan', 'profile', options.profile, PROFILES)
  checkBudget('plan', options.budget)
  const seeds = checkedSeeds(options.seeds)
  const finalRound = finalRoundOf(read, options.budget)
  const rounds = read.debates[0]!.rounds.length
  const rule = profileAlphaRule(profile, rounds, options.local)
  const total = withoutUsualFloor(options.budget)
  const promise = profile === 'total' ? resolvePromise('plan', { beta: options.budget.beta, ...total }) : null
  // The delta of `total` is that of its promise.
  const declared = promise === null ? options.budget : { ...options.budget, delta: promise.delta }
  const budget = resolveBudget('plan', declared, rule)
  const changesAt = scoreChangesAt(profile, options.local)
  const { sizes, calibration, heldOut } = trySplits(read, { ...options, profile, budget, total, seeds, changesAt })
  const curve = learningCurve(sizes, budget, rule)
  const whole = curve.at(-1)
  const tallies = whole?.trials.flatMap(({ tally }) => tally ?? []) ?? []
  const acting = tallies.filter((tally) => isActing(countsOf(tally))).length
  const feasible = acting > 0 && acting >= seeds.length / 2
  const floor = labelFloor(profile, { ...budget, total }, rounds, options.local)
  const fits = fitCurve(curve, seeds[0]!)
  const smallestBeta = whole ? reachedBeta(whole.reach) : null
  // The delta of `total` is not part of beta, so another delta would not allow a smaller beta.
  const other = feasible || promise !== null ? null : otherSplit(whole, { budget, rule }, smallestBeta)
  const n = read.debates.length
  const task = {
    profile,
    budget,
    rule,
    rounds,
    n,
    scoreChangesAt: changesAt,
    seed: seeds[0]!,
    total,
    local: options.local,
  }
  return {
    profile,
    n,
    calibration,
    heldOut,
    rounds,
    seeds,
    budget,
    feasible,
    actingSplits: acting,
    finalRound,
    floor,
    atBeta: operatingFigures(tallies),
    smallestBeta,
    smallestBetaOfAll: expectedOfAll(fits, { n, calibration, budget, rule, changesAt }),
    otherSplit: other,
    curve: curve.map(curvePoint),
    scoreChangesAt: changesAt,
    labels: feasible
      ? { kind: 'enough', lastDoubling: lastDoubling(sizes) }
      : labelsMissing({
          ...task,
          floor,
          sizes,
          fits,
          needsWrongAnswers: needsWrongAnswers(profile, budget.beta, total),
        }),
    milestones: feasible ? [] : milestones(curve, task, other),
    promise,
    total: promise && totalPlan({ sizes, promise, n, isFloorUsual: total.floor === undefined }),
  }
}

/**
 * Drops a floor that equals the default for its beta, so that it follows beta when other betas are tried.
 * Configurations write the default out.
 */
function withoutUsualFloor({ beta, total = {} }: Budget): TotalBudget {
  const { floor, ...others } = total
  return floor === usualFloor(beta) ? others : total
}

const FEWEST_SPLITS = 3

function checkedSeeds(seeds: readonly number[]): readonly number[] {
  if (Array.isArray(seeds) && seeds.length >= FEWEST_SPLITS) return [...seeds]
  throw new CertificateError('plan', 'seeds', `at least ${FEWEST_SPLITS} seeds, one for each split`, seeds)
}

function finalRoundOf({ debates }: ReadDebates, budget: Budget): FinalRound {
  if (debates.length === 0) throw new CertificateError('plan', 'debates', 'at least one labelled debate', debates)
  const wrong = debates.filter((debate, row) => labelsOf(debate, 'plan', `debates[${row}]`).at(-1) === 0).length
  const error = wrong / debates.length
  const { low, high } = rateInterval(error, debates.length)
  return { error, low: low!, high: high!, meetsBudget: error <= budget.beta }
}

type SplitTask = Omit<TrialOptions, 'seed' | 'protocol'> &
  Pick<PlanOptions, 'seeds' | 'protocol' | 'progress'> & { readonly changesAt: number | null }

/** Each seed is one split. Questions with several runs make halves uneven, so all are cut to the shortest. */
function trySplits(read: ReadDebates, { seeds, progress, protocol = 'debate', changesAt, ...task }: SplitTask) {
  const questions = questionKeys(read.debates, task.questionOf, 'plan')
  const parts = seeds.map((seed) => halves(questions, seed))
  const calibration = Math.min(...parts.map(({ train }) => train.length))
  const labels = curveSizes(calibration, changesAt)
  let done = 0
  const report = () => progress?.(done++, seeds.length * labels.length)
  const splits = parts.map((part, at) =>
    trySplit(read, part, {
      profile: task.profile,
      budget: task.budget,
      ...(task.total && { total: task.total }),
      seed: seeds[at]!,
      protocol,
      sizes: labels,
      progress: report,
      ...(task.questionOf && { questionOf: task.questionOf }),
      ...(task.local && { local: task.local }),
    }),
  )
  const sizes = labels.map((count, at): SizeTrials => ({ labels: count, trials: splits.map((split) => split[at]!) }))
  const heldOut = Math.round(parts.reduce((sum, { test }) => sum + test.length, 0) / parts.length)
  return { sizes, calibration, heldOut }
}

interface Extrapolation {
  readonly n: number
  readonly calibration: number
  readonly budget: ResolvedBudget
  readonly rule: AlphaRule
  readonly changesAt: number | null
}

/** Null if the score changes between the labels tried and all of them. */
function expectedOfAll(fits: CurveFits | null, { n, calibration, budget, rule, changesAt }: Extrapolation) {
  if (fits === null || (changesAt !== null && calibration < changesAt && n >= changesAt)) return null
  return estimate(fits, (fit) => betaFor(Math.min(1 - 1e-9, valueAt(fit, n)), budget, rule))
}

function curvePoint({ labels, trials, reach }: CurveSize): CurvePoint {
  return { labels, smallestBeta: reachedBeta(reach), act: spread(trials.map(actOf)) }
}

interface MilestoneInput {
  readonly profile: PlanProfile
  readonly budget: ResolvedBudget
  readonly rule: AlphaRule
  readonly rounds: number
  readonly n: number
  readonly scoreChangesAt: number | null
  readonly seed: number
  readonly total?: TotalBudget
  readonly local: LocalOptions | undefined
}

const ROUND_BETAS = [
  0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5,
]
const MOST = 3

/**
 * Labels for betas on the way to one that is not reached. If the declared split of beta leaves no alpha, they are for
 * the other split, since the declared one has no figures.
 */
function milestones(
  declared: readonly CurveSize[],
  { profile, budget, rule, rounds, n, scoreChangesAt, seed, total, local }: MilestoneInput,
  other: OtherSplit | null,
): Milestone[] {
  const { delta, epsilon } = !budget.feasible && other ? other : budget
  const { deltaOmega } = budget
  const curve =
    delta === budget.delta ? declared : learningCurve(declared, { beta: budget.beta, delta, epsilon, deltaOmega }, rule)
  const smallest = curve.at(-1)?.reach.beta ?? null
  if (smallest === null) return []
  const fits = fitCurve(curve, seed)
  return ROUND_BETAS.filter((beta) => beta < smallest && beta > budget.beta)
    .slice(-MOST)
    .reverse()
    .map((beta) => {
      const asked = resolveBudget('plan', { beta, delta, epsilon, deltaOmega }, rule)
      const floor = labelFloor(profile, total ? { ...asked, total } : asked, rounds, local)
      const labels = labelsMissing({
        n,
        budget: asked,
        rule,
        floor,
        sizes: curve,
        fits,
        scoreChangesAt,
        needsWrongAnswers: needsWrongAnswers(profile, beta, total),
      })
      return { beta, delta, epsilon, labels }
    })
}

/** Figures of certificates on their test halves, with one tally per split; null without any. */
function operatingFigures(tallies: readonly Tally[]): OperatingFigures | null {
  if (tallies.length === 0) return null
  return {
    ...rateFigures(tallies.map(countsOf)),
    roundsUsed: figure(tallies.map(roundsUsed))!, // never null: there is a tally
    calls: callsFigure(tallies),
  }
}

/** Mean over the debates. A deferral uses all rounds. */
function roundsUsed(tally: Tally): number {
  const { debates, acted } = countsOf(tally)
  const untilAction = tally.acted.reduce((sum, count, at) => sum + count * (at + 1), 0)
  return (untilAction + (debates - acted) * tally.acted.length) / debates
}

const LEAST_DELTA = 0.001
/** A delta above this share of the declared one is not worth proposing. */
const NOTABLY = 0.75

/**
 * Proposes a tenth of beta as delta, if that allows a smaller beta. The proposed delta does not depend on labels, but
 * whether it is proposed does. It is therefore advice for labels that were not used here, and a caller that prints it must
 * say so. epsilon stays the same, since it is an assumption about the state.
 */
function otherSplit(
  size: SizeTrials | undefined,
  { budget, rule }: { readonly budget: ResolvedBudget; readonly rule: AlphaRule },
  reached: ReachedBeta | null,
): OtherSplit | null {
  const { beta, epsilon } = budget
  // If the user reserved a share of delta for the envelope, no other delta is proposed.
  if (budget.deltaOmega > 0) return null
  const delta = Math.max(LEAST_DELTA, Number((beta / 10).toPrecision(1)))
  if (delta > NOTABLY * budget.delta || size === undefined) return null
  const found = reachedBeta(smallestBeta(size.trials, { beta, delta, epsilon }, rule))
  if (found === null || (reached !== null && found.beta >= reached.beta)) return null
  return { delta, epsilon, smallestBeta: found, reaches: found.beta <= beta }
}
