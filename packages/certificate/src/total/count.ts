import { clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { type AnswerCount, testAnswers } from './answer-budgets.ts'
import type { TotalDesign } from './design.ts'
import { averageRisk, binomialTail, floorLimit, sumOf, totalPValue } from './exact-tests.ts'
import { type ClassCount, type Judged, judgeClasses, type KindCount, withLimit } from './judge-classes.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'
import { type Replayed, replayPolicy } from './replay-policy.ts'
import { allowedStops, placesOf, type StoppingRows, stopsOf } from './stopping-rows.ts'

/** The result of a design on neighbour rows. They are counted, and nothing is fitted to them. */
export interface TotalOutcome {
  readonly rows: number
  /** Number of questions if some have several runs; else the number of rows. */
  readonly questions: number
  /** Counts of every tested policy, in order. */
  readonly policies: readonly PolicyCount[]
  /** Index of the chosen policy; null if none passed the test of the total. */
  readonly chosen: number | null
  /** Classes and kinds under the chosen policy, or under the strictest if none was chosen. */
  readonly classes: readonly ClassCount[]
  readonly kinds: readonly KindCount[]
  /** Answers with their own budget, under the chosen policy, or under the strictest if none was chosen. */
  readonly answers: readonly AnswerCount[]
  /** The error of the model that graded; null if none did. */
  readonly judge: JudgeCount | null
  /** What the certificate acts on among its own counting rows, which is slightly optimistic. */
  readonly acted: number
  readonly wrong: number
  /** Level of each floor test. */
  readonly floorLevel: number
  /**
   * Without a floor: lower limit of the share of right answers where the chosen policy stops. Otherwise 0, which every share
   * reaches.
   */
  readonly limit: number
}

export interface JudgeCount {
  /** Counted debates that a person also graded. */
  readonly audited: number
  /** Those in which some policy acts on an answer that the model graded as right and the person did not. */
  readonly misjudged: number
  /** Upper limit of the share of such questions among all, with the confidence for the judge. */
  readonly upper: number
}

export interface PolicyCount {
  readonly stopped: number
  readonly wrong: number
  /** p-value of the test of the total, or for `average` the risk that is compared with beta. */
  readonly statistic: number
  readonly hasPassed: boolean
}

export function countTotal(design: TotalDesign, promise: TotalPromise, neighbours: StoppingRows): TotalOutcome {
  const allowed = allowedStops(neighbours, design)
  const names = promise.answers.map(({ answer }) => answer)
  const answerOf = names.length === 0 ? null : placesOf(neighbours, names)
  const ownAt = (place: number) => answerOf && { of: answerOf, cuts: design.ownCuts[place]! }
  // Policies after the first failure are never replayed.
  const replays: Replayed[] = []
  const replayOf = (place: number) => {
    replays[place] ??= replayPolicy(neighbours, allowed, design.policies[place]!, ownAt(place))
    return replays[place]
  }
  const policies = testPolicies(design.policies.length, replayOf, neighbours, promise)
  const levels = promiseLevels(promise)
  const floorLevel = levels.floor / Math.max(1, design.tests)
  const countsOf = testAnswers(design.policies.length, replayOf, neighbours, promise)
  const judge = (place: number) =>
    judgeClasses(replayOf(place), design, promise.floor, floorLevel, neighbours, countsOf(place))
  const limitsOf = (replay: Replayed, { classes }: Judged) =>
    classes.map((each) => withLimit(each, replay, promise.floor!, floorLevel, neighbours))
  const checked = judgeCount(design, promise, neighbours, allowed)
  // If nobody measured the error of the model, its only limit is 1, so nothing is promised.
  const isMeasured = checked?.audited !== 0
  let best: { place: number; judged: Judged } | null = null
  for (const [place, policy] of policies.entries()) {
    if (!policy.hasPassed || !isMeasured) continue
    const judged = judge(place)
    if (best === null || judged.acted >= best.judged.acted) best = { place, judged }
  }
  const shown = replayOf(best?.place ?? 0)
  const judged = best?.judged ?? { ...judge(0), acted: 0, wrong: 0 }
  const { acted, wrong, kinds } = judged
  const isLimitAsked = promise.floor === null && best !== null
  return {
    rows: neighbours.rows,
    questions: neighbours.questions?.runs.length ?? neighbours.rows,
    policies,
    chosen: best?.place ?? null,
    classes: limitsOf(shown, judged),
    kinds,
    answers: judged.answers,
    judge: checked,
    acted,
    wrong,
    floorLevel,
    limit: isLimitAsked ? floorLimit(shown, neighbours.questions, levels.limit / design.policies.length, 0) : 0,
  }
}

/**
 * An upper limit for P(act, graded right, truly wrong), whichever policy is chosen: a row counts if *any* policy of the
 * design acts on an answer that the model graded as right and the person did not. Pilot rows fix the policies, so the
 * rows that were sampled at random for the person are independent trials of one event, and Clopper-Pearson is exact.
 * Refusing a class or an answer only removes actions.
 */
function judgeCount(
  design: TotalDesign,
  promise: TotalPromise,
  neighbours: StoppingRows,
  allowed: Uint8Array,
): JudgeCount | null {
  const { audit, rounds } = neighbours
  if (!promise.isJudged || audit === undefined) return null
  const isHit = new Uint8Array(neighbours.rows)
  for (const cuts of design.policies) {
    for (const [row, round] of stopsOf(neighbours, allowed, cuts).entries()) {
      if (round >= 0 && audit.rows[row] === 1 && audit.misjudged[row * rounds + round] === 1) isHit[row] = 1
    }
  }
  const [audited, misjudged] = [sumOf(audit.rows), sumOf(isHit)]
  const upper = audited === 0 ? 1 : clopperPearsonUpper(misjudged, audited, promiseLevels(promise).judge)
  return { audited, misjudged, upper }
}

/**
 * `pac` and `average` test from the strictest policy on and end at the first failure. For `pac` the first true null
 * decides, so the number of policies costs nothing. For `average` the running maxima of the losses are monotone along
 * the path, as conformal risk control needs. `selective` tests every policy at its share of delta.
 */
function testPolicies(
  all: number,
  replayOf: (place: number) => Replayed,
  { questions, rows }: StoppingRows,
  promise: TotalPromise,
): PolicyCount[] {
  const { total } = promiseLevels(promise)
  const counts: PolicyCount[] = []
  const worst = new Uint8Array(rows)
  for (let place = 0; place < all; place++) {
    const replay = replayOf(place)
    const stopped = sumOf(replay.acts)
    const wrong = sumOf(replay.wrong)
    const count = (statistic: number, limit: number) =>
      counts.push({ stopped, wrong, statistic, hasPassed: statistic <= limit })
    if (promise.kind === 'selective') {
      count(binomialTail(wrong, stopped, promise.beta), total / all)
      continue
    }
    if (promise.kind === 'pac') count(totalPValue(replay, questions, promise.beta), total)
    else {
      // Running maxima make the loss monotone along the path.
      for (let row = 0; row < rows; row++) worst[row] = Math.max(worst[row]!, replay.wrong[row]!)
      count(averageRisk(worst, questions), promise.beta + 1e-12)
    }
    if (!counts.at(-1)!.hasPassed) break
  }
  return counts
}
