import { markdownTable } from '../../tables/markdown.ts'
import { meanOf, type Point } from '../measure/outcome.ts'
import type { VariantName } from '../measure/variants.ts'
import { CALIBRATION_SIZE_ROWS, FIXED_SIZE_ROWS } from '../paper/ablations.ts'
import { ENVELOPE_STRESS, INFLATIONS, STRESSED_TWINS } from '../paper/envelope-stress.ts'
import { TWO_TWINS } from '../paper/epsilon-sensitivity.ts'
import { SMOOTHER_TABLE } from '../paper/smoothers.ts'
import { STATE_NAMES, STATE_TABLE } from '../paper/state-dimension.ts'
import type { MeasuredSplits, TwinMeasurements } from '../tasks.ts'
import { compareDecimal, compareNumber, comparePercent } from './compare.ts'
import { absolutePoint } from './fixed-budgets.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

/** A change to the paper's method, at beta = .15 or at the split's own budget; null if it was not tried. */
export function variantPoint(
  twin: MeasuredSplits,
  name: VariantName,
  at: 'fixed' | 'operating' = 'fixed',
): Point | null {
  const isTried = twin.splits.every(({ variants }) => variants.some((variant) => variant.name === name))
  return isTried ? pointIn(twin, ({ variants }) => variants.find((variant) => variant.name === name)?.[at]) : null
}

export const fixedSizeTable: Table = {
  number: 9,
  name: 'ablations',
  title: 'Ablations on MMLU-Pro: fixed k, and calibration size',
  text: (measured) =>
    measuredTwins(measured, ['mmlu-pro'])
      .map(({ twin }) => `${fixedSizes(twin)}\n\n${calibrationSizes(twin)}`)
      .join('\n'),
}

function fixedSizes(twin: TwinMeasurements): string {
  const rows = FIXED_SIZE_ROWS.map(({ k, wrong, act, accuracy, envelope }) => {
    const point = k === null ? absolutePoint(twin, 0.15) : variantPoint(twin, sizeName(k))
    const own = twin.splits.flatMap(({ tradeOff }) => tradeOff.filter((row) => row.k === k))
    return [
      k === null ? 'adaptive' : `k = ${k}`,
      comparePercent(wrong, point?.wrong.mean),
      comparePercent(act, point?.act.mean),
      comparePercent(accuracy, point?.accuracy?.mean),
      compareDecimal(envelope, own.length === 0 ? null : meanOf(own.map((row) => row.envelope)), 3),
    ]
  })
  return `beta = .15. A fixed k pays for one look, not for three; its bias is the median envelope over test debates at the last round.

${markdownTable(['k', 'WA %', 'Act %', 'Acc %', 'bias'], rows)}`
}

export function sizeName(k: number): VariantName {
  return k === 128 ? 'k 128' : k === 256 ? 'k 256' : 'k 512'
}

function calibrationSizes(twin: TwinMeasurements): string {
  const rows = CALIBRATION_SIZE_ROWS.map(({ neighbourRows, wrong, act, radius }, at) => {
    const point = pointIn(twin, ({ calibrationSizes: sizes }) => sizes[at]?.cell)
    const own = twin.splits.map(({ calibrationSizes: sizes }) => sizes[at]!)
    return [
      compareNumber(neighbourRows, meanOf(own.map((size) => size.neighbourRows)), 0),
      comparePercent(wrong, point.wrong.mean),
      comparePercent(act, point.act.mean),
      compareDecimal(radius, meanOf(own.map((size) => size.radius)), 3),
    ]
  })
  return `5,319 neighbour rows are 80 % of an 80 % training part, so this half of the table splits 80/20 and not 50/50; the median radius is
over test debates and rounds, of the neighbourhood that gave the bound.

${markdownTable(['neighbour rows', 'WA %', 'Act %', 'median radius'], rows)}`
}

export const stateDimensionTable: Table = {
  number: 16,
  name: 'state-dimension',
  title: 'Dimension of the state, at beta = .15',
  text(measured) {
    const rows = measuredTwins(measured, TWO_TWINS).flatMap(({ name, title, twin }) =>
      STATE_NAMES.map((state, at) => {
        const [act, wrong] = STATE_TABLE[name][at]!
        const point = statePoint(twin, state)
        return [title, String(at + 1), comparePercent(act, point?.act.mean), comparePercent(wrong, point?.wrong.mean)]
      }),
    )
    return markdownTable(['twin', 'D', 'Act %', 'WA %'], rows)
  },
}

export function statePoint(twin: MeasuredSplits, state: (typeof STATE_NAMES)[number]): Point | null {
  return state === 'paper' ? absolutePoint(twin, 0.15) : variantPoint(twin, state)
}

export const smootherTable: Table = {
  number: 3,
  name: 'smoothers',
  title: 'Smoothers on MMLU-Pro, at beta = .15',
  text(measured) {
    const rows = measuredTwins(measured, ['mmlu-pro']).flatMap(({ twin }) =>
      (['gam', 'isotonic'] as const).map((smoother) => {
        const printed = SMOOTHER_TABLE[smoother]
        const point = smoother === 'gam' ? absolutePoint(twin, 0.15) : variantPoint(twin, 'isotonic')
        const [near, far] = twin.audit.diagnostics?.moduli[smoother] ?? [null, null]
        return [
          smoother,
          comparePercent(printed.wrong, point?.wrong.mean),
          comparePercent(printed.act, point?.act.mean),
          compareNumber(printed.rounds, point?.rounds, 2),
          compareDecimal(printed.modulusAt05, near, 3),
          compareDecimal(printed.modulusAt10, far, 3),
        ]
      }),
    )
    return markdownTable(['smoother', 'WA %', 'Act %', 'Rnd', 'modulus at .05', 'modulus at .10'], rows)
  },
}

export const envelopeStressTable: Table = {
  number: 4,
  name: 'envelope-stress',
  title: 'Inflated modulus, at beta = .15',
  text(measured) {
    const rows = measuredTwins(measured, STRESSED_TWINS).flatMap(({ name, title, twin }) =>
      INFLATIONS.map((inflation, at) => {
        const [wrong, act] = ENVELOPE_STRESS[name][at]!
        const point = inflatedPoint(twin, inflation)
        return [title, `x ${inflation}`, comparePercent(wrong, point?.wrong.mean), comparePercent(act, point?.act.mean)]
      }),
    )
    return markdownTable(['twin', 'modulus', 'WA %', 'Act %'], rows)
  },
}

export function inflatedPoint(twin: MeasuredSplits, inflation: (typeof INFLATIONS)[number]): Point | null {
  if (inflation === 1) return absolutePoint(twin, 0.15)
  return variantPoint(twin, inflation === 1.25 ? 'rho 1.25' : inflation === 1.5 ? 'rho 1.5' : 'rho 2')
}
