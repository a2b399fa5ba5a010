import type { CheckName, CheckRow, Verdict } from './audit.ts'

/** What a check saw, in one sentence; names in it come from files. `blind`: rows that cannot show a clear shortfall. */
export function findingOf(
  check: CheckName,
  rows: readonly CheckRow[],
  { verdict, blind }: { readonly verdict: Verdict; readonly blind: readonly CheckRow[] },
): string {
  if (verdict === 'not enough data') return tooFew(blind)
  const tested = rows.filter((row) => row.pValue !== null)
  const worst = tested.reduce((a, b) => (isWorse(b, a) ? b : a))
  const isOrder = check.startsWith('exchangeability')
  const seen =
    check === 'exchangeability-martingale' ? capitalSeen(worst) : isOrder ? orderSeen(worst) : rateSeen(worst)
  if (verdict === 'falsified') return `${seen}: too ${isOrder ? 'much' : 'little'} to be chance.`
  const others = tested.length === 1 ? '' : `, the least favourable of ${tested.length}`
  return `${seen}${others}: chance alone can do that.`
}

function isWorse(row: CheckRow, than: CheckRow): boolean {
  const room = ({ figure, line }: CheckRow) => (figure ?? 0) - (line ?? 0)
  return row.pValue! < than.pValue! || (row.pValue === than.pValue && room(row) < room(than))
}

function tooFew(blind: readonly CheckRow[]): string {
  const [largest] = blind.toSorted((a, b) => (b.n ?? 0) - (a.n ?? 0))
  if (!largest?.n) return 'Nothing was held out that this check could count (n = 0).'
  const { name, figure, n } = largest
  return `${name}: ${percent(figure!)} % of ${n} were right, and n = ${n} is too few to show even a clear shortfall.`
}

function rateSeen({ name, n, figure, low, high, line }: CheckRow): string {
  const interval = low === null || high === null ? '' : ` (${percent(low)} to ${percent(high)} %)`
  return `${name}: ${percent(figure!)} % of ${n} were right${interval}, where at least ${percent(line!)} % must be`
}

function orderSeen({ name, figure, n }: CheckRow): string {
  const far = figure!.toFixed(2)
  return `${name}: over ${n} questions the running sum strays ${far} standard deviations from a straight line`
}

function capitalSeen({ name, figure, n }: CheckRow): string {
  const won = figure! < 1000 ? figure!.toFixed(1) : figure!.toExponential(0)
  return `${name}: over ${n} questions bets on a change multiply their stake by ${won}`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
