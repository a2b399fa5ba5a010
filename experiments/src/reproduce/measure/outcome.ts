import { isRightAt, type KindCode, kindOf, type ReadDebate, type Tally } from '@quorate/certificate'

/** The actions of a rule on one test half, in counts by round. */
export type Outcome = Pick<Tally, 'debates' | 'acted' | 'right'>

/** An outcome under the budget that it was declared for. */
export interface Cell {
  readonly beta: number
  readonly outcome: Outcome
}

/** Figures over splits, with means as in the paper; shares in [0, 1]. */
export interface Point {
  /** Splits that have a budget. A split without one defers on everything. */
  readonly budgeted: number
  readonly splits: number
  /** Splits with an action. */
  readonly acting: number
  readonly beta: number | null
  readonly act: Spread
  /** Mean over the splits that acted; null if none did. */
  readonly accuracy: Spread | null
  /** Share of all debates that were acted on and wrong. */
  readonly wrong: Spread
  readonly budgetUsed: Spread
  /** A deferral uses all rounds. */
  readonly rounds: number
  /** Mean round of the actions; null if there are none. */
  readonly stopping: number | null
}

export interface Spread {
  readonly mean: number
  readonly min: number
  readonly max: number
  /** Standard deviation of the mean if splits were independent, which they are not; null for a single split. */
  readonly error: number | null
}

export function outcomeOf(debates: readonly ReadDebate[], actedAt: ArrayLike<number>): Outcome {
  const { rounds, right } = columnsOf(debates)
  const actions = new Array<number>(rounds).fill(0)
  const correct = new Array<number>(rounds).fill(0)
  for (let row = 0; row < debates.length; row++) {
    const round = actedAt[row]!
    if (round === 0) continue
    actions[round - 1]!++
    correct[round - 1]! += right[row * rounds + round - 1]!
  }
  return { debates: debates.length, acted: actions, right: correct }
}

/** Debates of one kind that were acted on, and the right ones among them. */
export type KindCount = readonly [kind: KindCode, acted: number, right: number]

/** Actions by the kind of the debate when it was acted on. Kinds without an action are missing. */
export function kindCounts(debates: readonly ReadDebate[], actedAt: ArrayLike<number>): KindCount[] {
  const { rounds, right, kinds } = columnsOf(debates)
  const counts = new Map<KindCode, [acted: number, right: number]>()
  for (let row = 0; row < debates.length; row++) {
    const round = actedAt[row]!
    if (round === 0) continue
    const place = row * rounds + round - 1
    const count = counts.get(kinds[place]!) ?? [0, 0]
    counts.set(kinds[place]!, count)
    count[0]++
    count[1] += right[place]!
  }
  return [...counts].map(([kind, [acted, rightOnes]]) => [kind, acted, rightOnes])
}

/** Columns that every count of a test half uses, row-major over rows and rounds. */
interface Columns {
  readonly rounds: number
  readonly right: Uint8Array
  readonly kinds: Uint16Array
}

/** Cached, since a hundred rules and budgets are counted on the same half. */
const known = new WeakMap<readonly ReadDebate[], Columns>()

function columnsOf(debates: readonly ReadDebate[]): Columns {
  const before = known.get(debates)
  if (before) return before
  const rounds = debates[0]?.rounds.length ?? 0
  const right = new Uint8Array(debates.length * rounds)
  const kinds = new Uint16Array(debates.length * rounds)
  for (const [row, debate] of debates.entries()) {
    for (const [at, summary] of debate.rounds.slice(0, rounds).entries()) {
      right[row * rounds + at] = Number(isRightAt(debate, at + 1))
      kinds[row * rounds + at] = kindOf(summary, at + 1)
    }
  }
  const columns = { rounds, right, kinds }
  known.set(debates, columns)
  return columns
}

/** A null cell is a split without a budget, on which everything is deferred. */
export function pointOf(cells: readonly (Cell | null)[], rounds: number): Point {
  const budgeted = cells.flatMap((cell) => cell ?? [])
  const perSplit = cells.map((cell) => (cell ? ratesOf(cell, rounds) : DEFERRED(rounds)))
  const acting = perSplit.filter(({ act }) => act > 0)
  return {
    budgeted: budgeted.length,
    splits: cells.length,
    acting: acting.length,
    beta: budgeted.length === 0 ? null : meanOf(budgeted.map(({ beta }) => beta)),
    act: spreadOf(perSplit.map(({ act }) => act)),
    accuracy: acting.length === 0 ? null : spreadOf(acting.map(({ accuracy }) => accuracy)),
    wrong: spreadOf(perSplit.map(({ wrong }) => wrong)),
    budgetUsed: spreadOf(perSplit.map(({ budgetUsed }) => budgetUsed)),
    rounds: meanOf(perSplit.map((split) => split.rounds)),
    stopping: acting.length === 0 ? null : meanOf(acting.map(({ stopping }) => stopping)),
  }
}

interface Rates {
  readonly act: number
  /** NaN without an action. */
  readonly accuracy: number
  readonly wrong: number
  readonly budgetUsed: number
  readonly rounds: number
  /** NaN without an action. */
  readonly stopping: number
}

const DEFERRED = (rounds: number): Rates => ({
  act: 0,
  accuracy: Number.NaN,
  wrong: 0,
  budgetUsed: 0,
  rounds,
  stopping: Number.NaN,
})

export function ratesOf({ beta, outcome }: Cell, rounds: number): Rates {
  const { debates, acted, right } = outcome
  const actions = sumOf(acted)
  const wrong = actions - sumOf(right)
  const stopped = sumOf(acted.map((count, at) => count * (at + 1)))
  return {
    act: actions / debates,
    accuracy: sumOf(right) / actions,
    wrong: wrong / debates,
    budgetUsed: wrong / debates / beta,
    rounds: (stopped + (debates - actions) * rounds) / debates,
    stopping: stopped / actions,
  }
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values)
  const squares = sumOf(values.map((value) => (value - mean) ** 2))
  const error = values.length < 2 ? null : Math.sqrt(squares / (values.length - 1) / values.length)
  return { mean, min: Math.min(...values), max: Math.max(...values), error }
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}

/** NaN for an empty list. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
