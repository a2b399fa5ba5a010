import type { Budget, ResolvedBudget } from '../budget.ts'
import { looksOf } from '../cells/cell-design.ts'
import { type Certificate, calibrate, type LocalOptions, type Profile } from '../certificate/calibrate.ts'
import { labelsOf, questionKeys, type ReadDebate, type ReadDebates } from '../certificate/read-debates.ts'
import type { Step } from '../certificate/step.ts'
import { CertificateError } from '../certificate-error.ts'
import { halves } from '../knn/split-halves.ts'
import { permutation, type Random, seededRandom } from '../random.ts'

export interface AuditOptions {
  readonly profile: Profile
  readonly budget: Budget
  /** Seeds the split into halves and folds, the choice of pilot rows and the permutations: an integer in [0, 2^32). */
  readonly seed: number
  /** Key of the question that a debate is a run of, in addition to `question_of` of the debates. */
  readonly questionOf?: (id: string) => string
  /** Whether the order of the debates is that of their arrival (default) or means nothing, for example sorted by topic. */
  readonly order?: 'arrival' | 'none'
  /** Whether to audit a certificate that decides each question from the rows of its own group. */
  readonly groupConditional?: boolean
  /** Options of the profiles `tight` and `paper`. The other profiles have none. */
  readonly local?: LocalOptions
}

/** Debates that the certificate has never seen, one per question, with everything that it reports about them. */
export interface HeldOut {
  readonly certificate: Certificate
  readonly budget: ResolvedBudget
  readonly groupConditional: boolean
  /** Debates that the certificate was calibrated on, in the row order of its split. */
  readonly calibrated: readonly ReadDebate[]
  readonly debates: readonly ReadDebate[]
  readonly count: number
  readonly rounds: number
  /** Row-major by debate: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
  /** Row-major; null from the first round on whose panel the certificate was not calibrated for. */
  readonly steps: readonly (Step | null)[]
  /** Row-major; NaN where there is no bound. */
  readonly bounds: Float64Array
  /** Round of the action, 0 for a deferral. */
  readonly actedAt: Uint8Array
  /** 0 for debates whose labels may pick a region, 1 for those that test it. */
  readonly fold: Uint8Array
  /** Accuracy that acting promises: 1 - alpha - epsilon. */
  readonly promise: number
  /** Share of debates whose bound in one given round may exceed their chance, averaged over calibration sets. */
  readonly roundFailure: number
  /**
   * How far acting may fall short of its promise, as a share of all debates; for acted accuracy divide by P(act). Under
   * the paper's rule, which pays for delta out of beta, the shortfall is delta. Under the sharp rule it is none: its
   * shortfall is a mean over calibration sets, which a single certificate cannot show. A check of actions then raises a
   * false alarm with probability at most .01 + delta: .01 by its own level, and delta for a certificate whose bounds
   * are too high where it acts.
   */
  readonly allowedShortfall: 'delta' | 'none'
}

/** The failure probability that a check of actions allows for. */
export function grantedTo({ allowedShortfall }: HeldOut, failure: number): number {
  return allowedShortfall === 'delta' ? failure : 0
}

/**
 * Calibrates on a random half of the questions and holds out the rest. One run of each held-out question is chosen at
 * random, since runs of one question are not independent.
 */
export function holdOut(read: ReadDebates, options: AuditOptions): HeldOut {
  const keys = checkedKeys(read, options)
  return heldOut(read, { keys, ...halves(keys, options.seed) }, options)
}

/** The same, but calibrates on the questions that arrived first, as in deployment. */
export function holdOutLater(read: ReadDebates, options: AuditOptions): HeldOut {
  const keys = checkedKeys(read, options)
  const arrived = [...new Set(keys)]
  const earlier = new Set(arrived.slice(0, Math.ceil(arrived.length / 2)))
  const rows = Uint32Array.from(keys.keys())
  const [train, test] = [true, false].map((isEarlier) => rows.filter((row) => earlier.has(keys[row]!) === isEarlier))
  return heldOut(read, { keys, train: train!, test: test! }, options)
}

