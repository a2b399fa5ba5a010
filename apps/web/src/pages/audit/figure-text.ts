/** From this size on, a test statistic is written in exponential notation. */
const LARGE = 1000

export function figureText(value: number | null): string {
  if (value === null) return '–'
  return Math.abs(value) < LARGE ? value.toFixed(3) : value.toExponential(1)
}

/** A p-value below 0.001 would be rounded to 0.000. */
export function pValueText(value: number | null): string {
  if (value === null) return '–'
  return value < 0.001 ? '< 0.001' : value.toFixed(3)
}
