/** 1,840 */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** 1 question, 1,840 questions */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : several}`
}

/** A share in [0, 1] as a percentage without the sign: 58.3 */
export function percentText(share: number): string {
  return (share * 100).toFixed(1)
}

/** 58.3 (56.1–60.4) */
export function percentWithInterval(share: number, { lower, upper }: { lower: number; upper: number }): string {
  return `${percentText(share)} (${percentText(lower)}–${percentText(upper)})`
}

/** A lower limit as a percentage without the sign: 92.6. Never rounded up, because the limit would then promise more. */
export function atLeastText(share: number): string {
  return (Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)
}

/** An upper limit as a percentage without the sign, never rounded down. */
export function atMostText(share: number): string {
  return (Math.ceil(share * 1000 - 1e-9) / 10).toFixed(1)
}

export function probabilityText(probability: number): string {
  return probability.toFixed(3)
}

/** A lower limit of a probability, never rounded up. */
export function leastProbabilityText(limit: number): string {
  return (Math.floor(limit * 1000 + 1e-9) / 1000).toFixed(3)
}

const MOST_DIGITS = 6
const MOST_EXACT_DIGITS = 5

/** Two probabilities with as many digits, three or more, as it takes to see which is larger. */
export function comparedText(left: number, right: number): readonly [string, string] {
  for (let digits = 3; digits < MOST_DIGITS; digits++) {
    const texts = [left.toFixed(digits), right.toFixed(digits)] as const
    if (left === right || texts[0] !== texts[1]) return texts
  }
  return [left.toFixed(MOST_DIGITS), right.toFixed(MOST_DIGITS)]
}

/** Parts of a sum with as many digits, three to five, as the finest of them needs. */
export function exactTexts(values: readonly number[]): string[] {
  const isExact = (digits: number) => values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9)
  const digits = [3, 4].find(isExact) ?? MOST_EXACT_DIGITS
  return values.map((value) => value.toFixed(digits))
}

/** From this size on, a figure is written in exponential notation, because a test statistic can be very large. */
const LARGE = 1000

/** A figure of a test, such as a rate or a statistic. A dash means that there is none. */
export function figureText(value: number | null): string {
  if (value === null) return '–'
  return Math.abs(value) < LARGE ? value.toFixed(3) : value.toExponential(1)
}

/** A small p-value is written as `< 0.001`, because rounded to three decimals it would be zero. */
export function pValueText(value: number | null): string {
  if (value === null) return '–'
  return value < 0.001 ? '< 0.001' : value.toFixed(3)
}
