import { type OwnCuts, type StoppingRows, stopsOf } from './stopping-rows.ts'

/**
 * The score needed in each round. A policy stops at the first round that reaches it. Infinity means never in that
 * round.
 */
export type Cuts = readonly number[]

export interface PathOptions {
  readonly beta: number
  /** Largest number of policies. */
  readonly policies: number
  /** Answers that have their own budget; none by default. */
  readonly own?: { readonly of: Int16Array; readonly betas: readonly number[] }
}

/** One policy: the cuts of most answers, and those of the answers with their own budget, in their order. */
export interface PathPolicy {
  readonly cuts: Cuts
  readonly own: readonly Cuts[]
}

/** Cost of another round, in units of one action. */
const ROUND_COST = 0.02
/** Prices of a wrong action, from strict to permissive. */
const LEAST_PRICE = 1.0001
const PRICES = Float64Array.from({ length: 160 }, (_, at) => 300 * (1.0001 / 300) ** (at / 159))
/** Pilot risk of the strictest and of the most permissive policy, in units of beta. */
const LOWEST_RISK = 0.35
const HIGHEST_RISK = 1.45

/**
 * A path of policies from strict to permissive, whose pilot risks are spread around beta. `rows` are pilot rows with
 * out-of-fold scores. For each price of a wrong action, backward induction finds the cuts of greatest value. Cuts never
 * rise along the path. An answer with its own budget has its own path, on which a wrong action costs more in the ratio
 * of beta to its budget. A policy combines the cuts of one price.
 */
export function policyPath(rows: StoppingRows, allowed: Uint8Array, options: PathOptions): PathPolicy[] {
  return spreadPolicies(pricedPath(rows, allowed, options), options)
}

/** Every policy of the path with its pilot risk. Unless answers have their own budgets, it is the same for every beta. */
export interface PricedPath {
  readonly path: readonly PathPolicy[]
  /** Non-decreasing. */
  readonly risks: Float64Array
}

export function pricedPath(rows: StoppingRows, allowed: Uint8Array, { beta, own }: PathOptions): PricedPath {
  const order = rankedRows(rows, allowed)
  const pilot = pilotRounds(rows, allowed, order)
  const pathAt = (factor: number) => {
    const path: number[][] = []
    for (const price of PRICES) {
      const cuts = bestCuts(pilot, rows.rows, Math.max(LEAST_PRICE, price * factor))
      const stricter = path.at(-1)
      path.push(stricter === undefined ? cuts : cuts.map((cut, round) => Math.min(cut, stricter[round]!)))
    }
    return path
  }
  const ownPaths = (own?.betas ?? []).map((each) => pathAt(beta / each))
  const path = pathAt(1).map((cuts, at): PathPolicy => ({ cuts, own: ownPaths.map((each) => each[at]!) }))
  const risks = Float64Array.from(path, (policy) => {
    return pilotRisk(rows, allowed, policy.cuts, own && { of: own.of, cuts: policy.own })
  })
  for (let at = 1; at < risks.length; at++) risks[at] = Math.max(risks[at]!, risks[at - 1]!)
  return { path, risks }
}

export function spreadPolicies({ path, risks }: PricedPath, { beta, policies }: PathOptions): PathPolicy[] {
  const top = Math.min(HIGHEST_RISK * beta, risks.at(-1)!)
  const bottom = (LOWEST_RISK / HIGHEST_RISK) * top
  const picked: number[] = []
  for (let at = 0; at < policies; at++) {
    const risk = bottom + ((top - bottom) * at) / Math.max(1, policies - 1) + 1e-12
    const last = lastAtMost(risks, risk)
    if (last >= 0 && !picked.includes(last)) picked.push(last)
  }
  return (picked.length === 0 ? [0] : picked).map((at) => path[at]!)
}

/** Index of the last value that is at most `limit` in an ascending list; -1 if there is none. */
function lastAtMost(ascending: Float64Array, limit: number): number {
  let last = -1
  while (last + 1 < ascending.length && ascending[last + 1]! <= limit) last++
  return last
}

