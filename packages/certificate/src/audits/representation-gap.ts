import type { ReadDebate } from '../certificate/read-debates.ts'
import { prefixOf } from '../certificate/step.ts'
import { learnedFeatureNames, learnedFeatures } from '../states/learned-features.ts'
import { learnedLayout } from '../states/learned-layout.ts'
import { type Counted, promisedRow, shortfall } from './binomial-rows.ts'
import type { DraftCheck } from './draft-check.ts'
import { grantedTo, type HeldOut } from './held-out.ts'
import type { LocalShares } from './local-shares.ts'
import { growRegions, isInside, type Region } from './region-tree.ts'
import { lessDelta } from './stopping-rounds.ts'

/** A region of one round that the labels of one fold pick, with counts of the other fold's actions in it. */
export interface WeakRegion extends Counted {
  /** Debates of the testing fold in the region, acted on or not. */
  readonly among: number
}

/**
 * Tests whether richer features contradict the state where it acts. A small tree over those features, grown on one
 * fold, finds the region that is right least often among debates whose state looks good enough to act. The other fold's
 * actions in that region are counted.
 *
 * The region does not depend on the labels behind the bound. At a fixed state the bound of a round is too high with
 * probability at most delta / T, so under the paper's rule actions in the region lose at most
 * (delta / T) / P(act | region).
 */
export function representationGap(heldOut: HeldOut, weak: readonly WeakRegion[]): DraftCheck {
  const { promise, budget, rounds } = heldOut
  const failure = grantedTo(heldOut, heldOut.roundFailure)
  return {
    name: 'representation-gap',
    assumption: `The state loses at most epsilon = ${budget.epsilon} of what the whole debate says, wherever it acts.`,
    null:
      'Where half of the labels point to the worst actions, of the other half of the actions there at least ' +
      `${(100 * promise).toFixed(1)} % are right${lessDelta(heldOut)}.`,
    rows: weak.map((region) => promisedRow(region, promise, { failure, among: region.among })),
    counted: rounds,
    empty: 'Too few debates could be acted on to look for a region.',
    next: {
      falsified: 'Raise epsilon, give the state the features named above, or calibrate with --profile cells.',
      'not falsified': 'Nothing. Other features might still know better.',
      'not enough data': 'Label more debates, or audit at the larger budget that you would act on.',
    },
  }
}

const FEWEST = 50
const FEWEST_IN_REGION = 20
const NEAR = 100
const MOST_REGIONS = 8
const MOST_JOINED = 3

/** At most one region per round. Neither the testing fold's labels nor the bounds affect the choice. */
export function findWeakRegions(heldOut: HeldOut, shares: readonly LocalShares[]): WeakRegion[] {
  return shares.flatMap((found, at) => weakRegion(heldOut, promisingRows(heldOut, found), at + 1))
}

/** Empty if too few debates have a promising state. */
function weakRegion(heldOut: HeldOut, promising: readonly number[], round: number): WeakRegion[] {
  const { fold, actedAt, debates, correct, rounds, promise } = heldOut
  const rows = promising.filter((row) => fold[row] === 0)
  if (rows.length < FEWEST) return []
  const labelOf = (row: number) => correct[row * rounds + round - 1]!
  const rich = richFeatures(debates, round)
  const featuresOf = (row: number) => rich.of(debates[row]!)
  const shape = { mostRegions: MOST_REGIONS, fewestRows: Math.max(FEWEST_IN_REGION, Math.ceil(rows.length / 40)) }
  const labels = rows.map(labelOf)
  const regions = worstUnion(
    growRegions(rows.map(featuresOf), labels, shape),
    labels,
    promise - grantedTo(heldOut, heldOut.roundFailure),
  )
  const inside = promising.filter((row) => {
    if (fold[row] === 0) return false
    const features = featuresOf(row)
    return regions.some((region) => isInside(region, features))
  })
  const acted = inside.filter((row) => actedAt[row] === round)
  const name = `round ${round}, ${regions.map((region) => describe(region, rich)).join('; or ')}`
  return [{ name, n: acted.length, right: acted.filter((row) => labelOf(row) === 1).length, among: inside.length }]
}

/** Debates whose neighbours in the picking fold are right as often as promised: roughly those that will be acted on. */
function promisingRows({ promise }: HeldOut, { picking, testing, metrics: [whole] }: LocalShares): number[] {
  if (whole === undefined || picking.length <= NEAR) return []
  return [...picking, ...testing].filter((row) => whole.sharesOf(row, [NEAR])[0]! >= promise)
}

/** The union of the one to three worst regions that falls furthest below the line. */
function worstUnion(regions: readonly Region[], labels: readonly number[], line: number): readonly Region[] {
  const rightIn = (rows: readonly number[]) => rows.reduce((sum, place) => sum + labels[place]!, 0)
  const share = ({ rows }: Region) => rightIn(rows) / rows.length
  const worstFirst = regions.toSorted((a, b) => share(a) - share(b))
  const candidates = worstFirst.slice(0, MOST_JOINED).map((_, last) => {
    const union = worstFirst.slice(0, last + 1)
    const rows = union.flatMap((region) => region.rows)
    return { union, short: shortfall({ n: rows.length, right: rightIn(rows) }, line) }
  })
  return candidates.reduce((a, b) => (b.short > a.short ? b : a)).union
}

function describe({ conditions }: Region, { names }: RichFeatures): string {
  if (conditions.length === 0) return 'all actions'
  return conditions
    .map(({ feature, cut, side }) => `${names[feature]} ${side === 'above' ? '>' : '<='} ${Number(cut.toPrecision(3))}`)
    .join(' and ')
}

/** All features of a debate after one round that the package computes. */
interface RichFeatures {
  readonly names: readonly string[]
  of(debate: ReadDebate): Float64Array
}

function richFeatures(debates: readonly ReadDebate[], round: number): RichFeatures {
  const layout = learnedLayout(
    debates.map((debate) => prefixOf(debate, round)),
    debates.map(({ record }) => record.group),
  )
  return {
    names: [...learnedFeatureNames(layout), 'stability'],
    of(debate) {
      const features = learnedFeatures(layout, prefixOf(debate, round), debate.record.group)
      // Never null: features are per agent only if every row has the same agents.
      return Float64Array.of(...features!, debate.rounds[round - 1]!.stability)
    },
  }
}
