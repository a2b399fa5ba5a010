import type { KindCode } from '../kinds/kind.ts'
import type { AnswerCount } from './answer-budgets.ts'
import { type KindClass, ROWS_TO_VETO } from './classes.ts'
import type { TotalDesign } from './design.ts'
import { type ActedRows, binomialTail, floorLimit, floorPValue } from './exact-tests.ts'
import type { Replayed, RightCount } from './replay-policy.ts'
import type { StoppingRows } from './stopping-rows.ts'

export interface ClassCount {
  /** Kinds that are tested together, without the vetoed ones. */
  readonly kinds: readonly KindCode[]
  /**
   * Kinds with enough rows of which less than the floor was right. They are refused, and the others are tested without
   * them.
   */
  readonly vetoed: readonly KindCode[]
  readonly rows: number
  readonly right: number
  /** Lower limit of the share of right answers, with the floor's confidence for all classes simultaneously. */
  readonly lower: number
  readonly pValue: number
  /** `spoiled`: a kind that could not be vetoed, or the rest of the class after refused answers, was below the floor. */
  readonly state: 'acts' | 'refused' | 'spoiled'
}

/** `unseen`: no acted pilot row, so it joined no class. */
export type KindState = 'acts' | 'refused' | 'vetoed' | 'unseen'

export interface KindCount {
  readonly kind: KindCode
  readonly rows: number
  readonly right: number
  readonly state: KindState
}

type JudgedClass = Omit<ClassCount, 'lower'>

/** The classes of one policy, and what it acts on after refusals. */
export interface Judged {
  readonly acted: number
  readonly wrong: number
  readonly classes: readonly JudgedClass[]
  readonly kinds: readonly KindCount[]
  readonly answers: readonly AnswerCount[]
}

export function judgeClasses(
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

/** A class that acts has passed at the floor, so the search for its limit starts there. */
export function withLimit(
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

/**
 * The floor is tested before refused answers are removed. If the rest of a class was then seen below the floor, the
 * class is refused too: a refused answer that is mostly right must not make up for another one. This only removes
 * actions.
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

/** Rows of certified kinds that are not acted on because the budget of their answer is not shown to hold. */
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
 * Drops vetoable kinds with enough acted rows of which less than the floor was right, and tests the rest. Every such
 * rest is among the tests by which delta is divided. Any other kind seen below the floor refuses the whole class.
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

/** Counts are enough if every row is its own question. Several runs of a question need the rows. */
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

/** The rows of these kinds that the policy acts on. */
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
