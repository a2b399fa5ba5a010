import { permutation, type ReadDebates, replay, seededRandom } from '@quorate/certificate'
import type { TwinName } from '../../twins/targets.ts'
import { calibrateOurs, cellAt, type OursOptions, PILOT_FRACTION } from './ours.ts'
import type { Cell } from './outcome.ts'
import { SHARED_BETA } from './paper-cells.ts'
import { pickDebates } from './worlds.ts'

/** A change to the paper's method, and the twins on which a table needs it. */
interface Variant {
  readonly name: VariantName
  readonly options: OursOptions
  readonly twins: readonly TwinName[]
}

export type VariantName = (typeof VARIANT_NAMES)[number]
const VARIANT_NAMES = [
  'rho 1.25',
  'rho 1.5',
  'rho 2',
  'paper-1d',
  'paper-3d',
  'paper-4d',
  'isotonic',
  'empirical-bernstein',
  'k 128',
  'k 256',
  'k 512',
] as const

const TWO: readonly TwinName[] = ['mmlu-pro', 'bbh']
const STRESSED: readonly TwinName[] = ['mmlu-pro', 'arc', 'bbh']

export const VARIANTS: readonly Variant[] = [
  { name: 'rho 1.25', options: { rho: 1.25 }, twins: STRESSED },
  { name: 'rho 1.5', options: { rho: 1.5 }, twins: STRESSED },
  { name: 'rho 2', options: { rho: 2 }, twins: ['logiqa', ...STRESSED] },
  { name: 'paper-1d', options: { state: 'paper-1d' }, twins: TWO },
  { name: 'paper-3d', options: { state: 'paper-3d' }, twins: TWO },
  { name: 'paper-4d', options: { state: 'paper-4d' }, twins: TWO },
  { name: 'isotonic', options: { smoother: 'isotonic' }, twins: ['mmlu-pro'] },
  { name: 'empirical-bernstein', options: { concentration: 'empirical-bernstein' }, twins: TWO },
  { name: 'k 128', options: { kFamily: [128] }, twins: ['mmlu-pro'] },
  { name: 'k 256', options: { kFamily: [256] }, twins: ['mmlu-pro'] },
  { name: 'k 512', options: { kFamily: [512] }, twins: ['mmlu-pro'] },
]

export function variantsOn(twin: TwinName): VariantName[] {
  return VARIANTS.filter(({ twins }) => twins.includes(twin)).map(({ name }) => name)
}

/** The states of other dimensions, the only ablation that is run on recorded files. */
export const STATE_VARIANTS = ['paper-1d', 'paper-3d', 'paper-4d'] as const satisfies readonly VariantName[]

export interface VariantCells {
  readonly name: VariantName
  /** At beta = .15. */
  readonly fixed: Cell
  /** At the split's own budget. */
  readonly operating: Cell | null
}

export function variantCells(
  { train, test }: { readonly train: ReadDebates; readonly test: ReadDebates },
  {
    names,
    seed,
    beta,
  }: { readonly names: readonly VariantName[]; readonly seed: number; readonly beta: number | null },
): VariantCells[] {
  return VARIANTS.filter(({ name }) => names.includes(name)).map(({ name, options }) => {
    const replayed = replay(calibrateOurs(train, seed, options), test)
    return { name, fixed: cellAt(replayed, test, SHARED_BETA)!, operating: cellAt(replayed, test, beta) }
  })
}

/** Neighbour rows of the paper's ablation: a quarter, a half and all of 80 % of an 80 % training part of MMLU-Pro. */
export const CALIBRATION_SHARES = [0.25, 0.5, 1] as const
const TRAINING_SHARE = 0.8

export interface CalibrationSizeCell {
  readonly neighbourRows: number
  readonly cell: Cell
  /** Median over test debates and rounds of the radius of the neighbourhood that gave the bound. */
  readonly radius: number
  /** Median over the same of envelope plus slack: how far the bound is below the mean. */
  readonly allowance: number
}

export function calibrationSizeCells(read: ReadDebates, seed: number, medians: Medians): CalibrationSizeCell[] {
  const order = permutation(read.debates.length, seededRandom(seed))
  const middle = Math.floor(order.length * TRAINING_SHARE)
  const train = pickDebates(read, order.subarray(0, middle))
  const test = pickDebates(read, order.subarray(middle))
  const rows = [...permutation(middle, seededRandom(seed))]
  const pilotRows = Math.floor(middle * PILOT_FRACTION)
  const pilot = rows.slice(0, pilotRows)
  return CALIBRATION_SHARES.map((share) => {
    const neighbours = rows.slice(pilotRows, pilotRows + Math.floor((middle - pilotRows) * share))
    const certificate = calibrateOurs(train, seed, { split: { pilot, neighbours } })
    const cell = cellAt(replay(certificate, test), test, SHARED_BETA)!
    return { neighbourRows: neighbours.length, cell, ...medians(certificate, test) }
  })
}

type Medians = (
  certificate: ReturnType<typeof calibrateOurs>,
  test: ReadDebates,
) => Pick<CalibrationSizeCell, 'radius' | 'allowance'>
