import { KINDS_PER_ROUND, type KindCode } from '../kinds/kind.ts'
import { normalCdf } from '../special/normal-cdf.ts'
import { normalQuantile } from '../special/normal-quantile.ts'

/** Kinds that are tested together against the floor. */
export interface KindClass {
  /** Largest first. */
  readonly kinds: readonly KindCode[]
  /** Kinds that neighbour labels may drop. Each of them doubles the number of tests among which delta is divided. */
  readonly vetoable: readonly KindCode[]
}

/** Pilot debates that a policy in the middle of the path acts on: the kind of each, and whether it was right. */
export interface ActedKinds {
  readonly kinds: readonly KindCode[]
  readonly right: readonly number[]
}

export interface ClassOptions {
  readonly floor: number
  /** Level of one floor test, as far as it is known before the classes are. */
  readonly level: number
  /** Neighbour rows per pilot row. */
  readonly scale: number
  readonly blocked: readonly KindCode[]
}

/** A kind with at least this many acted neighbour rows is also checked by itself. */
export const ROWS_TO_VETO = 20
const MOST_VETOABLE = 4
/** A kind that passes the floor test by itself with at least this probability is a class of its own. */
const NEARLY_SURE = 0.8

/**
 * Groups kinds into classes, from acted pilot debates alone. A kind that is nearly sure to pass by itself is a class.
 * Others are pooled within their round and agreement if that is nearly sure to pass. The rest joins the largest class
 * of its round and agreement, else of its round, else forms the only class of its round. A kind without an acted pilot
 * row joins nothing.
 */
export function classesOf(acted: ActedKinds, { floor, level, scale, blocked }: ClassOptions): KindClass[] {
  const known = expectedRows(acted, floor, scale)
  const left = new Set([...known.keys()].sort((a, b) => a - b))
  const classOf = new Map<KindCode, KindCode>()
  const size = new Map<KindCode, number>()
  const pooled = (kinds: readonly KindCode[]) => {
    const rows = kinds.reduce((sum, kind) => sum + known.get(kind)!.rows, 0)
    const right = kinds.reduce((sum, kind) => sum + known.get(kind)!.rows * known.get(kind)!.rate, 0)
    return { rows, rate: right / rows }
  }
  const settle = (kinds: readonly KindCode[], rows: number) => {
    const name = Math.min(...kinds)
    for (const kind of kinds) {
      classOf.set(kind, name)
      left.delete(kind)
    }
    size.set(name, rows)
  }

  for (const share of [alone, roundAndAgreement]) {
    for (const node of distinct([...left].map(share))) {
      const kinds = [...left].filter((kind) => share(kind) === node)
      const { rows, rate } = pooled(kinds)
      if (passChance(rows, rate, floor, level) >= NEARLY_SURE) settle(kinds, rows)
    }
  }
  for (const node of distinct([...left].map(roundOnly))) {
    const kinds = [...left].filter((kind) => roundOnly(kind) === node)
    if ([...size.keys()].some((name) => roundOnly(name) === node)) continue
    settle(kinds, pooled(kinds).rows)
  }
  for (const kind of left) {
    if (blocked.includes(kind)) continue
    const largest = (share: (kind: KindCode) => number) =>
      [...size.keys()]
        .filter((name) => share(name) === share(kind))
        .reduce<KindCode | null>(
          (best, name) => (best === null || size.get(name)! > size.get(best)! ? name : best),
          null,
        )
    const joined = largest(roundAndAgreement) ?? largest(roundOnly)
    if (joined !== null) classOf.set(kind, joined)
  }

  const bySize = [...classOf.keys()].sort((a, b) => known.get(b)!.rows - known.get(a)!.rows || a - b)
  return distinct([...classOf.values()]).map((name) => {
    const kinds = bySize.filter((kind) => classOf.get(kind) === name)
    const isLarge = (kind: KindCode) => known.get(kind)!.rows >= ROWS_TO_VETO / 2
    return { kinds, vetoable: kinds.filter(isLarge).slice(0, MOST_VETOABLE) }
  })
}

/** How many tests of a class could ever be made: one for every set of vetoed kinds that leaves something to act on. */
export function testsOf({ kinds, vetoable }: KindClass): number {
  return 2 ** vetoable.length - Number(vetoable.length === kinds.length)
}

const alone = (kind: KindCode) => kind
const roundAndAgreement = (kind: KindCode) => Math.floor(kind / 2)
const roundOnly = (kind: KindCode) => Math.floor(kind / KINDS_PER_ROUND)

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** Expected neighbour rows of each kind, and their share of right answers, shrunk slightly towards the floor. */
function expectedRows({ kinds, right }: ActedKinds, floor: number, scale: number) {
  const counts = new Map<KindCode, { rows: number; right: number }>()
  for (const [at, kind] of kinds.entries()) {
    const count = counts.get(kind) ?? { rows: 0, right: 0 }
    count.rows++
    count.right += right[at]!
    counts.set(kind, count)
  }
  return new Map(
    [...counts].map(([kind, count]) => [
      kind,
      { rows: count.rows * scale, rate: (count.right + floor) / (count.rows + 1) },
    ]),
  )
}

/**
 * Probability that `rows` rows with this rate pass the floor test, by the normal approximation. It only affects the
 * choice of classes.
 */
export function passChance(rows: number, rate: number, floor: number, level: number): number {
  if (rows < 1) return 0
  const needed = floor + normalQuantile(1 - level) * Math.sqrt((floor * (1 - floor)) / rows) + 0.5 / rows
  return normalCdf((rate - needed) / Math.sqrt(Math.max(rate * (1 - rate), 0.01) / rows))
}
