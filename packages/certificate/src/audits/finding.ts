import type { CheckName, CheckRow, Verdict } from './audit.ts'
import type { DraftRow } from './draft-check.ts'
import { percentText } from './percent-text.ts'
import { worstRow } from './worst-row.ts'

export interface Judged {
  readonly verdict: Verdict
  /** Rows that cannot show a clear shortfall. */
  readonly blind: readonly DraftRow[]
  /** Rows of all checks that the p-values are adjusted for. */
  readonly family: number
}

/** The finding of a check in one or two sentences. The names in it come from files. */
export function findingOf(check: CheckName, rows: readonly CheckRow[], { verdict, blind, family }: Judged): string {
  const isOrder = check.startsWith('exchangeability')
  if (verdict === 'not enough data') return isOrder ? tooFewQuestions(rows) : tooFew(blind)
  const tested = rows.filter((row) => row.pValue !== null)
  const worst = worstRow(rows)!
  const seen =
    check === 'exchangeability-martingale'
      ? capitalSeen(worst)
      : isOrder
        ? orderSeen(worst)
        : check === 'total'
          ? wrongSeen(worst)
          : rateSeen(worst)
  const small = tested.length === rows.length ? '' : ` ${tooSmall(check, rows.length, rows.length - tested.length)}`
  if (verdict === 'falsified') return `${seen}: too ${isOrder ? 'much' : 'little'} to be chance.${small}`
  const others = tested.length === 1 ? '' : `, the least favourable of ${tested.length}`
  // If any row is below its limit, the worst one is.
  if (worst.line !== null && worst.figure! >= worst.line) return `${seen}${others}: no row is below its limit.${small}`
  const over = family === 1 ? '' : ` over the ${family} rows tested`
  return `${seen}${others}: not enough to rule out chance${over}.${small}`
}

function tooSmall(check: CheckName, all: number, small: number): string {
  return `Of ${all} ${check === 'groups' ? 'groups' : 'rows'} ${small} ${small === 1 ? 'was' : 'were'} too small.`
}

/** Names the row furthest below its promise, since that is the one to worry about. */
function tooFew(blind: readonly DraftRow[]): string {
  const below = ({ figure, promise }: DraftRow) => figure! - promise!
  const [lowest] = blind.filter(({ n }) => n !== 0).sort((a, b) => below(a) - below(b))
  if (lowest === undefined) return 'Nothing was held out that this check could count (n = 0).'
  const { name, figure, promise, n } = lowest
  const seen = `${name}: ${percentText(figure!)} % of ${n} were right, where ${percentText(promise!)} % were promised`
  return `${seen}; n = ${n} is too few to show even a clear shortfall.`
}

function tooFewQuestions(rows: readonly CheckRow[]): string {
  const n = Math.max(...rows.map((row) => row.n ?? 0))
  return `n = ${n} questions are too few, or too much alike, to show even a clear change.`
}

function rateSeen({ name, n, figure, low, high, line }: CheckRow): string {
  const interval = low === null || high === null ? '' : ` (${percentText(low)} to ${percentText(high)} %)`
  return `${name}: ${percentText(figure!)} % of ${n} were right${interval}, where at least ${percentText(line!)} % must be`
}

/** The row counts questions that were right or not acted on. The sentence reports the complement. */
function wrongSeen({ name, n, figure, low, high, line }: CheckRow): string {
  const interval = low === null || high === null ? '' : ` (${percentText(1 - high)} to ${percentText(1 - low)} %)`
  return `${name}: ${percentText(1 - figure!)} % of ${n} were acted on and wrong${interval}, where at most ${percentText(1 - line!)} % may be`
}

function orderSeen({ name, figure, n }: CheckRow): string {
  const far = figure!.toFixed(2)
  return `${name}: over ${n} questions the running sum strays ${far} standard deviations from a straight line`
}

function capitalSeen({ name, figure, n }: CheckRow): string {
  const won = figure! < 1000 ? figure!.toFixed(1) : figure!.toExponential(0)
  return `${name}: over ${n} questions bets on a change multiply their stake by ${won}`
}
