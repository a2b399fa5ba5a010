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
  const pathAt = (factor: number) => {
    const path: number[][] = []
    for (const price of PRICES) {
      const cuts = bestCuts(rows, allowed, order, Math.max(LEAST_PRICE, price * factor))
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

/**
 * The cuts that maximise E[act - price x wrong - ROUND_COST per extra round], from the last round back: each cut
 * compares the value of stopping with the value of continuing.
 */
function bestCuts(
  { rows, rounds, scores }: StoppingRows,
  allowed: Uint8Array,
  order: readonly Uint32Array[],
  price: number,
): number[] {
  const last = rounds - 1
  const cuts = new Array<number>(rounds).fill(Infinity)
  cuts[last] = 1 - 1 / price
  const worth = (at: number) => 1 - price * (1 - scores[at]!)
  const value = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const at = row * rounds + last
    value[row] = allowed[at] === 1 ? Math.max(0, worth(at)) : 0
  }
  for (let round = last - 1; round >= 0; round--) {
    const ranked = order[round]!
    let total = 0
    let best = 0
    let taken = 0
    for (let place = 0; place < ranked.length; place++) {
      const at = ranked[place]! * rounds + round
      total += worth(at) - (value[ranked[place]!]! - ROUND_COST)
      const isLastOfScore = place + 1 === ranked.length || scores[ranked[place + 1]! * rounds + round] !== scores[at]
      if (isLastOfScore && total > best) {
        best = total
        taken = place + 1
      }
    }
    if (taken > 0) {
      const lowest = scores[ranked[taken - 1]! * rounds + round]!
      const next = ranked[taken]
      cuts[round] = next === undefined ? lowest : (lowest + scores[next * rounds + round]!) / 2
    }
    for (let row = 0; row < rows; row++) {
      const at = row * rounds + round
      value[row] = allowed[at] === 1 && scores[at]! >= cuts[round]! ? worth(at) : value[row]! - ROUND_COST
    }
  }
  return cuts
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
