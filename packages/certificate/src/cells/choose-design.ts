import type { CellDesign } from './cell-design.ts'
import { type DesignTarget, expectedAction } from './expected-action.ts'
import type { RoundScores } from './round-scores.ts'

export type CellVariant = 'path' | 'nominate' | 'auto'

const SWEEPS = 2

/**
 * The design with the largest expected action on the pilot. Every choice (path or nominate, cuts, how far above the
 * line a nomination starts) is made here, from pilot rows; afterwards cells are only counted.
 */
export function chooseDesign(variant: CellVariant, pilot: RoundScores, target: DesignTarget): CellDesign {
  if (variant !== 'auto') return bestOfKind(variant, pilot, target).design
  const path = bestOfKind('path', pilot, target)
  const nominate = bestOfKind('nominate', pilot, target)
  return nominate.value > path.value ? nominate.design : path.design
}

interface Judged {
  readonly design: CellDesign
  readonly value: number
}

/** Coordinate ascent: the best cuts common to all rounds, then each round's own, twice. */
function bestOfKind(kind: CellDesign['kind'], pilot: RoundScores, target: DesignTarget): Judged {
  const candidates = cutCandidates(kind, target.line)
  const judge = (cuts: readonly (readonly number[])[]): Judged => {
    const design = { kind, cuts }
    return { design, value: expectedAction(design, pilot, target) }
  }
  const rounds = Array.from({ length: pilot.rounds }, (_, round) => round)
  let best = candidates.map((cuts) => judge(rounds.map(() => cuts))).reduce(better)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const round of rounds) {
      for (const cuts of candidates) best = better(best, judge(best.design.cuts.with(round, cuts)))
    }
  }
  return best
}

function better(first: Judged, second: Judged): Judged {
  return second.value > first.value ? second : first
}

/** Nominations start on the line or above it, so nothing is acted on that its own score speaks against. */
function cutCandidates(kind: CellDesign['kind'], line: number): readonly (readonly number[])[] {
  const above = [0, 0.15, 0.3, 0.45, 0.6, 0.75].map((share) => line + share * (1 - line))
  const below = [0.15, 0.08, 0.04].map((distance) => line - distance).filter((cut) => cut > 0)
  const levels = kind === 'nominate' ? above : [...below, ...above]
  const pairs = levels.flatMap((low, index) => levels.slice(index + 1).map((high) => [low, high]))
  const singles = levels.map((cut) => [cut])
  return kind === 'nominate' ? [...singles, ...pairs, []] : [...singles, ...pairs]
}
