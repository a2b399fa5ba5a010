import { boundedRow, promisedRow } from './binomial-rows.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'
import type { HeldOut } from './held-out.ts'
import { RANDOM_HALVES } from './random-halves.ts'

const BINS = 5

/**
 * Compares how often debates were right with their bound, in every round and over all debates, acted on or not. No
 * survivor effect enters, so this tests only the envelope and the counting.
 */
export function boundCalibration(heldOut: HeldOut): DraftCheck {
  const { certificate, rounds } = heldOut
  const rowsAt = certificate.kind === 'cells' ? cellRows : binRows
  return {
    name: 'bound-calibration',
    assumption:
      certificate.kind === 'cells'
        ? RANDOM_HALVES.assumption
        : 'Correctness near a debate exceeds its own by no more than the envelope.',
    null: 'Debates with a similar bound are right at least as often as the bound says, less what delta allows.',
    rows: Array.from({ length: rounds }, (_, at) => rowsAt(heldOut, at + 1)).flat(),
    needed: 'one row',
    empty: 'No held-out debate has a bound: too few labels behind every one.',
    next: {
      falsified:
        certificate.kind === 'cells'
          ? RANDOM_HALVES.falsified
          : 'Calibrate with --profile cells, which has no envelope, or inflate the envelope (rho).',
      'not falsified':
        certificate.kind === 'cells' ? RANDOM_HALVES.silent : 'Nothing. A check that finds nothing proves nothing.',
      'not enough data': 'Label more debates.',
    },
  }
}

/** Bins with about equal numbers of debates. Equal bounds stay in one bin. */
function binRows(heldOut: HeldOut, round: number): DraftRow[] {
  const { bounds, rounds, correct, roundFailure, count } = heldOut
  const at = (row: number) => row * rounds + round - 1
  const rows = rowsWithBound(heldOut, round).sort((a, b) => bounds[at(a)]! - bounds[at(b)]!)
  const bins: number[][] = [[]]
  for (const [index, row] of rows.entries()) {
    const isFull = index >= (bins.length * rows.length) / BINS
    if (isFull && bounds[at(row)] !== bounds[at(rows[index - 1]!)]) bins.push([])
    bins.at(-1)!.push(row)
  }
  return bins
    .filter((bin) => bin.length > 0)
    .map((bin) => {
      const right = bin.filter((row) => correct[at(row)] === 1).length
      const [low, high] = [bounds[at(bin[0]!)]!, bounds[at(bin.at(-1)!)]!]
      const name = `round ${round}, ${low.toFixed(3)} to ${high.toFixed(3)}`
      // A negative bound claims no more than 0 does.
      const mean = bin.reduce((sum, row) => sum + Math.max(0, bounds[at(row)]!), 0) / bin.length
      return boundedRow({ name, n: bin.length, right }, mean, { failure: roundFailure, among: count })
    })
}

/** The largest cells. Pilot rows fixed them, so each has one bound and one chance of being right. */
function cellRows(heldOut: HeldOut, round: number): DraftRow[] {
  const { bounds, rounds, correct, roundFailure, count, steps, groupConditional, debates } = heldOut
  const at = (row: number) => row * rounds + round - 1
  const cells = new Map<string, number[]>()
  for (const row of rowsWithBound(heldOut, round)) {
    const cell = steps[at(row)]!.cell!
    const group = groupConditional ? `${debates[row]!.record.group ?? ''}: ` : ''
    const name = `round ${round}, ${group}cell ${cell}`
    cells.set(name, [...(cells.get(name) ?? []), row])
  }
  return [...cells]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, BINS)
    .map(([name, rows]) => {
      const right = rows.filter((row) => correct[at(row)] === 1).length
      const allowed = { failure: roundFailure, among: count }
      return promisedRow({ name, n: rows.length, right }, bounds[at(rows[0]!)]!, allowed)
    })
}

export function rowsWithBound({ bounds, rounds, count }: HeldOut, round: number): number[] {
  const found: number[] = []
  for (let row = 0; row < count; row++) if (!Number.isNaN(bounds[row * rounds + round - 1]!)) found.push(row)
  return found
}
