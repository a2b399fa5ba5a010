import { countText } from '../text/number-text.ts'
import { type Axis, xAxis, yAxis } from './axis.ts'
import type { LineName } from './bound-bars.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { outcomeMark, thresholdLine } from './marks.ts'
import { markup } from './markup.ts'
import { linearScale, type Scale } from './scale.ts'

/** Held-out debates in bins by their bound, to compare how often they were right with what was certified. */
export interface CertifiedBins {
  readonly threshold: number
  /** Defaults to the threshold. */
  readonly line?: LineName
  readonly bins: readonly CertifiedBin[]
}

export interface CertifiedBin {
  /** Mean bound of the bin. */
  readonly bound: number
  readonly n: number
  /** Share right, with its 95 % interval. */
  readonly right: number
  readonly low: number
  readonly high: number
}

const HEIGHT = 340
const TOP = 34
const BOTTOM = HEIGHT - 46

/** On or above the diagonal the bound is true on average. A bin whose whole interval lies below it contradicts the bound. */
export function certifiedFigure({ threshold, line = 'threshold', bins }: CertifiedBins, width: number): Drawing {
  const head = { name: 'certified', title: 'CertifiedBins against realised', width }
  if (bins.length === 0)
    return emptyDrawing(head, 'No held-out debate has a bound, so there is nothing to compare it with.')
  const least = Math.min(...bins.flatMap(({ bound, low }) => [bound, low]), threshold)
  const domain = { from: Math.max(0, Math.floor(least * 10) / 10), to: 1 }
  const [left, right] = [38, width - 12]
  const x = linearScale(domain, { from: left, to: right })
  const y = linearScale(domain, { from: BOTTOM, to: TOP })
  const horizontal: Axis = { domain, scale: x, count: 5 }
  const vertical: Axis = { domain, scale: y, count: 5 }
  return {
    ...head,
    height: HEIGHT,
    description: bins.map(spoken).join(' '),
    content: markup`${xAxis(horizontal, { top: TOP, bottom: BOTTOM, title: 'bound L, mean of the bin' })}${yAxis(vertical, { left, right, title: 'share right on held-out debates' })}<path class="wrong wash" d="M${x(domain.from)} ${y(domain.from)}L${x(1)} ${y(1)}L${x(1)} ${y(domain.from)}Z"/><line class="guide" x1="${x(domain.from)}" y1="${y(domain.from)}" x2="${x(1)}" y2="${y(1)}"/>${thresholdLine(x(threshold), TOP, BOTTOM)}<text class="strong small ${x(threshold) > width - 60 ? 'end' : 'middle'}" x="${x(threshold)}" y="${TOP - 6}">${line}</text><text class="soft small end" x="${x(threshold) - 8}" y="${BOTTOM - 8}">less often right than certified</text>${bins.map((bin) => binMark(bin, { x, y, threshold }))}`,
    isEmpty: false,
  }
}

function binMark(bin: CertifiedBin, { x, y, threshold }: { x: Scale; y: Scale; threshold: number }) {
  const isBroken = bin.high < bin.bound
  const kind = isBroken ? 'wrong' : bin.bound >= threshold ? 'act' : 'defer'
  const at = x(bin.bound)
  return markup`<g><title>${spoken(bin)}</title><line class="${kind}-line" x1="${at}" x2="${at}" y1="${y(bin.low)}" y2="${y(bin.high)}"/>${outcomeMark(kind, { x: at, y: y(bin.right), radius: Math.min(9, 3 + Math.log10(bin.n + 1) * 1.5) })}</g>`
}

function spoken({ bound, n, right, low, high }: CertifiedBin): string {
  return `Bound ${bound.toFixed(3)}: right ${right.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) of ${countText(n)}.`
}
