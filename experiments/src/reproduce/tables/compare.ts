import { decimal, percent, signed } from '../../tables/markdown.ts'
import type { Printed } from '../paper/printed.ts'

const NOTHING = '–'

/** The paper's per cent, our share as per cent, and the gap in points. */
export function comparePercent(printed: Printed, ours: number | null | undefined, digits = 1): string {
  const mine = ours === null || ours === undefined || Number.isNaN(ours) ? null : percent(ours, digits)
  return compared(printed?.toFixed(digits) ?? null, mine, (gap) => signed(gap, digits))
}

/** The same for numbers in [0, 1] and for ratios. */
export function compareDecimal(printed: Printed, ours: number | null | undefined, digits = 2): string {
  const mine = ours === null || ours === undefined || Number.isNaN(ours) ? null : decimal(ours, digits)
  return compared(printed === null ? null : decimal(printed, digits), mine, (gap) => signedDecimal(gap, digits))
}

/** For rounds, multipliers and counts. */
export function compareNumber(printed: Printed, ours: number | null | undefined, digits = 1): string {
  const mine = ours === null || ours === undefined || Number.isNaN(ours) ? null : ours.toFixed(digits)
  return compared(printed?.toFixed(digits) ?? null, mine, (gap) => signed(gap, digits))
}

/** `paper / ours (gap)`. The gap is that of the numbers as shown, so a reader can check it. */
function compared(printed: string | null, ours: string | null, gap: (points: number) => string): string {
  if (printed === null || ours === null) return `${printed ?? NOTHING} / ${ours ?? NOTHING}`
  return `${printed} / ${ours} (${gap(Number(ours) - Number(printed))})`
}

function signedDecimal(gap: number, digits: number): string {
  const text = decimal(gap, digits)
  return gap > 0 && Number(text) !== 0 ? `+${text}` : text
}
