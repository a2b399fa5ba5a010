import type { BoundPath, BoundPaths, BoundSpread } from '../figures/bound-paths.ts'
import { type DecidedDebate, lookedSteps } from './decide-held-out.ts'
import { evenly } from './evenly.ts'

const SAMPLES_OF_A_KIND = 14

/** The bounds of held-out debates by round, until they act. */
export function boundSpreads(
  decided: readonly DecidedDebate[],
  { threshold, rounds }: { readonly threshold: number; readonly rounds: number },
): BoundPaths {
  const spreads = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    (['act', 'defer'] as const).flatMap((kind) => spreadOf(decided, round, kind)),
  )
  const samples = (['act', 'defer'] as const).flatMap((kind) => {
    const long = decided.filter((debate) => kindOf(debate) === kind && lookedSteps(debate).length > 1)
    const paths = evenly(long, SAMPLES_OF_A_KIND).map(
      ({ steps }): BoundPath => ({ kind, bounds: steps.map(({ lower }) => lower) }),
    )
    // Debates of the same cells take the same way: drawn once.
    return [...new Map(paths.map((path) => [path.bounds.join(), path])).values()]
  })
  return { threshold, rounds, spreads, samples }
}

function spreadOf(decided: readonly DecidedDebate[], round: number, kind: BoundSpread['kind']): BoundSpread[] {
  const bounds = decided
    .filter((debate) => kindOf(debate) === kind)
    .flatMap(({ steps }) => steps[round - 1]?.lower ?? [])
    .sort((a, b) => a - b)
  if (bounds.length === 0) return []
  const at = (share: number) => bounds[Math.round(share * (bounds.length - 1))] ?? 0
  return [{ round, kind, n: bounds.length, quantiles: [at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)] }]
}

function kindOf({ actedAt }: DecidedDebate): BoundSpread['kind'] {
  return actedAt > 0 ? 'act' : 'defer'
}
