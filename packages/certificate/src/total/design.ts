import type { KindCode } from '../kinds/kind.ts'
import { classesOf, type KindClass, testsOf } from './classes.ts'
import { type Cuts, type PricedPath, policyPath, pricedPath, spreadPolicies } from './policy-path.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'
import { type Allowance, allowedStops, type OwnCuts, placesOf, type StoppingRows, stopsOf } from './stopping-rows.ts'

/**
 * Everything that pilot rows fix: where a debate may stop, a path of policies, and the classes on which the floor is
 * tested.
 */
export interface TotalDesign extends Allowance {
  /** From strict to permissive. */
  readonly policies: readonly Cuts[]
  /** For each policy, the cuts of the answers that have their own budget, in their order; empty without such budgets. */
  readonly ownCuts: readonly (readonly Cuts[])[]
  /** Empty without a floor. */
  readonly classes: readonly KindClass[]
  /** Number of floor tests that could ever be made. Each has its share of delta. */
  readonly tests: number
}

const MOST_POLICIES = 20
const FEWEST_POLICIES = 6
const ROWS_PER_POLICY = 60
const ROWS_TO_BLOCK = 10
/** Classes are made for the policy at this position of the path, from 0 to 1. */
const MIDDLE = 0.6
/** Expected number of tests per policy, before its classes are known. */
const USUAL_TESTS = 6

/** `pilot` has pilot rows with out-of-fold scores. `neighbours` is the number of rows that will be counted. */
export function designTotal(pilot: StoppingRows, neighbours: number, promise: TotalPromise): TotalDesign {
  const { beta, floor } = promise
  const allowance = { least: floor ?? 0, blocked: floor === null ? [] : blockedKinds(pilot, floor) }
  const allowed = allowedStops(pilot, allowance)
  const most = Math.min(MOST_POLICIES, Math.max(FEWEST_POLICIES, Math.floor(neighbours / ROWS_PER_POLICY)))
  const names = promise.answers.map(({ answer }) => answer)
  const options = { beta, policies: most }
  const path =
    names.length === 0
      ? spreadPolicies(
          pathOfFloor(pilot, floor, () => pricedPath(pilot, allowed, options)),
          options,
        )
      : policyPath(pilot, allowed, {
          ...options,
          own: { of: placesOf(pilot, names), betas: promise.answers.map((each) => each.beta) },
        })
  const policies = path.map(({ cuts }) => cuts)
  const ownCuts = names.length === 0 ? [] : path.map((policy) => policy.own)
  if (floor === null) return { ...allowance, policies, ownCuts, classes: [], tests: 0 }
  const middle = Math.round(MIDDLE * (policies.length - 1))
  const cutsOfAnswers = ownCutsOf(pilot, names, ownCuts[middle])
  const classes = classesOf(actedKinds(pilot, stopsOf(pilot, allowed, policies[middle]!, cutsOfAnswers)), {
    floor,
    level: promiseLevels(promise).floor / (policies.length * USUAL_TESTS),
    scale: neighbours / pilot.rows,
    blocked: allowance.blocked,
  })
  return {
    ...allowance,
    policies,
    ownCuts,
    classes,
    tests: policies.length * classes.reduce((sum, each) => sum + testsOf(each), 0),
  }
}

/** Cached by pilot rows and floor, since the dials of a certificate ask for many betas at few floors. */
const paths = new WeakMap<StoppingRows, Map<number | null, PricedPath>>()
const MOST_FLOORS = 16

function pathOfFloor(pilot: StoppingRows, floor: number | null, make: () => PricedPath): PricedPath {
  const known = paths.get(pilot) ?? new Map<number | null, PricedPath>()
  paths.set(pilot, known)
  const path = known.get(floor) ?? make()
  // Least recently used floors are removed first.
  known.delete(floor)
  known.set(floor, path)
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - MOST_FLOORS))) known.delete(oldest)
  return path
}

/**
 * Kinds whose debates with a sufficient score are below the floor on pilot labels. The debate continues, since no
 * neighbour label was read.
 */
function blockedKinds({ rows, rounds, kinds, scores, excluded, right }: StoppingRows, floor: number): KindCode[] {
  const counts = new Map<KindCode, { rows: number; right: number }>()
  for (let at = 0; at < rows * rounds; at++) {
    if (excluded[at] === 1 || !(scores[at]! >= floor)) continue
    const count = counts.get(kinds[at]!) ?? { rows: 0, right: 0 }
    count.rows++
    count.right += right[at]!
    counts.set(kinds[at]!, count)
  }
  return [...counts]
    .filter(([, count]) => count.rows >= ROWS_TO_BLOCK && count.right < floor * count.rows)
    .map(([kind]) => kind)
    .sort((a, b) => a - b)
}

/** The cuts of one policy in the form for `stopsOf`; undefined if no answer has its own budget. */
export function ownCutsOf(
  rows: StoppingRows,
  names: readonly string[],
  cuts: readonly Cuts[] | undefined,
): OwnCuts | undefined {
  return cuts === undefined ? undefined : { of: placesOf(rows, names), cuts }
}

function actedKinds(pilot: StoppingRows, stops: Int8Array) {
  const kinds: KindCode[] = []
  const right: number[] = []
  for (const [row, round] of stops.entries()) {
    if (round < 0) continue
    kinds.push(pilot.kinds[row * pilot.rounds + round]!)
    right.push(pilot.right[row * pilot.rounds + round]!)
  }
  return { kinds, right }
}
