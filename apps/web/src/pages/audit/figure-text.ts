/** A test statistic may be beyond reading. */
const LARGE = 1000

export function figureText(value: number | null): string {
  if (value === null) return '–'
  return Math.abs(value) < LARGE ? value.toFixed(3) : value.toExponential(1)
}

/** .0003 would read as nothing. */
export function pValueText(value: number | null): string {
  if (value === null) return '–'
  return value < 0.001 ? '< 0.001' : value.toFixed(3)
}
