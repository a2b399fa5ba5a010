import type { CalibrateOptions, CellVariant, TotalBudget } from '@quorate/certificate'

/** A way to calibrate, without the budget. */
export interface Setting {
  readonly name: string
  readonly profile: CalibrateOptions['profile']
  readonly options: Omit<CalibrateOptions, 'budget'>
  /** The promise of `total` at a beta; the default promise if absent. */
  readonly total?: (beta: number) => TotalBudget
}

export const DELTA = 0.03
/** For the k-NN profiles. Cells have no epsilon, since they keep everything that the stopping rule uses. */
export const EPSILON = 0.02
export const BETAS: readonly number[] = [0.1, 0.15, 0.2, 0.3]

const SPLIT_SEED = 7

/** The default of the product. It chooses its own pilot share. */
export const TOTAL: Setting = {
  name: 'total',
  profile: 'total',
  options: { profile: 'total', split: { seed: SPLIT_SEED } },
}

export const PAPER: Setting = { name: 'paper', profile: 'paper', options: { profile: 'paper' } }

/** Other pilot shares, in the order that breaks ties: the default share, then the smaller pilot. */
export const TOTAL_PILOTS: readonly Setting[] = [
  TOTAL,
  ...[0.1, 0.35].map(
    (pilotFraction): Setting => ({
      name: `total, pilot ${percent(pilotFraction)}`,
      profile: 'total',
      options: { profile: 'total', split: { pilotFraction, seed: SPLIT_SEED } },
    }),
  ),
]

/** Other promises from the same fit. Each of them trades something other than Act, so none of them competes. */
export const TOTAL_PROMISES: readonly Setting[] = [
  { ...TOTAL, name: 'total, floor none', total: () => ({ floor: 'none' }) },
  { ...TOTAL, name: 'total, floor .70', total: () => ({ floor: 0.7 }) },
  { ...TOTAL, name: 'total, floor 1 - beta', total: (beta) => ({ floor: 1 - beta }) },
  { ...TOTAL, name: 'total, average', total: () => ({ kind: 'average' }) },
  { ...TOTAL, name: 'total, delta .02', total: () => ({ delta: 0.02 }) },
  { ...TOTAL, name: 'total, delta .10', total: () => ({ delta: 0.1 }) },
]

/** The profiles without overrides. A test compares the package with them. */
export const SHIPPED = { total: TOTAL, tight: tight(512, 0.2), cells: cells('path', 0.2) } as const

export const SETTINGS: readonly Setting[] = [...TOTAL_PILOTS, ...TOTAL_PROMISES, SHIPPED.cells, SHIPPED.tight]

export function tight(largest: number, pilotFraction: number, rho = 1.5): Setting {
  const kFamily = [128, 256, 512, 1024, 2048].filter((k) => k <= largest)
  return {
    name: `tight, k to ${largest}, pilot ${percent(pilotFraction)}${rho === 1.5 ? '' : `, rho ${rho}`}`,
    profile: 'tight',
    options: { profile: 'tight', kFamily, rho, split: { pilotFraction, seed: SPLIT_SEED } },
  }
}

export function cells(variant: CellVariant, pilotFraction: number): Setting {
  return {
    name: `cells, ${variant}, pilot ${percent(pilotFraction)}`,
    profile: 'cells',
    options: { profile: 'cells', cells: variant, split: { pilotFraction, seed: SPLIT_SEED } },
  }
}

function percent(fraction: number): string {
  return `${Math.round(100 * fraction)} %`
}
