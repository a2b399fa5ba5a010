import { type AlphaRule, type Budget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import type { CellDesign } from '../cells/cell-design.ts'
import { type KnnOptions, type KnnProfile, resolveKnnOptions } from '../knn/knn-options.ts'

/** How a certificate over neighbourhoods derives alpha from beta. */
export function knnAlphaRule(
  { alphaRule, kFamily }: Pick<KnnOptions, 'alphaRule' | 'kFamily'>,
  rounds: number,
): AlphaRule {
  // The family is ascending, and a neighbourhood that includes ties can only have more rows.
  return alphaRule === 'printed' ? { kind: 'printed' } : { kind: 'neighbourhoods', rounds, fewestRows: kFamily[0]! }
}

/** How cells derive alpha from beta: a path is tested in every round, a nomination once. */
export function cellsAlphaRule({ kind }: Pick<CellDesign, 'kind'>, rounds: number): AlphaRule {
  return kind === 'path' ? { kind: 'every-round', rounds } : { kind: 'one-test' }
}

/** The resolved budget of a profile for this number of rounds. Cells are assumed to test a debate in every round. */
export function resolveProfileBudget(
  where: string,
  budget: Budget,
  profile: KnnProfile | 'cells' | 'total',
  rounds: number,
  local: Partial<KnnOptions> = {},
): ResolvedBudget {
  return resolveBudget(where, budget, profileAlphaRule(profile, rounds, local))
}

/** `local` has the options of `tight` and `paper` that differ from their defaults. */
export function profileAlphaRule(
  profile: KnnProfile | 'cells' | 'total',
  rounds: number,
  local: Partial<KnnOptions> = {},
): AlphaRule {
  if (profile === 'total') return { kind: 'total' }
  if (profile === 'cells') return cellsAlphaRule({ kind: 'path' }, rounds)
  return knnAlphaRule(resolveKnnOptions('budget', profile, local), rounds)
}
