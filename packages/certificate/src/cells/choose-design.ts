import type { CellDesign } from './cell-design.ts'
import type { CellRows } from './cell-rows.ts'
import { type DesignTarget, expectedAction } from './expected-action.ts'
import { type ScorePatterns, scorePatterns } from './score-patterns.ts'

export type CellVariant = 'path' | 'nominate' | 'auto'

/**
 * Candidate cuts, as shares of the way from the threshold to 1. A cut below the threshold would pool debates with a low
 * score with others and act on both.
 */
const LEVELS = [0, 0.15, 0.3, 0.45, 0.6, 0.75]

/**
 * The design with the largest expected action on the pilot. Every choice (path or nominate, the cuts, how far above the
 * threshold a nomination starts) is made here from pilot rows. Afterwards cells are only counted.
 */
export function chooseDesign(
  variant: CellVariant,
  pilot: Omit<CellRows, 'kinds'>,
  targetOf: (kind: CellDesign['kind']) => DesignTarget,
): CellDesign {
  const kinds = variant === 'auto' ? (['path', 'nominate'] as const) : [variant]
  const found = kinds.map((kind): Judged => {
    const target = targetOf(kind)
    const levels = LEVELS.map((share) => target.threshold + share * (1 - target.threshold))
    const { design, value } = bestOfKind(kind, scorePatterns(pilot, levels), target)
    return { design: { kind, cuts: design.cuts.map((round) => round.map((level) => levels[level]!)) }, value }
  })
  return found.reduce(better).design
}

interface Judged {
  readonly design: CellDesign
  readonly value: number
}

/**
 * Coordinate ascent: first the best cuts common to all rounds, then the best cuts of each round, in two sweeps (one
 * above 16 rounds).
 */
function bestOfKind(kind: CellDesign['kind'], patterns: ScorePatterns, target: DesignTarget): Judged {
  const candidates = kind === 'nominate' ? [...CUTS, []] : CUTS
  // The sweeps reach many designs more than once.
  const known = new Map<string, Judged>()
  const judge = (cuts: CellDesign['cuts']): Judged => {
    const name = cuts.join(';')
    const design = { kind, cuts }
    const judged = known.get(name) ?? { design, value: expectedAction(design, patterns, target) }
    known.set(name, judged)
    return judged
  }
  const rounds = Array.from({ length: patterns.rounds }, (_, round) => round)
  let best = candidates.map((cuts) => judge(rounds.map(() => cuts))).reduce(better)
  for (let sweep = 0; sweep < (rounds.length > 16 ? 1 : 2); sweep++) {
    for (const round of rounds) {
      for (const cuts of candidates) best = better(best, judge(best.design.cuts.with(round, cuts)))
    }
  }
  return best
}

/** One or two cuts, as indices of levels. */
const CUTS: readonly (readonly number[])[] = LEVELS.flatMap((_, low) => [
  [low],
  ...LEVELS.slice(low + 1).map((_, further) => [low, low + 1 + further]),
])

function better(first: Judged, second: Judged): Judged {
  return second.value > first.value ? second : first
}
