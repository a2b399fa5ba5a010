import {
  type Audit,
  actedErrorBound,
  type Budget,
  budgetSentences,
  type Certificate,
  calibrate,
  className,
  clopperPearsonInterval,
  type DialSettings,
  dialsAround,
  type EvaluatedPolicy,
  type Evaluation,
  groupPrefix,
  halves,
  isRightAt,
  type LocalOptions,
  METHOD_VERSION,
  questionKeys,
  type ReadDebates,
  type ResolvedBudget,
  replay,
  silenceSentences,
  type TotalCertificate,
} from '@quorate/certificate'
import type { BoundPath, BoundPaths, BoundSpread } from '../figures/bound-paths.ts'
import type { CertifiedBin } from '../figures/certified-bins.ts'
import type { FrontierPoint } from '../figures/frontier.ts'
import { readingSentences } from '../text/left-out.ts'
import { countText, percentText } from '../text/number-text.ts'
import { boundedSteps, type DecidedDebate, decideHeldOut, heldOutCells } from './decide-held-out.ts'
import { evenly } from './evenly.ts'
import { exampleDebates } from './example-debates.ts'
import type { HeldOutFigures, Profile, Recompute, ReportData, ReportSource, TotalFigures } from './report-data.ts'
import { stateSpace } from './state-space.ts'

export interface ReportInput {
  readonly source: ReportSource
  readonly read: ReadDebates
  readonly questionOf: (id: string) => string
  readonly profile: Profile
  readonly budget: Budget
  /** Options of the profiles `tight` and `paper`. */
  readonly local?: LocalOptions
  /** Whether the certificate decides each question from the rows of its own group. */
  readonly groupConditional: boolean
  /** All policies at the declared budget, starting with the profile's own. */
  readonly evaluation: Evaluation
  /** The profile's own policy at other budgets. */
  readonly otherBudgets: readonly Evaluation[]
  readonly audit: Audit | null
  readonly recompute: Omit<Recompute, 'methodVersion'>
}

/** Gathers the content of the report. A certificate made from one half of the questions decides the other half. */
export function gatherReport(input: ReportInput): ReportData {
  const { read, questionOf, profile, groupConditional, evaluation } = input
  const { seed } = input.recompute
  const questions = questionKeys(read.debates, questionOf)
  const { train, test } = halves(questions, seed)
  const half = (rows: Uint32Array) => Array.from(rows).flatMap((row) => read.debates[row] ?? [])
  const certificate = calibrate(
    { reading: read.reading, debates: half(train) },
    {
      ...input.local,
      profile,
      budget: input.budget,
      split: { seed },
      questionOf,
      groupConditional,
    },
  )
  const { budget } = certificate
  return {
    source: input.source,
    profile,
    budget,
    promise: certificate.kind === 'total' ? certificate.promise : null,
    groupConditional,
    sentences: budgetSentences({ ...certificate, groupConditional }),
    caveats: caveats(profile, budget, evaluation, input.source),
    evaluation,
    path: frontierPath([evaluation, ...input.otherBudgets], profile),
    audit: input.audit,
    heldOut: {
      ...heldOutFigures(certificate, decideHeldOut(certificate, half(test)), {
        calibration: train.length,
        groupConditional,
      }),
      total: certificate.kind === 'total' ? totalFigures(certificate, { ...read, debates: half(test) }) : null,
    },
    recompute: { ...input.recompute, methodVersion: METHOD_VERSION },
  }
}

