import type { Figure } from '@quorate/certificate'
import type { Rate } from '../figures/marks.ts'
import { type Markup, markup } from '../figures/markup.ts'
import { percentText } from '../text/number-text.ts'

/** A table cell with a rate in per cent and its interval below it. */
export function rateCell(figure: Figure | null): Markup {
  if (figure === null) return markup`<td class="number"><span class="soft">none</span></td>`
  return markup`<td class="number">${percentText(figure.mean)}<span class="interval">${intervalText(figure)}</span></td>`
}

/** A table cell with a mean and its spread over the splits below it. */
export function spreadCell(figure: Figure | null, digits: number): Markup {
  if (figure === null) return markup`<td class="number"><span class="soft">none</span></td>`
  const spread = `${figure.min.toFixed(digits)}–${figure.max.toFixed(digits)}`
  return markup`<td class="number">${figure.mean.toFixed(digits)}<span class="interval">${spread}</span></td>`
}

/** The interval of one test half in per cent. A figure that is not a rate has no interval, so its spread is shown. */
export function intervalText({ low, high, min, max }: Figure): string {
  return `${percentText(low ?? min)}–${percentText(high ?? max)}`
}

/** A figure as a rate with the interval of one test half, or with its spread if it has no interval. */
export function rateOf(figure: Figure | null): Rate | null {
  return figure === null ? null : { value: figure.mean, low: figure.low ?? figure.min, high: figure.high ?? figure.max }
}
