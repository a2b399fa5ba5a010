import { clopperPearsonUpper } from '../concentration/clopper-pearson.ts'
import { KINDS_PER_ROUND, type KindCode } from '../kinds/kind.ts'
import { type AnswerCount, testAnswers } from './answer-budgets.ts'
import { type KindClass, ROWS_TO_VETO } from './classes.ts'
import type { TotalDesign } from './design.ts'
import {
  type ActedRows,
  averageRisk,
  binomialTail,
  floorLimit,
  floorPValue,
  sumOf,
  totalPValue,
} from './exact-tests.ts'
import type { Cuts } from './policy-path.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'
import { allowedStops, type OwnCuts, placesOf, type StoppingRows, stopsOf } from './stopping-rows.ts'

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

export interface ClassCount {
  /** Kinds that are judged together, without those that were vetoed. */
  readonly kinds: readonly KindCode[]
  /** Kinds with enough rows and fewer than the floor right. They are refused, and the others are tested without them. */
  readonly vetoed: readonly KindCode[]
  readonly rows: number
  readonly right: number
  /** At least this share is right, with the floor's confidence for all classes at once. */
  readonly lower: number
  readonly pValue: number
  /** `spoiled`: a kind that could not be vetoed, or what refused answers leave of the class, was seen below the floor. */
  readonly state: 'acts' | 'refused' | 'spoiled'
}

/** `unseen`: no acted pilot row, so that it joined no class. */
export type KindState = 'acts' | 'refused' | 'vetoed' | 'unseen'

