import type { ReadDebate, ReadDebates } from '@quorate/certificate'
import type { BoundPath } from './bound-terms.ts'

/** Content of the paper's overview figure: labelled states by correctness, and one debate on its way to the threshold. */
export interface Overview {
  readonly threshold: number
  /** States of the last round, in bins of .05. */
  readonly states: readonly StateBin[]
  readonly debate: readonly DebateStep[] | null
}

export interface StateBin {
  readonly p1: number
  readonly margin: number
  readonly right: number
  readonly wrong: number
}

export interface DebateStep {
  readonly p1: number
  readonly margin: number
  readonly lower: number
}

interface OverviewInput {
  readonly train: ReadDebates
  readonly test: ReadDebates
  readonly paths: readonly BoundPath[]
  readonly actedAt: ArrayLike<number>
  readonly threshold: number | null
}

/** Null if the budget leaves no threshold. */
export function overviewOf({ train, test, paths, actedAt, threshold }: OverviewInput): Overview | null {
  if (threshold === null) return null
  const row = risingRow(paths, actedAt)
  return {
    threshold,
    states: binsOf(train),
    debate: row === null ? null : stepsOf(test.debates[row]!, paths[row]!, actedAt[row]!),
  }
}

/** The debate that acts latest, and among those the one whose bound rose most; null if none acts after round 1. */
function risingRow(paths: readonly BoundPath[], actedAt: ArrayLike<number>): number | null {
  let best: { readonly row: number; readonly round: number; readonly rise: number } | null = null
  for (const [row, path] of paths.entries()) {
    const round = actedAt[row]!
    const [first, last] = [path[0]?.lower, path[round - 1]?.lower]
    if (round < 2 || first === undefined || last === undefined) continue
    const rise = last - first
    if (best === null || round > best.round || (round === best.round && rise > best.rise)) best = { row, round, rise }
  }
  return best?.row ?? null
}

/** Steps up to the round in which it acts. Later rounds would not take place. */
function stepsOf({ rounds }: ReadDebate, path: BoundPath, acted: number): DebateStep[] {
  return rounds.slice(0, acted).flatMap(({ p1, margin }, at) => {
    const lower = path[at]?.lower
    return lower === undefined ? [] : [{ p1: rounded(p1), margin: rounded(margin), lower: rounded(lower) }]
  })
}

const STEP = 0.05

function binsOf({ debates }: ReadDebates): StateBin[] {
  const bins = new Map<string, { p1: number; margin: number; right: number; wrong: number }>()
  for (const { rounds, record } of debates) {
    const last = rounds.at(-1)!
    const [p1, margin] = [last.p1, last.margin].map((value) => rounded(Math.round(value / STEP) * STEP)) as [
      number,
      number,
    ]
    const bin = bins.get(`${p1} ${margin}`) ?? { p1, margin, right: 0, wrong: 0 }
    if (last.prediction === record.gold) bin.right++
    else bin.wrong++
    bins.set(`${p1} ${margin}`, bin)
  }
  return [...bins.values()].sort((left, right) => left.p1 - right.p1 || left.margin - right.margin)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
