import type { CalibrateOptions, CellVariant } from '@quorate/certificate'

/** A way to calibrate, without the budget. */
export interface Setting {
  readonly name: string
  readonly profile: CalibrateOptions['profile']
  readonly options: Omit<CalibrateOptions, 'budget'>
}

export const DELTA = 0.03
/** Of the k-NN profiles; cells forget nothing that the stopping rule uses and have none. */
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

/** In the order in which ties are settled: smaller pilots first, then smaller families. */
export const TIGHT_CANDIDATES: readonly Setting[] = [0.2, 0.3].flatMap((pilotFraction) =>
  [512, 1024, 2048].map((largest) => tight(largest, pilotFraction)),
)

/** Reported only: validity sets rho, not automation. */
export const TIGHT_WITHOUT_INFLATION = tight(1024, 0.2, 1)

/** In the order in which ties are settled: smaller pilots first; one look before many, a fixed kind before a choice. */
export const CELLS_CANDIDATES: readonly Setting[] = [0.2, 0.3, 0.4].flatMap((pilotFraction) =>
  (['nominate', 'path', 'auto'] as const).map((variant) => cells(variant, pilotFraction)),
)

export const SETTINGS: readonly Setting[] = [
  PAPER,
  ...TIGHT_CANDIDATES,
  TIGHT_WITHOUT_INFLATION,
  ...CELLS_CANDIDATES,
  TOTAL,
]

/** What the profiles are without overrides; a test holds the package to it. */
export const SHIPPED = { total: TOTAL, tight: tight(512, 0.2), cells: cells('path', 0.2) } as const

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
