import type { Figure } from '@quorate/certificate'
import type { Rate } from '../figures/marks.ts'
import { type Markup, markup } from '../figures/markup.ts'
import { percentText } from '../text/number-text.ts'

/** A rate in per cent with its interval below it. */
export function rateCell(figure: Figure | null): Markup {
  if (figure === null) return markup`<td class="number"><span class="soft">none</span></td>`
  return markup`<td class="number">${percentText(figure.mean)}<span class="interval">${intervalText(figure)}</span></td>`
}

/** A mean with its spread over splits below it. */
export function spreadCell(figure: Figure | null, digits: number): Markup {
  if (figure === null) return markup`<td class="number"><span class="soft">none</span></td>`
  const spread = `${figure.min.toFixed(digits)}–${figure.max.toFixed(digits)}`
  return markup`<td class="number">${figure.mean.toFixed(digits)}<span class="interval">${spread}</span></td>`
}

/** The interval of one test half in per cent; of a figure that is no rate, its spread. */
export function intervalText({ low, high, min, max }: Figure): string {
  return `${percentText(low ?? min)}–${percentText(high ?? max)}`
}

/** With the interval of one test half; null where there is none. */
export function rateOf(figure: Figure | null): Rate | null {
  return figure === null ? null : { value: figure.mean, low: figure.low ?? figure.min, high: figure.high ?? figure.max }
}

/** .0003 would read as nothing. */
export function pValueText(value: number | null): string {
  if (value === null) return '–'
  return value < 0.001 ? '< 0.001' : value.toFixed(3)
}