export interface KindCount {
  readonly kind: KindCode
  readonly rows: number
  readonly right: number
  readonly state: KindState
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

interface Replayed extends ActedRows {
  readonly stops: Int8Array
  readonly kinds: ReadonlyMap<KindCode, RightCount>
  /** Place of the answer that each row ends with, -1 for one without a budget of its own; null where none has one. */
  readonly answers: Int16Array | null
}

interface RightCount {
  readonly rows: number
  readonly right: number
}

function replayPolicy(rows: StoppingRows, allowed: Uint8Array, cuts: Cuts, own: OwnCuts | null): Replayed {
  const stops = stopsOf(rows, allowed, cuts, own ?? undefined)
  const answers =
    own && Int16Array.from(stops, (round, row) => own.of[row * rows.rounds + (round < 0 ? rows.rounds - 1 : round)]!)
  const acts = new Uint8Array(stops.length)
  const wrong = new Uint8Array(stops.length)
  const most = rows.rounds * KINDS_PER_ROUND
  const [seen, right] = [new Uint32Array(most), new Uint32Array(most)]
  for (let row = 0; row < stops.length; row++) {
    const round = stops[row]!
    if (round < 0) continue
    const at = row * rows.rounds + round
    acts[row] = 1
    wrong[row] = 1 - rows.right[at]!
    seen[rows.kinds[at]!]!++
    right[rows.kinds[at]!]! += rows.right[at]!
  }
  const kinds = new Map<KindCode, RightCount>()
  for (let kind = 0; kind < most; kind++) {
    if (seen[kind]! > 0) kinds.set(kind, { rows: seen[kind]!, right: right[kind]! })
  }
  return { stops, acts, wrong, kinds, answers }
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

type JudgedClass = Omit<ClassCount, 'lower'>

interface Judged {
  readonly acted: number
  readonly wrong: number
  readonly classes: readonly JudgedClass[]
  readonly kinds: readonly KindCount[]
  readonly answers: readonly AnswerCount[]
}

function judgeClasses(
  replay: Replayed,
  design: TotalDesign,
  floor: number | null,
  level: number,
  neighbours: StoppingRows,
  answers: readonly AnswerCount[],
): Judged {
  const classes =
    floor === null
      ? []
      : design.classes
          .map((each) => judgeClass(each, replay, floor, level, neighbours))
          .map((each) => (each.state === 'acts' ? afterRefusals(each, replay, floor, neighbours, answers) : each))
  const stateOf = new Map<KindCode, KindState>()
  for (const { kinds, vetoed, state } of classes) {
    for (const kind of vetoed) stateOf.set(kind, 'vetoed')
    for (const kind of kinds) stateOf.set(kind, state === 'acts' ? 'acts' : 'refused')
  }
  const kinds = [...replay.kinds].map(([kind, { rows, right }]): KindCount => {
    return { kind, rows, right, state: floor === null ? 'acts' : (stateOf.get(kind) ?? 'unseen') }
  })
  const certified = kinds.filter(({ state }) => state === 'acts')
  const refused = refusedRows(replay, neighbours, certified, answers)
  const acted = certified.reduce((sum, { rows }) => sum + rows, 0) - refused.acted
  const right = certified.reduce((sum, { right }) => sum + right, 0) - refused.right
  return { acted, wrong: acted - right, classes, kinds, answers }
}

/**
 * The floor is tested before refused answers are taken out. Where what is left of a class was seen below it, the class is refused
 * too: a refused answer that is mostly right must not carry another one. That only takes actions away.
 */
function afterRefusals(
  judged: JudgedClass,
  replay: Replayed,
  floor: number,
  neighbours: StoppingRows,
  answers: readonly AnswerCount[],
): JudgedClass {
  if (replay.answers === null) return judged
  const { acts, wrong } = membersOf(judged.kinds, replay, neighbours)
  const left = Array.from(acts.keys()).filter(
    (row) => acts[row] === 1 && answers[replay.answers![row]!]?.state !== 'refused',
  )
  const right = left.filter((row) => wrong[row] === 0).length
  const isLow = left.length >= ROWS_TO_VETO && right < floor * left.length
  return isLow ? { ...judged, rows: left.length, right, state: 'spoiled' } : judged
}

/** Rows of certified kinds that are not acted on after all, since the budget of their answer is not shown to hold. */
function refusedRows(
  { stops, acts, wrong, answers: answerOf }: Replayed,
  { kinds, rounds }: StoppingRows,
  certified: readonly KindCount[],
  answers: readonly AnswerCount[],
): { readonly acted: number; readonly right: number } {
  const counts = { acted: 0, right: 0 }
  if (answerOf === null) return counts
  const isCertified = new Set(certified.map(({ kind }) => kind))
  for (let row = 0; row < stops.length; row++) {
    if (acts[row] === 0 || answers[answerOf[row]!]?.state !== 'refused') continue
    if (!isCertified.has(kinds[row * rounds + stops[row]!]!)) continue
    counts.acted++
    counts.right += 1 - wrong[row]!
  }
  return counts
}

/**
 * Vetoable kinds with enough acted rows and fewer than the floor right are dropped, and what remains is tested: every such
 * remainder is among the tests that delta is divided by. Any other kind seen below the floor refuses the whole class.
 */
function judgeClass(
  { kinds, vetoable }: KindClass,
  replay: Replayed,
  floor: number,
  level: number,
  neighbours: StoppingRows,
): JudgedClass {
  const isLow = (kind: KindCode) => {
    const count = replay.kinds.get(kind)
    return count !== undefined && count.rows >= ROWS_TO_VETO && count.right < floor * count.rows
  }
  const vetoed = kinds.filter((kind) => isLow(kind) && vetoable.includes(kind))
  const kept = kinds.filter((kind) => !vetoed.includes(kind))
  const isSpoiled = kept.some(isLow)
  const counts = kept.map((kind) => replay.kinds.get(kind) ?? { rows: 0, right: 0 })
  const rows = counts.reduce((sum, count) => sum + count.rows, 0)
  const right = counts.reduce((sum, count) => sum + count.right, 0)
  const pValue = rows === 0 ? 1 : classPValue({ kept, rows, right }, replay, floor, neighbours)
  const state = isSpoiled ? 'spoiled' : pValue <= level ? 'acts' : 'refused'
  return { kinds: kept, vetoed, rows, right, pValue, state }
}

/** Counts are enough where every row is a question of its own; several runs of a question need their rows. */
function classPValue(
  { kept, rows, right }: RightCount & { readonly kept: readonly KindCode[] },
  replay: Replayed,
  floor: number,
  neighbours: StoppingRows,
): number {
  const { questions } = neighbours
  if (questions === null) return binomialTail(rows - right, rows, 1 - floor)
  return floorPValue(membersOf(kept, replay, neighbours), questions, floor)
}

/** A class that acts has passed at the floor, so its limit is sought from there on. */
function withLimit(
  judged: JudgedClass,
  replay: Replayed,
  floor: number,
  level: number,
  neighbours: StoppingRows,
): ClassCount {
  const members = membersOf(judged.kinds, replay, neighbours)
  const lower = floorLimit(members, neighbours.questions, level, judged.state === 'acts' ? floor : 0)
  return { ...judged, lower }
}

/** What the policy acts on among these kinds. */
function membersOf(kinds: readonly KindCode[], replay: Replayed, neighbours: StoppingRows): ActedRows {
  const isMember = new Set(kinds)
  const acts = new Uint8Array(neighbours.rows)
  const wrong = new Uint8Array(neighbours.rows)
  for (let row = 0; row < neighbours.rows; row++) {
    const round = replay.stops[row]!
    if (round < 0 || !isMember.has(neighbours.kinds[row * neighbours.rounds + round]!)) continue
    acts[row] = 1
    wrong[row] = replay.wrong[row]!
  }
  return { acts, wrong }
}
