import { type Budget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { type Bar, barOf, type KindCode, kindOf } from '../kinds/kind.ts'
import type { Split } from '../knn/split-rows.ts'
import { featureRows } from '../scores/features.ts'
import { type Score, scoreRows } from '../scores/score.ts'
import { countTotal, type TotalOutcome } from '../total/count.ts'
import { designTotal, type TotalDesign } from '../total/design.ts'
import type { ClassCount } from '../total/judge-classes.ts'
import { type FailedTest, failedFloor, failedTotal } from '../total/outlook.ts'
import { type PromiseLevels, promiseLevels, resolvePromise, type TotalPromise } from '../total/promise.ts'
import { pickStoppingRows, type StoppingRows } from '../total/stopping-rows.ts'
import { type TotalFile, totalToJson } from './file/total-file.ts'
import type { Fingerprint } from './fingerprint.ts'
import { type PanelReading, panelCheck, type ReadPanel } from './panel.ts'
import { type Assessment, answerAt, type OpenReason } from './step.ts'

/**
 * Two promises in one certificate: at most beta of all questions are acted on and wrong, and in every listed class of debates
 * at least `floor` of those acted on are right.
 *
 * Pilot rows fix a score, a path of stopping policies and the classes. Neighbour rows are counted: the total is tested policy
 * by policy with the exact binomial tail, the floor class by class. A policy is one function of the whole debate, so that
 * there is no survivor effect and no representation gap to assume away.
 */
export interface TotalCertificate {
  readonly kind: 'total'
  readonly profile: 'total'
  /** alpha is beta, and the threshold of a class is the floor: delta is a confidence and no slice of beta. */
  readonly budget: ResolvedBudget
  readonly promise: TotalPromise
  readonly levels: PromiseLevels
  readonly feasible: boolean
  /** The floor; 0 where there is none. */
  readonly threshold: number
  readonly rounds: number
  readonly score: Score
  readonly design: TotalDesign
  /** By group where the certificate is group-conditional, else under the name ''. */
  readonly outcomes: ReadonlyMap<string, TotalOutcome>
  /** Of all questions, or of the named group; undefined for a group without labels. */
  outcomeOf(group: string | null): TotalOutcome | undefined
  readonly groupConditional: boolean
  /** Questions of these groups always go to a person. The floor is that before this rule. */
  readonly deferredGroups: readonly string[]
  readonly split: Split
  readonly fingerprint: Fingerprint
  readonly panel: PanelReading
  readonly ids: readonly string[]
  /** Scores of rounds 1..t; null when the panel is not the one that was calibrated. */
  scoresOf(panel: ReadPanel, round: number): Float64Array | null
  /** What this policy does with a debate whose scores, kinds and bars are known: see `Stop`. */
  stopAt(debate: DebateStops, group: string | null): Stop
  /** The rows of the class that a certified kind is judged with, and the share of them that is right at least. */
  limitOf(kind: KindCode, group: string | null): ClassLimit
  /** Why nothing, or one class, is acted on, and about how many labels that lacks. */
  failedTests(group?: string | null): FailedTests
  /**
   * The same score under another promise. The counted labels were read for this certificate already, so another promise is a
   * further attempt on them and is tested at a smaller delta. Attempts are counted over this certificate and all that were
   * made from it, in the order in which they were asked for; the same promise again is the same attempt. Name the `attempt`
   * where the promise was declared before the labels were read, as in a comparison of several promises.
   */
  withBudget(budget: Budget): TotalCertificate
  assess(panel: ReadPanel, round: number): Assessment
  /** False: nothing is ever acted on, whatever a panel says. */
  canAct(): boolean
  toJSON(): TotalFile
}

/** One entry per round. */
export interface DebateStops {
  readonly scores: ArrayLike<number>
  readonly kinds: ArrayLike<KindCode>
  readonly barred: ArrayLike<number>
  /** Names of the panel's answers. */
  readonly answers: ArrayLike<string>
}

/** `round` from 1. `refused`: the policy stops there and its kind is not certified, so that the debate is deferred for good. */
export type Stop =
  | { readonly kind: 'act' | 'refused'; readonly round: number }
  /** No round so far reached its cut. */
  | { readonly kind: 'open' }

export interface ClassLimit {
  readonly rows: number
  readonly right: number
  readonly lower: number
}

export interface FailedTests {
  readonly total: FailedTest | null
  readonly classes: readonly { readonly count: ClassCount; readonly failed: FailedTest }[]
}

export interface TotalParts {
  readonly budget: Budget
  /** Of the stored budget; null: to be made from the pilot rows. */
  readonly design: TotalDesign | null
  readonly score: Score
  readonly split: Split
  /** Pilot rows with out-of-fold scores. */
  readonly pilot: StoppingRows
  readonly neighbours: StoppingRows
  /** Of each neighbour row. */
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly deferredGroups: readonly string[]
  readonly panel: PanelReading
  readonly ids: readonly string[]
  readonly fingerprint: Fingerprint
  /** Of the promises that were asked of the same labels without naming an attempt; absent: only that of the budget. */
  readonly attempts?: Attempts
}

/** By the promise, the attempt that it was. */
type Attempts = Map<string, number>

export function totalCertificate(input: TotalParts): TotalCertificate {
  const { neighbours, pilot, score, fingerprint, groupConditional, deferredGroups } = input
  const promise = resolvePromise('certificate', {
    beta: input.budget.beta,
    ...input.budget.total,
    judged: neighbours.audit !== undefined,
  })
  refuseBesideSelective(promise, input)
  const levels = promiseLevels(promise)
  const design = input.design ?? designTotal(pilot, neighbours.rows, promise)
  const { attempts = new Map([[keyOf(promise), promise.attempt]]), ...given } = input
  const parts = { ...given, design }
  const outcomes = countOutcomes(parts, promise)
  const isCalibrated = panelCheck(fingerprint)
  const perNeighbour = (pilot.rows + neighbours.rows) / Math.max(1, neighbours.rows)
  const outcomeOf = (group: string | null) => outcomes.get(groupConditional ? (group ?? '') : '')
  const certified = new Map([...outcomes].map(([group, outcome]) => [group, certifiedKinds(outcome, promise)]))
  const isCertified = (group: string | null, kind: KindCode) => {
    const kinds = certified.get(groupConditional ? (group ?? '') : '')
    return kinds === 'all' || (kinds?.has(kind) ?? false)
  }
  const answerAtPlace = new Map(promise.answers.map(({ answer }, place) => [answer, place]))
  /** The cut of a round for a debate with this answer in it; null where no policy passed. */
  const cutOf = (group: string | null, at: number, answer: string | undefined) => {
    const chosen = outcomeOf(group)?.chosen
    if (chosen === undefined || chosen === null) return null
    const place = answer === undefined ? undefined : answerAtPlace.get(answer)
    const cuts = place === undefined ? design.policies[chosen]! : design.ownCuts[chosen]![place]!
    return Math.max(design.least, cuts[at]!)
  }
  const isRefusedAnswer = (group: string | null, answer: string | undefined) =>
    outcomeOf(group)?.answers.some((each) => each.answer === answer && each.state === 'refused') ?? false
  const isBlocked = new Set(design.blocked)
  let last: { readonly panel: ReadPanel; readonly prefix: ScoredPrefix } | null = null

  /** Every round that the calibrated panel held, scored once: `decide` asks round by round about one debate. */
  function prefixOf(panel: ReadPanel): ScoredPrefix {
    if (last?.panel === panel) return last.prefix
    const most = Math.min(panel.rounds.length, score.layout.agents.length)
    let count = 0
    while (count < most && isCalibrated(panel, count + 1)) count++
    const rounds = panel.rounds.slice(0, count)
    const features = featureRows(score.layout, [{ rounds, group: panel.record.group }], count)
    const bars = rounds.map(barOf)
    const prefix = {
      scores: features === null ? new Float64Array(0) : scoreRows(score, features),
      kinds: rounds.map((summary, at) => kindOf(summary, at + 1)),
      bars,
      barred: bars.map((bar) => Number(bar !== null)),
      answers: rounds.map(({ prediction }) => panel.record.options[prediction]!),
    }
    last = { panel, prefix }
    return prefix
  }

  const certificate: TotalCertificate = {
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
    outcomeOf,
    groupConditional,
    deferredGroups,
    split: input.split,
    fingerprint,
    panel: input.panel,
    ids: input.ids,
    scoresOf(panel, round) {
      const { scores } = prefixOf(panel)
      return scores.length < round ? null : scores.subarray(0, round)
    },
    stopAt({ scores, kinds, barred, answers }, group) {
      for (let at = 0; at < scores.length; at++) {
        const cut = cutOf(group, at, answers[at])
        if (cut === null) return { kind: 'open' }
        if (barred[at] || isBlocked.has(kinds[at]!) || !(scores[at]! >= cut)) continue
        const isAct =
          isCertified(group, kinds[at]!) &&
          !deferredGroups.includes(group ?? '') &&
          !isRefusedAnswer(group, answers[at])
        return { kind: isAct ? 'act' : 'refused', round: at + 1 }
      }
      return { kind: 'open' }
    },
    limitOf(kind, group) {
      const outcome = outcomeOf(group)
      if (outcome === undefined || outcome.chosen === null) return { rows: 0, right: 0, lower: 0 }
      return classOf(outcome, kind) ?? everything(outcome)
    },
    failedTests(group = null) {
      const outcome = outcomeOf(group)
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
    assess(panel, round) {
      const prefix = prefixOf(panel)
      if (prefix.scores.length < round) return { kind: 'uncalibrated' }
      const { group } = panel.record
      const scores = prefix.scores.subarray(0, round)
      const { kinds, bars } = prefix
      const score = scores[round - 1]!
      const kind = kinds[round - 1]!
      const cut = cutOf(group, round - 1, prefix.answers[round - 1])
      const base = {
        round,
        answer: answerAt(panel, round),
        threshold: certificate.threshold,
        score,
        kind,
        ...(cut === null || cut === Infinity ? {} : { cut }),
      }
      const open = (reason: OpenReason, isFinal = false): Assessment => ({
        kind: 'step',
        step: { ...base, lower: null, reason },
        isFinal,
      })
      if (deferredGroups.includes(group ?? '')) return open('group-deferred', true)
      const outcome = outcomeOf(group)
      if (outcome === undefined || outcome.chosen === null || !actsAtAll(outcome, promise)) {
        return open('nothing-certified', true)
      }
      const stop = certificate.stopAt({ ...prefix, scores }, group)
      if (stop.kind === 'open') return open(bars[round - 1] ?? (isBlocked.has(kind) ? 'kind-blocked' : 'score-low'))
      if (stop.round < round) return open('stopped-before', true)
      const counted = classOf(outcome, kind)
      if (stop.kind === 'refused' && isCertified(group, kind)) return open('answer-refused', true)
      if (stop.kind === 'refused') return open(counted === undefined ? 'kind-unseen' : 'class-refused', true)
      const { rows, right, lower } = certificate.limitOf(kind, group)
      const mean = right / rows
      const own = outcome.kinds.find((each) => each.kind === kind)
      return {
        kind: 'step',
        step: {
          ...base,
          lower,
          neighbours: rows,
          successes: right,
          mean,
          envelope: 0,
          slack: mean - lower,
          ...(own === undefined ? {} : { kindRows: own.rows, kindRight: own.right }),
        },
        isFinal: true,
      }
    },
    canAct: () => [...outcomes.values()].some((outcome) => outcome.chosen !== null && actsAtAll(outcome, promise)),
    toJSON: () => totalToJson(parts, outcomes),
  }
  return Object.freeze(certificate)
}

/** The budget as a further attempt, unless it names its attempt or its promise was asked for before. */
function furtherAttempt(own: TotalPromise, attempts: Attempts, budget: Budget): Budget {
  if (budget.total?.attempt !== undefined) return budget
  const { attempt: declared, isJudged: judged } = own
  const asked = keyOf(resolvePromise('certificate', { beta: budget.beta, ...budget.total, judged, attempt: declared }))
  if (asked === keyOf(own)) return { ...budget, total: { ...budget.total, attempt: own.attempt } }
  const next = [...attempts.values()].reduce((most, made) => Math.max(most, made), own.attempt) + 1
  const attempt = attempts.get(asked) ?? next
  attempts.set(asked, attempt)
  return { ...budget, total: { ...budget.total, attempt } }
}

function keyOf({ kind, beta, delta, floor, answers }: TotalPromise): string {
  return JSON.stringify([kind, beta, delta, floor, answers])
}

/** The budget as if it had been declared in place of the certificate's own, before the labels were read. */
export function declaredInstead({ promise }: TotalCertificate, budget: Budget): Budget {
  return { ...budget, total: { attempt: promise.attempt, ...budget.total } }
}

/**
 * The selective target is tested on what a policy acts on. Taking groups out afterwards changes that, and runs of one
 * question are not independent.
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

/** Rounds 1..t of a debate, as far as the calibrated panel held them. */
interface ScoredPrefix extends DebateStops {
  readonly scores: Float64Array
  readonly bars: readonly (Bar | null)[]
}

function resolvedBudget({ beta, delta, floor }: TotalPromise, { selectedUpTo }: Budget): ResolvedBudget {
  const selected = selectedUpTo === undefined ? {} : { selectedUpTo }
  const resolved = resolveBudget('certificate', { beta, delta, epsilon: 0, ...selected }, { kind: 'total' })
  return Object.freeze({ ...resolved, threshold: floor ?? 0, feasible: true })
}

function countOutcomes(
  { design, neighbours, neighbourGroups, groupConditional }: TotalParts & { readonly design: TotalDesign },
  promise: TotalPromise,
): ReadonlyMap<string, TotalOutcome> {
  if (!groupConditional) return new Map([['', countTotal(design, promise, neighbours)]])
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

function certifiedKinds(outcome: TotalOutcome, { floor }: TotalPromise): ReadonlySet<KindCode> | 'all' {
  if (outcome.chosen === null) return new Set()
  if (floor === null) return 'all'
  return new Set(outcome.classes.filter(({ state }) => state === 'acts').flatMap(({ kinds }) => kinds))
}

function actsAtAll({ chosen, classes }: TotalOutcome, { floor }: TotalPromise): boolean {
  return chosen !== null && (floor === null || classes.some(({ state }) => state === 'acts'))
}

function classOf({ classes }: TotalOutcome, kind: KindCode): ClassCount | undefined {
  return classes.find(({ kinds, vetoed }) => kinds.includes(kind) || vetoed.includes(kind))
}

/** Without a floor there is one class, everything; its limit is said and tested against nothing. */
function everything({ policies, chosen, limit }: TotalOutcome): ClassLimit {
  const { stopped, wrong } = policies[chosen!]!
  return { rows: stopped, right: stopped - wrong, lower: limit }
}