function heldOut(
  { debates, reading }: ReadDebates,
  { keys, train, test }: { readonly keys: readonly string[]; readonly train: Uint32Array; readonly test: Uint32Array },
  options: AuditOptions,
): HeldOut {
  const rounds = debates[0]!.rounds.length
  const random = seededRandom((options.seed ^ FOLD_STREAM) >>> 0)
  const tested = oneRunEach(Array.from(test), keys, random).map((row) => debates[row]!)
  // Rows keep the order of the half, as in the evaluator, so a seed gives the same certificate everywhere.
  const calibrated = Array.from(train, (row) => debates[row]!)
  const certificate = calibratedOn({ reading, debates: calibrated }, options)
  const { budget } = certificate
  const steps = tested.flatMap((debate) => stepsOf(certificate, debate, rounds))
  const bounds = Float64Array.from(steps, (step) => step?.lower ?? Number.NaN)
  return {
    certificate,
    budget,
    groupConditional: options.groupConditional ?? false,
    calibrated,
    debates: tested,
    count: tested.length,
    rounds,
    correct: Uint8Array.from(tested.flatMap((debate) => labelsOf(debate, 'audit', 'debates'))),
    steps,
    bounds,
    actedAt: firstActions(bounds, tested.length, certificate),
    fold: foldsOf(tested.length, random),
    promise: Math.min(1, 1 - budget.alpha - budget.epsilon),
    roundFailure: budget.deltaOmega + (budget.delta - budget.deltaOmega) / looks(certificate),
    allowedShortfall: certificate.kind === 'knn' && certificate.options.alphaRule === 'printed' ? 'delta' : 'none',
  }
}

function calibratedOn(read: ReadDebates, options: AuditOptions) {
  const { profile, budget, seed, questionOf, groupConditional, local = {} } = options
  return calibrate(read, {
    ...local,
    trustGrades: true,
    profile,
    budget,
    groupConditional: groupConditional ?? false,
    split: { seed },
    ...(questionOf && { questionOf }),
  })
}

/** Keeps this random stream apart from those that split and fit. */
const FOLD_STREAM = 0x2545f491

/** Chooses one run of each question at random, so no position in the file is preferred. */
function oneRunEach(rows: readonly number[], keys: readonly string[], random: Random): number[] {
  const drawn = new Map<string, number>()
  for (const at of permutation(rows.length, random)) drawn.set(keys[rows[at]!]!, rows[at]!)
  return [...drawn.values()].sort((a, b) => a - b)
}

/** Checks the debates and returns the key of each one's question. */
function checkedKeys({ debates }: ReadDebates, { questionOf }: AuditOptions): readonly string[] {
  const rounds = debates[0]?.rounds.length ?? 0
  for (const [row, debate] of debates.entries()) {
    labelsOf(debate, 'audit', `debates[${row}]`)
    if (debate.rounds.length !== rounds) {
      const expected = `of ${rounds} rounds like debates[0]: a debate that stopped early cannot be audited`
      throw new CertificateError('audit', `debates[${row}].rounds`, expected, debate.rounds.length)
    }
  }
  const keys = questionKeys(debates, questionOf, 'audit')
  if (new Set(keys).size < 2) throw new CertificateError('audit', 'debates', 'debates on 2 questions or more', keys)
  return keys
}

/** A round of another panel ends the debate, since `decide` assesses nothing after it. */
function stepsOf(certificate: Certificate, debate: ReadDebate, rounds: number): (Step | null)[] {
  const steps = new Array<Step | null>(rounds).fill(null)
  for (let round = 1; round <= rounds; round++) {
    const assessed = certificate.assess(debate, round)
    if (assessed.kind === 'uncalibrated') break
    steps[round - 1] = assessed.step
  }
  return steps
}

/** What represents a debate in a round that has a bound: its state, or the score that sorts it into cells. */
export function stateOf({ state, score }: Step): readonly number[] {
  return state ?? [score!]
}

/** The first round of each debate whose bound reaches the threshold; 0 if none does. `bounds` is row-major. */
export function firstActions(bounds: Float64Array, count: number, { feasible, threshold }: Certificate): Uint8Array {
  const rounds = bounds.length / count
  return Uint8Array.from({ length: count }, (_, row) => {
    if (!feasible) return 0
    return bounds.subarray(row * rounds, (row + 1) * rounds).findIndex((bound) => bound >= threshold) + 1
  })
}

function foldsOf(count: number, random: Random): Uint8Array {
  const fold = new Uint8Array(count)
  for (const [at, row] of permutation(count, random).entries()) fold[row] = at % 2
  return fold
}

function looks(certificate: Certificate): number {
  return certificate.kind === 'cells' ? looksOf(certificate.design) : certificate.rounds
}