/** The classes of the certificate, and the share acted on at other settings on the half that it has not seen. */
function totalFigures(certificate: TotalCertificate, test: ReadDebates): TotalFigures {
  const { promise } = certificate
  const again = replay(certificate, test)
  const actAt = ({ beta, floor }: DialSettings) => {
    const total = { kind: promise.kind, delta: promise.delta, floor: floor ?? ('none' as const) }
    const { actedAt } = again.at({ beta, delta: promise.delta, epsilon: 0, total })
    return actedAt.reduce((sum, round) => sum + Number(round > 0), 0) / Math.max(1, actedAt.length)
  }
  const classes = [...certificate.outcomes].flatMap(([group, outcome]) =>
    outcome.classes.map((count) => {
      const { rows, right, lower, state } = count
      return { name: `${groupPrefix(group)}${className(count)}`, rows, right, lower, state }
    }),
  )
  return { classes, silence: silenceSentences(certificate), dials: dialsAround(promise, actAt) }
}

/** The profile's own policy at each beta, ordered by beta. */
function frontierPath(evaluations: readonly Evaluation[], profile: Profile): FrontierPoint[] {
  const points = new Map<number, FrontierPoint>()
  for (const { beta, policies } of evaluations) {
    const ours = policies.find(({ name }) => name === profile)
    if (ours !== undefined) points.set(beta, { beta, act: ours.act.mean, wrongActions: ours.wrongActions.mean })
  }
  return [...points.values()].sort((a, b) => a.beta - b.beta)
}

function heldOutFigures(
  certificate: Certificate,
  decided: readonly DecidedDebate[],
  { calibration, groupConditional }: { readonly calibration: number; readonly groupConditional: boolean },
): Omit<HeldOutFigures, 'total'> {
  const { threshold, rounds, budget } = certificate
  const line = certificate.kind === 'total' ? 'floor' : 'threshold'
  const acted = decided.filter(({ actedAt }) => actedAt > 0).length
  // `total` has limits for its classes instead of one bound on the error among actions.
  const error = acted === 0 || certificate.kind === 'total' ? null : actedErrorBound(budget, acted, decided.length)
  return {
    calibration,
    debates: decided.length,
    acted,
    actedError: error?.kind === 'bound' ? error.error : null,
    waterfall: { threshold, line, debates: exampleDebates(decided) },
    certified: { threshold, line, bins: certifiedBins(decided) },
    paths: { ...boundSpreads(decided, { threshold, rounds }), line },
    space:
      certificate.kind === 'cells'
        ? { kind: 'cells', cells: heldOutCells(decided, threshold, rounds, groupConditional) }
        : certificate.kind === 'knn'
          ? stateSpace(certificate, decided, groupConditional)
          : null,
  }
}

const SAMPLES_OF_A_KIND = 14

/** The bounds of held-out debates by round, until they act. */
function boundSpreads(
  decided: readonly DecidedDebate[],
  { threshold, rounds }: { readonly threshold: number; readonly rounds: number },
): BoundPaths {
  const spreads = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    (['act', 'defer'] as const).flatMap((kind) => spreadOf(decided, round, kind)),
  )
  const samples = (['act', 'defer'] as const).flatMap((kind) => {
    const long = decided.filter((debate) => kindOf(debate) === kind && boundedSteps(debate).length > 1)
    const paths = evenly(long, SAMPLES_OF_A_KIND).map(
      ({ steps }): BoundPath => ({ kind, bounds: steps.map(({ lower }) => lower) }),
    )
    // Debates through the same cells have the same path, which is drawn once.
    return [...new Map(paths.map((path) => [path.bounds.join(), path])).values()]
  })
  return { threshold, rounds, spreads, samples }
}

function spreadOf(decided: readonly DecidedDebate[], round: number, kind: BoundSpread['kind']): BoundSpread[] {
  const bounds = decided
    .filter((debate) => kindOf(debate) === kind)
    .flatMap(({ steps }) => steps[round - 1]?.lower ?? [])
    .sort((a, b) => a - b)
  if (bounds.length === 0) return []
  const at = (share: number) => bounds[Math.round(share * (bounds.length - 1))] ?? 0
  return [{ round, kind, n: bounds.length, quantiles: [at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)] }]
}

function kindOf({ actedAt }: DecidedDebate): BoundSpread['kind'] {
  return actedAt > 0 ? 'act' : 'defer'
}