/** Per round, the rows that may stop there, by descending score; equal scores in row order. */
function rankedRows({ rows, rounds, scores }: StoppingRows, allowed: Uint8Array): readonly Uint32Array[] {
  return Array.from({ length: rounds }, (_, round) => {
    const own = Array.from({ length: rows }, (_, row) => row).filter((row) => allowed[row * rounds + round] === 1)
    return Uint32Array.from(own.sort((a, b) => scores[b * rounds + round]! - scores[a * rounds + round]! || a - b))
  })
}

/** What `bestCuts` needs of a round. It is computed once for all prices. */
interface PilotRound {
  /** 1 - score of each row. */
  readonly risks: Float64Array
  readonly scores: Float64Array
  readonly isAllowed: Uint8Array
  /** The rows that may stop, by descending score, and whether a row is the last of its score. */
  readonly ranked: Uint32Array
  readonly isLastOfScore: Uint8Array
}

function pilotRounds(
  { rows, rounds, scores }: StoppingRows,
  allowed: Uint8Array,
  order: readonly Uint32Array[],
): readonly PilotRound[] {
  return order.map((ranked, round) => {
    const own = Float64Array.from({ length: rows }, (_, row) => scores[row * rounds + round]!)
    return {
      risks: own.map((score) => 1 - score),
      scores: own,
      isAllowed: Uint8Array.from({ length: rows }, (_, row) => Number(allowed[row * rounds + round] === 1)),
      ranked,
      isLastOfScore: Uint8Array.from(ranked, (row, place) => Number(own[ranked[place + 1]!] !== own[row])),
    }
  })
}

/**
 * The cuts that maximise E[act - price x wrong - ROUND_COST per extra round], from the last round back: each cut
 * compares the value of stopping with the value of continuing.
 */
function bestCuts(pilot: readonly PilotRound[], rows: number, price: number): number[] {
  const last = pilot.length - 1
  const cuts = new Array<number>(pilot.length).fill(Infinity)
  cuts[last] = 1 - 1 / price
  const value = new Float64Array(rows)
  const { risks, isAllowed } = pilot[last]!
  for (let row = 0; row < rows; row++) value[row] = isAllowed[row] === 1 ? Math.max(0, 1 - price * risks[row]!) : 0
  for (let round = last - 1; round >= 0; round--) {
    cuts[round] = bestCut(pilot[round]!, value, price)
    continueFrom(pilot[round]!, cuts[round]!, value, price)
  }
  return cuts
}

/** The cut of greatest value in a round, where `value` is that of continuing before the cost of the next round. */
function bestCut({ ranked, risks, scores, isLastOfScore }: PilotRound, value: Float64Array, price: number): number {
  let total = 0
  let best = 0
  let taken = 0
  for (let place = 0; place < ranked.length; place++) {
    const row = ranked[place]!
    total += 1 - price * risks[row]! - (value[row]! - ROUND_COST)
    if (isLastOfScore[place] === 1 && total > best) {
      best = total
      taken = place + 1
    }
  }
  if (taken === 0) return Infinity
  const lowest = scores[ranked[taken - 1]!]!
  const next = ranked[taken]
  return next === undefined ? lowest : (lowest + scores[next]!) / 2
}

/** Overwrites the values after a round with those before it. */
function continueFrom({ risks, scores, isAllowed }: PilotRound, cut: number, value: Float64Array, price: number): void {
  for (let row = 0; row < value.length; row++) {
    value[row] = isAllowed[row] === 1 && scores[row]! >= cut ? 1 - price * risks[row]! : value[row]! - ROUND_COST
  }
}

/** Pilot risk, half from labels and half from scores, which have less noise. */
function pilotRisk(rows: StoppingRows, allowed: Uint8Array, cuts: Cuts, own: OwnCuts | undefined): number {
  let risk = 0
  for (const [row, round] of stopsOf(rows, allowed, cuts, own).entries()) {
    if (round < 0) continue
    const at = row * rows.rounds + round
    risk += 1 - rows.right[at]! + (1 - rows.scores[at]!)
  }
  return risk / (2 * rows.rows)
}
