/** Maps values to pixels. Values outside the domain are clamped to its ends. */
export type Scale = (value: number) => number

export interface Span {
  readonly from: number
  readonly to: number
}

export function linearScale(domain: Span, range: Span): Scale {
  const width = domain.to - domain.from
  return (value) => {
    const share = width > 0 ? (value - domain.from) / width : 0
    return range.from + Math.min(1, Math.max(0, share)) * (range.to - range.from)
  }
}

const STEPS = [1, 2, 2.5, 5, 10]

/** About `count` round numbers within the domain. */
export function ticks({ from, to }: Span, count: number): number[] {
  const rough = (to - from) / Math.max(1, count)
  if (!(rough > 0 && Number.isFinite(rough))) return []
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10) * power
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => decimal((first + index) * step))
}

/** The span of probability scales. With a high threshold the lower half is not needed. */
export function probabilitySpan(threshold: number): Span {
  return { from: threshold >= 0.75 ? 0.5 : 0, to: 1 }
}

/** The same span, extended to the left if the lowest of `values` needs it. */
export function spanDownTo(threshold: number, values: readonly number[]): Span {
  const { from, to } = probabilitySpan(threshold)
  const least = values.reduce((low, value) => Math.min(low, value), from)
  return { from: Math.max(0, Math.floor(least * 10 + 1e-9) / 10), to }
}

/** The ticks with the fewest decimals that show all of them exactly, at most four. */
export function tickTexts(values: readonly number[]): string[] {
  const digits = [0, 1, 2, 3].find((places) => values.every((value) => isExact(value, places))) ?? 4
  return values.map((value) => value.toFixed(digits))
}

function isExact(value: number, digits: number): boolean {
  return Math.abs(Number(value.toFixed(digits)) - value) < 1e-9
}

/** Removes the floating-point error of multiples of a step and of differences, because ticks and parts are decimals. */
export function decimal(value: number): number {
  return Math.round(value * 1e9) / 1e9
}
