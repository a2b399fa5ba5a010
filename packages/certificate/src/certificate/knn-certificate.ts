import { type Budget, declaredBudget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { type Exclusion, exclusionOf } from '../kinds/kind.ts'
import { type CalibrationRows, COORDINATE, isCoordinate, readStates, type StateRows } from '../knn/calibration-rows.ts'
import { type Confidence, confidence } from '../knn/confidence.ts'
import { type EvidenceColumns, gatherEvidence, lowerOf } from '../knn/evidence-columns.ts'
import { boundAt, boundsAt, fitGroup, fitKnn, type KnnFit } from '../knn/knn-fit.ts'
import type { KnnOptions, KnnProfile } from '../knn/knn-options.ts'
import { type Bound, type NoBound, TOO_FEW_LABELS } from '../knn/local-bound.ts'
import { hasEnoughRows } from '../knn/local-evidence.ts'
import { normalisedRows } from '../knn/round-model.ts'
import type { Split } from '../knn/split-rows.ts'
import { type StateCache, stateCache } from '../knn/state-cache.ts'
import { nearestRows } from '../neighbours/brute-force.ts'
import type { StateFunction } from '../states/state-function.ts'
import { knnAlphaRule } from './alpha-rule.ts'
import { type KnnFile, knnToJson } from './file/knn-file.ts'
import type { Fingerprint } from './fingerprint.ts'
import { panelCheck, type ReadDebate, type ResolvedReading } from './read-debates.ts'
import { type RoundState, stateAt } from './state-map.ts'
import { type Assessment, answerAt, hasVote, prefixOf } from './step.ts'

/** A lower bound on correctness at every state, from the nearest labelled debates. */
export interface KnnCertificate {
  readonly kind: 'knn'
  readonly profile: KnnProfile
  readonly budget: ResolvedBudget
  /** False if alpha <= .001. Every decision then defers as `budget-infeasible`. */
  readonly feasible: boolean
  /** 1 - alpha. */
  readonly threshold: number
  readonly rounds: number
  readonly options: KnnOptions
  readonly split: Split
  readonly fingerprint: Fingerprint
  /** How debates are read; null if the certificate was fitted from states. */
  readonly panel: ResolvedReading | null
  /** Per round: the number of distinct pilot states that the modulus used, if it had to take a sample; else null. */
  readonly sampledPilotStates: readonly (number | null)[]
  /** Ids of the calibration debates, row by row. */
  readonly ids: readonly string[] | null
  /** `round` counts from 1. With `group`, the bound comes only from the rows of that group. */
  bound(round: number, state: ArrayLike<number>, group?: string): Bound | NoBound
  /** Lower bounds only; NaN where there is none. */
  bounds(round: number, states: StateRows, group?: string): Float64Array
  /** The labelled rows nearest to a state, nearest first. */
  nearest(round: number, state: ArrayLike<number>, count: number): NearRow[]
  /** The same calibration under another budget; nothing is fitted again. */
  withBudget(budget: Budget): KnnCertificate
  /** The evidence of the calibration rows about debates in every round, before delta is chosen. */
  evidence(debates: readonly ReadDebate[]): EvidenceColumns
  /** Row-major lower bounds of that evidence under this certificate's budget. */
  boundsOf(evidence: EvidenceColumns): Float64Array
  assess(debate: ReadDebate, round: number): Assessment
  /**
   * False if even a state at which every labelled row is right could not reach the threshold. True does not mean that a
   * debate will be acted on.
   */
  canAct(): boolean
  toJSON(): KnnFile
}

export interface NearRow {
  /** Row of the calibration set. */
  readonly row: number
  readonly id: string | null
  /** Distance between normalised states. */
  readonly distance: number
  readonly correct: boolean
}

/** Everything that a k-NN certificate is made from. Its file has the same content. */
export interface KnnParts {
  readonly profile: KnnProfile
  readonly budget: Budget
  readonly options: KnnOptions
  readonly split: Split
  readonly sampleSeed: number
  readonly rows: CalibrationRows
  /** Whether decisions use the rows of the question's own group, and at which level. */
  readonly groupConditional: boolean
  readonly groupLevel: 'ordinary' | 'simultaneous'
  readonly panel: ResolvedReading | null
  readonly states: readonly RoundState[] | null
  readonly customState: StateFunction | null
  readonly ids: readonly string[] | null
  readonly fingerprint: Fingerprint
}

export function knnCertificate(parts: KnnParts, fitted?: KnnFit): KnnCertificate {
  const { options, rows, split } = parts
  const budget = resolveBudget('certificate', parts.budget, knnAlphaRule(options, rows.rounds.length))
  // The profile `paper` reproduces published numbers, which depend on the early stopping of the original solver.
  const gamSolver = parts.profile === 'paper' ? 'scikit-learn' : 'optimum'
  const fitOptions = { ...options, gamSolver, sampleSeed: parts.sampleSeed } as const
  const fit = fitted ?? fitKnn(rows, split, fitOptions)
  const groups = new Set(rows.groups)
  const groupFits = new Map<string, KnnFit>()
  const rounds = fit.models.length
  const pooled = confidenceFor(parts, budget, rounds, 1)
  const grouped = confidenceFor(parts, budget, rounds, parts.groupLevel === 'simultaneous' ? groups.size : 1)
  const caches: StateCache<Bound | NoBound>[] = []

  function fitOf(group: string): KnnFit | null {
    if (!groups.has(group)) return null
    const known = groupFits.get(group)
    if (known) return known
    const own = fitGroup(rows, split, fitOptions, group)
    groupFits.set(group, own)
    return own
  }

  const isCalibrated = panelCheck(parts.fingerprint)

  /** Null if the panel is not the calibrated one. */
  function stateOf(debate: ReadDebate, round: number): readonly number[] | null {
    if (!isCalibrated(debate, round)) return null
    return stateAt(parts.states![round - 1]!, parts.customState, prefixOf(debate, round), debate.record)
  }

  /** As printed, the paper acts on ties and on rounds without news. */
  function exclusionAt(debate: ReadDebate, round: number): Exclusion | null {
    if (parts.profile === 'paper') return hasVote(debate, round) ? null : 'no-vote'
    return exclusionOf(debate.rounds[round - 1]!)
  }

  function checkRound(where: string, round: number): void {
    if (!(Number.isInteger(round) && round >= 1 && round <= rounds)) {
      throw new CertificateError(where, 'round', `an integer from 1 to ${rounds}`, round)
    }
  }

  function checkState(where: string, round: number, state: ArrayLike<number>): void {
    const { dimension } = fit.models[round - 1]!
    if (!(state?.length === dimension)) {
      throw new CertificateError(where, 'state', `${dimension} numbers`, state)
    }
    for (let axis = 0; axis < dimension; axis++) {
      if (!isCoordinate(state[axis])) throw new CertificateError(where, `state[${axis}]`, COORDINATE, state[axis])
    }
  }

  const certificate: KnnCertificate = {
    kind: 'knn',
    profile: parts.profile,
    budget,
    feasible: budget.feasible,
    threshold: budget.threshold,
    rounds,
    options,
    split,
    fingerprint: parts.fingerprint,
    panel: parts.panel,
    sampledPilotStates: fit.models.map(({ sampledPilotStates }) => sampledPilotStates),
    ids: parts.ids,
    bound(round, state, group) {
      checkRound('bound', round)
      checkState('bound', round, state)
      if (group !== undefined) {
        const own = fitOf(group)
        return own ? boundAt(own, options, grouped, round, state) : TOO_FEW_LABELS
      }
      const cache = caches[round - 1] ?? stateCache(fit.models[round - 1]!.dimension)
      caches[round - 1] = cache
      const known = cache.get(state)
      if (known) return known
      const bound = boundAt(fit, options, pooled, round, state)
      cache.set(state, bound)
      return bound
    },
    bounds(round, states, group) {
      checkRound('bounds', round)
      if (group === undefined) return boundsAt(fit, options, pooled, round, states)
      const own = fitOf(group)
      if (own) return boundsAt(own, options, grouped, round, states)
      const { points, dimension } = readStates('bounds', 'states', states)
      return new Float64Array(points.length / dimension).fill(Number.NaN)
    },
    nearest(round, state, count) {
      checkRound('nearest', round)
      checkState('nearest', round, state)
      if (!(Number.isInteger(count) && count >= 0)) {
        throw new CertificateError('nearest', 'count', 'a whole number', count)
      }
      const model = fit.models[round - 1]!
      const query = new Float64Array(model.dimension)
      model.normalise(state, 0, query, 0)
      const { neighbours } = parts.split
      const points = normalisedRows(rows.rounds[round - 1]!, neighbours, model.normalise)
      return nearestRows(points, model.dimension, query)
        .slice(0, count)
        .map(({ row: at, squared }) => {
          const row = neighbours[at]!
          const correct = rows.rounds[round - 1]!.correct[row] === 1
          return { row, id: parts.ids?.[row] ?? null, distance: Math.sqrt(squared), correct }
        })
    },
    withBudget: (other) => knnCertificate({ ...parts, budget: other }, fit),
    evidence(debates) {
      let uncalibrated = -1
      // Votes and stated beliefs repeat a few states thousands of times, so one search serves all of them.
      const places = fit.models.map(({ dimension }) => stateCache<number>(dimension))
      return gatherEvidence(options.kFamily.length, debates.length, rounds, (row, round, place) => {
        // A round of another panel ends the debate, since `decide` assesses nothing after it.
        if (row === uncalibrated) return null
        const debate = debates[row]!
        const state = stateOf(debate, round)
        if (state === null) uncalibrated = row
        else if (exclusionAt(debate, round) !== null) return null
        else checkState('replay', round, state)
        const own = parts.groupConditional ? fitOf(debate.record.group ?? '') : fit
        const read = own?.readers[round - 1]
        if (!(state && read)) return null
        // Each group has its own neighbours, so the state alone does not determine the neighbourhood.
        if (parts.groupConditional) return read(state, 0)
        const known = places[round - 1]!.get(state)
        if (known !== undefined) return known
        places[round - 1]!.set(state, place)
        return read(state, 0)
      })
    },
    boundsOf: (evidence) => lowerOf(evidence, parts.groupConditional ? grouped : pooled, options),
    assess(debate, round) {
      const state = stateOf(debate, round)
      if (state === null) return { kind: 'uncalibrated' }
      const base = { round, answer: answerAt(debate, round), threshold: budget.threshold, state }
      const exclusion = exclusionAt(debate, round)
      if (exclusion !== null) return { kind: 'step', step: { ...base, lower: null, reason: exclusion }, isFinal: false }
      const bound = certificate.bound(round, state, parts.groupConditional ? (debate.record.group ?? '') : undefined)
      if (bound.lower === null)
        return { kind: 'step', step: { ...base, lower: null, reason: bound.reason }, isFinal: false }
      return {
        kind: 'step',
        step: { ...base, ...bound, successes: Math.round(bound.mean * bound.neighbours) },
        isFinal: false,
      }
    },
    canAct() {
      const count = split.neighbours.length
      // A single test over all rows, all of them right and at distance 0. No neighbourhood has a larger bound.
      const looks = options.looks === 'family' ? options.kFamily.length : 1
      const confident = parts.groupConditional ? grouped : pooled
      if (!(budget.feasible && hasEnoughRows(options, count))) return false
      return confident(count, count, looks) >= budget.threshold - ROUNDING
    },
    toJSON: () => knnToJson({ ...parts, budget: declaredBudget(budget) }),
  }
  return Object.freeze(certificate)
}

/**
 * A bound is computed as mean - envelope - slack, so its last digits may exceed the confidence limit that it comes
 * from.
 */
const ROUNDING = 1e-12

function confidenceFor(parts: KnnParts, budget: ResolvedBudget, rounds: number, groups: number): Confidence {
  return confidence({
    concentration: parts.options.concentration,
    variance: parts.profile === 'paper' ? 'paper' : 'unbiased',
    failure: (budget.delta - budget.deltaOmega) / (rounds * Math.max(1, groups)),
  })
}
