import { allowedCount, boundedRow, shortfall } from './binomial-rows.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'
import type { HeldOut } from './held-out.ts'
import type { LocalShares, Metric } from './local-shares.ts'

/**
 * Tests whether correctness varies faster than the envelope. One fold's labels find debates that are right less often
 * than those around them. The other fold's labels in that region are compared with the bound. Narrow neighbourhoods
 * find bands that bins of the bound cannot show.
 *
 * The region does not depend on the labels behind the bound. At a fixed state the bound of a round is too high with
 * probability at most delta / T, so the allowance is that share of the region itself.
 */
export function smoothness(heldOut: HeldOut, shares: readonly LocalShares[]): DraftCheck {
  return {
    name: 'smoothness',
    assumption: 'Correctness near a state exceeds that at the state by no more than the envelope, at every scale.',
    null:
      'Where half of the labels show debates that are right less often than those around them, the other half is ' +
      'right at least as often as the bound says, less what delta allows.',
    rows: shares.map((found, at) => smoothnessRow(heldOut, at + 1, pickRegion(heldOut, at + 1, found))),
    counted: heldOut.rounds,
    empty: 'The debates have no rounds.',
    next: {
      falsified: 'The truth is rougher than the envelope: calibrate with --profile cells, which has none.',
      'not falsified': 'Nothing. A dip narrower than some 25 held-out debates stays unseen.',
      'not enough data': 'Label more debates.',
    },
  }
}

function smoothnessRow({ bounds, correct, rounds, roundFailure }: HeldOut, round: number, rows: number[]): DraftRow {
  const at = (row: number) => row * rounds + round - 1
  const right = rows.filter((row) => correct[at(row)] === 1).length
  // A negative bound claims no more than 0 does.
  const mean = rows.reduce((sum, row) => sum + Math.max(0, bounds[at(row)]!), 0) / Math.max(1, rows.length)
  const counted = { name: `round ${round}`, n: rows.length, right }
  return boundedRow(counted, mean, { failure: roundFailure, among: rows.length })
}

const FEWEST = 25
const NEAR = [25, 50, 100]
/** Share of the rows that counts as the surroundings of a debate: about as wide as the neighbourhoods of certificates. */
const AROUND = 0.2
/** How far a bound usually lies below the chance that it bounds. */
const USUAL_SLACK = 0.1
/** Candidate regions that are compared for each neighbourhood size and metric. */
const CANDIDATES = 40

/** Debates of the testing fold in the region that the picking fold chooses. The testing fold's labels play no part. */
export function pickRegion(heldOut: HeldOut, round: number, { picking, testing, metrics }: LocalShares): number[] {
  const around = Math.floor(AROUND * picking.length)
  const sizes = [...NEAR.filter((near) => 2 * near <= around), around]
  if (sizes.length < 2) return []
  const { correct, rounds, roundFailure } = heldOut
  const labels = picking.map((row) => correct[row * rounds + round - 1]!)
  const candidates = metrics.flatMap((metric) => {
    const shares = picking.map((row) => metric.sharesOf(row, sizes))
    return sizes.slice(0, -1).map((_, slot) => {
      const wide = shares.map((found) => found.at(-1)!)
      const dips = shares.map((found) => found[slot]! - found.at(-1)!)
      return { metric, slot, ...deepest(dips, wide, labels, roundFailure) }
    })
  })
  const { metric, slot, limit } = candidates.reduce((a, b) => (b.shortfall > a.shortfall ? b : a))
  const dipOf = (row: number, along: Metric) => {
    const found = along.sharesOf(row, sizes)
    return found[slot]! - found.at(-1)!
  }
  return testing.filter((row) => dipOf(row, metric) <= limit)
}

/**
 * Among the sets of debates with the lowest dips, the set furthest below a usual bound. A dip is the share of right
 * answers near a debate less the share in its wider surroundings.
 */
function deepest(
  dips: readonly number[],
  wide: readonly number[],
  labels: readonly number[],
  failure: number,
): { shortfall: number; limit: number } {
  const order = Array.from(dips.keys()).sort((a, b) => dips[a]! - dips[b]!)
  const every = Math.max(1, Math.floor(order.length / CANDIDATES))
  let best = { shortfall: -Infinity, limit: -Infinity }
  let right = 0
  let expected = 0
  for (const [place, row] of order.entries()) {
    right += labels[row]!
    expected += wide[row]! - USUAL_SLACK
    const n = place + 1
    const isLast = n === order.length
    if (n < FEWEST || (n % every !== 0 && !isLast)) continue
    // Equal dips stay together: a later candidate contains all of them.
    if (!isLast && dips[order[n]!] === dips[row]) continue
    const found = shortfall({ n, right }, (expected - allowedCount(n, failure)) / n)
    if (found > best.shortfall) best = { shortfall: found, limit: dips[row]! }
  }
  return best
}
