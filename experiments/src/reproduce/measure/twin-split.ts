import { POLICIES, type ReadDebates, replay } from '@quorate/certificate'
import {
  type BoundTerms,
  boundPaths,
  lastTerms,
  medianBest,
  medianRadius,
  neighbourEntropy,
  type TradeOff,
  tradeOff,
} from './bound-terms.ts'
import { usualBudget } from './budgets.ts'
import { type GroupControlCell, groupControlCells } from './group-control.ts'
import { confidenceCell, type MatchedCells, matchedCells } from './matched.ts'
import { operatingBudgets } from './operating-budgets.ts'
import { calibrateOurs } from './ours.ts'
import type { Cell } from './outcome.ts'
import { type Overview, overviewOf } from './overview.ts'
import { type PaperCells, paperCells } from './paper-cells.ts'
import { fitPolicies, type PolicyCells, policyCells } from './policy-cells.ts'
import { actionsByGroup, type GroupActions, type SubgroupCell, subgroupCells } from './subgroups.ts'
import type { Sweep } from './sweep.ts'
import {
  type CalibrationSizeCell,
  calibrationSizeCells,
  type VariantCells,
  type VariantName,
  variantCells,
} from './variants.ts'
import { splitInHalves } from './worlds.ts'

/** Everything that is measured on one split of a twin, or of a recorded file that is compared with it. */
export interface TwinSplit {
  readonly rounds: number
  /** Debates of both halves. */
  readonly debates: number
  readonly sweep: Sweep
  readonly paper: PaperCells
  readonly variants: readonly VariantCells[]
  readonly policies: readonly PolicyCells[]
  readonly matched: MatchedCells | null
  /** Actions where p1 reaches a threshold that acts as often as the paper's matched one; null if the paper prints none. */
  readonly confidence: Cell | null
  /** Terms at the last round. */
  readonly terms: BoundTerms | null
  /** The threshold of the split's budget; null without one. */
  readonly threshold: number | null
  /** Median over test debates of the best bound. */
  readonly medianBest: number | null
  /** Entropy of the labels of the neighbours, in nats, under the split's budget (or .15 without one). */
  readonly entropy: { readonly acted: number | null; readonly deferred: number | null }
  readonly subgroups: readonly SubgroupCell[]
  readonly groupActions: readonly GroupActions[]
  /** One certificate for all groups, and one for each; empty without groups. */
  readonly groupControl: readonly GroupControlCell[]
  /** For MMLU-Pro only. */
  readonly calibrationSizes: readonly CalibrationSizeCell[]
  readonly tradeOff: readonly TradeOff[]
  /** For MMLU-Pro only; null if the split has no budget. */
  readonly overview: Overview | null
}

export interface TwinSplitOptions {
  readonly variants: readonly VariantName[]
  /** Whether calibration sizes and single neighbourhood sizes are tried. */
  readonly triesSizes: boolean
  readonly seed: number
  readonly sweep: Sweep
  readonly pooledLambda: number | null
  /** Multiples of the final-round error, as budgets. */
  readonly multiples: readonly number[]
  /** Act of the paper's matched confidence threshold. */
  readonly printedAct: number | null
}

export function measureTwinSplit(read: ReadDebates, options: TwinSplitOptions): TwinSplit {
  const { variants, triesSizes, seed, sweep, pooledLambda, multiples, printedAct } = options
  const halves = splitInHalves(read, seed)
  const { train, test } = halves
  const operating = operatingBudgets(sweep, pooledLambda)
  const certificate = calibrateOurs(train, seed)
  const replayed = replay(certificate, test)
  const paper = paperCells(replayed, test, { operating, multiples })
  const fitted = fitPolicies(train, POLICIES, seed)
  const paths = boundPaths(certificate, test)
  const own = operating.usual
  const atOwn = replayed.at(usualBudget(own ?? 0.15))
  return {
    rounds: replayed.rounds,
    debates: read.debates.length,
    sweep,
    paper,
    variants: variantCells(halves, { names: variants, seed, beta: own }),
    policies: policyCells(fitted, halves, { beta: own, replays: new Map([['paper', replayed]]) }),
    matched: matchedCells(paper.operating.usual, halves, fitted.get('calibrated-learned')),
    confidence: printedAct === null ? null : confidenceCell(printedAct, halves),
    terms: lastTerms(certificate, test),
    threshold: own === null ? null : replayed.at(usualBudget(own)).threshold,
    medianBest: medianBest(paths),
    entropy: neighbourEntropy(paths, atOwn.actedAt),
    subgroups: subgroupCells(replayed, halves, pooledLambda),
    groupActions: actionsByGroup(replayed, test, own),
    groupControl: groupControlCells(halves, seed),
    calibrationSizes: triesSizes ? calibrationSizeCells(read, seed, medianRadius) : [],
    tradeOff: triesSizes ? tradeOff(halves, seed) : [],
    overview: triesSizes
      ? overviewOf({ train, test, paths, actedAt: atOwn.actedAt, threshold: atOwn.threshold })
      : null,
  }
}
