import { clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { type AnswerCount, testAnswers } from './answer-budgets.ts'
import type { TotalDesign } from './design.ts'
import { averageRisk, binomialTail, floorLimit, sumOf, totalPValue } from './exact-tests.ts'
import { type ClassCount, type Judged, judgeClasses, type KindCount, withLimit } from './judge-classes.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'
import { type Replayed, replayPolicy } from './replay-policy.ts'
import { allowedStops, placesOf, type StoppingRows, stopsOf } from './stopping-rows.ts'

/** What neighbour rows say of a design. They are counted; nothing is fitted to them. */
export interface TotalOutcome {
  readonly rows: number
  /** Questions, where some have several runs; else the rows. */
  readonly questions: number
  /** Of every policy that was tested, in order. */
  readonly policies: readonly PolicyCount[]
  /** Place of the policy that is used; null where the total test passed none. */
  readonly chosen: number | null
  /** Classes and kinds of the chosen policy; of the strictest where none was chosen. */
  readonly classes: readonly ClassCount[]
  readonly kinds: readonly KindCount[]
  /** Answers with a budget of their own, under the chosen policy; of the strictest where none was chosen. */
  readonly answers: readonly AnswerCount[]
  /** The error of the model that graded; null where none did. */
  readonly judge: JudgeCount | null
  /** What the certificate acts on among its own counting rows, so a little flattering. */
  readonly acted: number
  readonly wrong: number
  /** Level of each floor test. */
  readonly floorLevel: number
  /** Without a floor: at least this share of what the chosen policy stops on is right; 0 where it is not asked. */
  readonly limit: number
}

export interface JudgeCount {
  /** Counted debates that a person graded too. */
  readonly audited: number
  /** Those in which some policy acts where the model said right and the person did not. */
  readonly misjudged: number
  /** At most this share of all questions is so, with the confidence of the judge's limit. */
  readonly upper: number
}

export interface PolicyCount {
  readonly stopped: number
  readonly wrong: number
  /** p-value of the total test, or for `average` the risk that is compared with beta. */
  readonly statistic: number
  readonly passes: boolean
}

export function countTotal(design: TotalDesign, promise: TotalPromise, neighbours: StoppingRows): TotalOutcome {
  const allowed = allowedStops(neighbours, design)
  const names = promise.answers.map(({ answer }) => answer)
  const answerOf = names.length === 0 ? null : placesOf(neighbours, names)
  const ownAt = (place: number) => answerOf && { of: answerOf, cuts: design.ownCuts[place]! }
  // Policies beyond the first that fails are never replayed.
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
  // A model whose error nobody measured promises nothing: 1 is its only limit.
  const isMeasured = checked?.audited !== 0
  let best: { place: number; judged: Judged } | null = null
  for (const [place, policy] of policies.entries()) {
    if (!policy.passes || !isMeasured) continue
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
 * An upper limit for P(act, graded right, truly wrong), whatever policy is chosen: a row counts where *any* policy of the
 * design acts on an answer that the model called right and the person did not. Pilot rows fix the policies, so that the rows
 * that were drawn for the person are independent trials of one event, and Clopper-Pearson is exact. A class or an answer
 * that is refused only takes actions away.
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
 * `pac` and `average` go from the strictest policy on and end at the first that fails: the first true null decides, so that
 * the number of policies costs nothing. `selective` tests every policy at its share of delta.
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
      counts.push({ stopped, wrong, statistic, passes: statistic <= limit })
    if (promise.kind === 'selective') {
      count(binomialTail(wrong, stopped, promise.beta), total / all)
      continue
    }
    if (promise.kind === 'pac') count(totalPValue(replay, questions, promise.beta), total)
    else {
      // Running maxima make the loss monotone along the path, as conformal risk control needs.
      for (let row = 0; row < rows; row++) worst[row] = Math.max(worst[row]!, replay.wrong[row]!)
      count(averageRisk(worst, questions), promise.beta + 1e-12)
    }
    if (!counts.at(-1)!.passes) break
  }
  return counts
}