/** What a reader must know before quoting a number of the report. */
function caveats(profile: Profile, budget: ResolvedBudget, evaluation: Evaluation, source: ReportSource): string[] {
  const { policies, seeds } = evaluation
  const { unlabelled, failed, reading } = source
  const ours = policies.find(({ name }) => name === profile)
  return [
    ...(budget.feasible
      ? []
      : [`The budget leaves alpha = ${budget.alpha}: nothing can be certified, so everything defers.`]),
    ...neverActs(ours, budget),
    ...alwaysActs(policies, budget),
    `The ${seeds.length} splits overlap, so their spread is no sampling error. Intervals are Clopper-Pearson 95 % of one test half.`,
    'These are your recorded debates replayed. The wrong-action rate in use is estimated by spot checks only.',
    ...(profile === 'cells'
      ? [
          'Other betas on the frontier have other cells. Each keeps its guarantee if it is declared beforehand. The best of several does not.',
        ]
      : []),
    ...(profile === 'paper'
      ? [
          'The paper’s state forgets how the panel came to agree: late agreement is weaker evidence than early agreement at the same state.',
        ]
      : []),
    ...(unlabelled > 0 ? [`${countText(unlabelled)} debates of the file have no label and were left out.`] : []),
    ...(failed > 0 ? [`${countText(failed)} debates of the file broke off and were left out.`] : []),
    ...readingSentences(reading).map((sentence) => `${sentence}.`),
    ...evaluation.skipped.map(({ name, reason }) => `${name} could not be fitted: ${reason}.`),
  ]
}

function neverActs(ours: EvaluatedPolicy | undefined, { feasible }: ResolvedBudget): string[] {
  return feasible && ours?.act.max === 0
    ? ['It acted on nothing in any split. That keeps every budget and is no evidence for the bound.']
    : []
}

/** A budget above the error of the last round is uninformative, because acting on everything stays within it. */
function alwaysActs(policies: readonly EvaluatedPolicy[], { beta }: ResolvedBudget): string[] {
  const always = policies.find(({ name }) => name === 'majority-final')
  if (always === undefined) return []
  const error = percentText(always.wrongActions.mean)
  return always.wrongActions.mean <= beta
    ? [
        `Acting on everything after the last round is wrong on ${error} %, which is within this budget. A smaller budget would be more informative.`,
      ]
    : [`Acting on everything after the last round is wrong on ${error} % of all debates.`]
}

const BINS = 10
const LEAST = 25
const CONFIDENCE = 0.95

/**
 * Held-out debates in bins by the bound that decided them, which is the bound of the action or else the last one. Each
 * debate counts once, so that the labels of a bin are independent. Bins have about the same size, and equal bounds are
 * always in the same bin.
 */
function certifiedBins(decided: readonly DecidedDebate[]): CertifiedBin[] {
  const assessed = decided
    .flatMap((debate) => {
      const last = boundedSteps(debate).at(-1)
      return last === undefined ? [] : { bound: last.lower, isRight: isRightAt(debate.debate, last.round) }
    })
    .sort((a, b) => a.bound - b.bound)
  const size = Math.max(LEAST, Math.ceil(assessed.length / BINS))
  const bins: (typeof assessed)[] = []
  for (const debate of assessed) {
    const bin = bins.at(-1)
    const isSame = bin?.at(-1)?.bound === debate.bound
    if (bin === undefined || (bin.length >= size && !isSame)) bins.push([debate])
    else bin.push(debate)
  }
  return bins.map((bin) => {
    const right = bin.filter(({ isRight }) => isRight).length
    const { lower, upper } = clopperPearsonInterval(right, bin.length, CONFIDENCE)
    const bound = bin.reduce((sum, debate) => sum + debate.bound, 0) / bin.length
    return { bound, n: bin.length, right: right / bin.length, low: lower, high: upper }
  })
}
