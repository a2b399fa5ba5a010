import type { ReadDebate } from '@quorate/certificate'
import { confidentAccuracy, lastErrors, measureAggregates, pairSharesOf, roundsOfDebates } from './aggregates.ts'
import { type Aggregates, TARGETS, type TwinName } from './targets.ts'

/** One aggregate of a twin beside the published one. */
export interface TwinRow {
  readonly twin: TwinName
  /** Title of the benchmark, as printed. */
  readonly title: string
  readonly quantity: string
  readonly published: number
  readonly fitted: number
  /** Fitted minus published. */
  readonly gap: number
  /** `rounds` are counted, everything else is a share. */
  readonly unit: 'share' | 'rounds'
  /** False for quantities that are printed but were not targets of the fit. */
  readonly isTarget: boolean
}

/** Largest acceptable gaps of a twin, for targets over all questions. */
export const ACCEPTED_GAP = Object.freeze({ share: 0.02, rounds: 0.3 })

/** Fitted and published aggregates of one twin, on debates that the fit has not seen. */
export function twinRows(twin: TwinName, read: readonly ReadDebate[]): TwinRow[] {
  const { title, aggregates, subgroups, confident, pairs } = TARGETS[twin]
  const debates = roundsOfDebates(read)
  const measured = measureAggregates(debates)
  const errors = lastErrors(debates)
  const row = (values: Pick<TwinRow, 'quantity' | 'published' | 'fitted' | 'unit' | 'isTarget'>): TwinRow => {
    return { twin, title, ...values, gap: values.fitted - values.published }
  }
  const overall = QUANTITIES.map(({ key, quantity, unit }) =>
    row({ quantity, published: aggregates[key], fitted: measured[key], unit, isTarget: true }),
  )
  const sure = confident && {
    quantity: `acc where p1 acts on ${(100 * confident.act).toFixed(1)} %`,
    published: confident.accuracy,
    fitted: confidentAccuracy(debates, confident),
  }
  const near = pairs ? pairSharesOf(debates, pairs) : []
  const crowding = near.map((fitted, bin) => {
    const from = bin === 0 ? 0 : pairs!.edges[bin - 1]
    const quantity = `pairs at ${from} to ${pairs!.edges[bin]} of those nearer than 0.2`
    return row({ quantity, published: pairs!.shares[bin]!, fitted, unit: 'share', isTarget: true })
  })
  const unfitted = row({
    quantity: 'mean round of first p1 >= .9',
    published: PUBLISHED_CONFIDENT_ROUND[twin],
    fitted: measured.confidentRound,
    unit: 'rounds',
    isTarget: false,
  })
  const groups = subgroups.flatMap(({ name, lastError }) => {
    const fitted = errors.get(name)
    if (lastError === null || fitted === undefined) return []
    return [row({ quantity: `error round T, ${name}`, published: lastError, fitted, unit: 'share', isTarget: true })]
  })
  const sureRows = sure ? [row({ ...sure, unit: 'share', isTarget: true })] : []
  return [...overall, ...sureRows, unfitted, ...crowding, ...groups]
}

/** The mean over draws of a twin, quantity by quantity. */
export function meanRows(draws: readonly (readonly TwinRow[])[]): TwinRow[] {
  const [first = []] = draws
  return first.map((row, place) => {
    const fitted = draws.reduce((sum, rows) => sum + rows[place]!.fitted, 0) / draws.length
    return { ...row, fitted, gap: fitted - row.published }
  })
}

interface Quantity {
  readonly key: keyof Aggregates
  readonly quantity: string
  readonly unit: TwinRow['unit']
}

/** In reading order. */
const QUANTITIES: readonly Quantity[] = [
  { key: 'firstAccuracy', quantity: 'acc round 1', unit: 'share' },
  { key: 'lastAccuracy', quantity: 'acc round T', unit: 'share' },
  { key: 'everRight', quantity: 'ever right', unit: 'share' },
  { key: 'everUnanimous', quantity: 'ever unanimous', unit: 'share' },
  { key: 'unanimousRound', quantity: 'mean round of first unanimity', unit: 'rounds' },
  { key: 'everConfident', quantity: 'ever p1 >= .9', unit: 'share' },
]

/** Column Rnd of the row Confidence Threshold in the paper's main table. */
const PUBLISHED_CONFIDENT_ROUND: Readonly<Record<TwinName, number>> = {
  logiqa: 2.5,
  'mmlu-pro': 2.4,
  arc: 1.9,
  bbh: 1.6,
  musr: 3.3,
  gpqa: 2.8,
}
