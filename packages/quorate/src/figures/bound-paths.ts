import { countText } from '../text/number-text.ts'
import { type Axis, yAxis } from './axis.ts'
import type { LineName } from './bound-bars.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { outcomeMark, thresholdAcross } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale } from './scale.ts'

/** The bounds of held-out debates round by round, until they act. */
export interface BoundPaths {
  readonly threshold: number
  /** Defaults to the threshold. */
  readonly line?: LineName
  readonly rounds: number
  readonly spreads: readonly BoundSpread[]
  /** A few debates with one bound for each debated round, null for a round without a bound. */
  readonly samples: readonly BoundPath[]
}

/** The bounds in one round, of the debates still running there that will act, or of those that will not. */
export interface BoundSpread {
  readonly round: number
  readonly kind: 'act' | 'defer'
  readonly n: number
  readonly quantiles: Quantiles
}

/** 5, 25, 50, 75 and 95 %. */
export type Quantiles = readonly [number, number, number, number, number]

export interface BoundPath {
  readonly kind: 'act' | 'defer'
  readonly bounds: readonly (number | null)[]
}

const HEIGHT = 330
const TOP = 34
const BOTTOM = HEIGHT - 62

/** The spread of the bound in each round and the threshold, for debates that act in the end and for those that defer. */
export function boundPathsFigure(paths: BoundPaths, width: number): Drawing {
  const head = { name: 'bound-paths', title: 'The bound round by round', width }
  const { threshold, line = 'threshold', rounds, spreads, samples } = paths
  if (spreads.length === 0) return emptyDrawing(head, 'No held-out debate has a bound in any round.')
  const least = Math.min(threshold, ...spreads.map(({ quantiles }) => quantiles[0]))
  const domain = { from: Math.max(-0.1, Math.floor(least * 10) / 10), to: 1 }
  const [left, right] = [38, width - 8]
  const y = linearScale(domain, { from: BOTTOM, to: TOP })
  const step = (right - left) / rounds
  const lane = (round: number, kind: 'act' | 'defer') =>
    left + (round - 0.5) * step + (kind === 'act' ? -1 : 1) * Math.min(30, step * 0.25)
  const axis: Axis = { domain, scale: y, count: 5 }
  return {
    ...head,
    height: HEIGHT,
    description: spreads.map(spoken).join(' '),
    content: markup`${yAxis(axis, { left, right, title: 'bound L' })}${samples.map((sample) => samplePath(sample, lane, y))}${thresholdAcross(y(threshold), left, right)}<text class="strong small end halo" x="${right}" y="${y(threshold) - 7}">${line} ${threshold.toFixed(3)}</text>${spreads.map((spread) => spreadMark(spread, lane(spread.round, spread.kind), y))}${roundTexts(paths, lane)}`,
    isEmpty: false,
  }
}

function samplePath(
  { kind, bounds }: BoundPath,
  lane: (round: number, kind: 'act' | 'defer') => number,
  y: Scale,
): Markup {
  const points = bounds.flatMap((bound, index) => (bound === null ? [] : { x: lane(index + 1, kind), y: y(bound) }))
  if (points.length < 2) return markup``
  return markup`<path class="${kind}-line thin faint" d="${points.map((point, index) => markup`${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`)}"/>`
}

function spreadMark(spread: BoundSpread, x: number, y: Scale): Markup {
  const [low, lower, middle, upper, high] = spread.quantiles
  const kind = spread.kind
  return markup`<g><title>${spoken(spread)}</title><line class="${kind}-line" x1="${x}" x2="${x}" y1="${y(low)}" y2="${y(high)}"/><line class="${kind}-line thick" x1="${x}" x2="${x}" y1="${y(lower)}" y2="${y(upper)}"/>${outcomeMark(kind, { x, y: y(middle), radius: 6 })}</g>`
}

function roundTexts({ rounds, spreads }: BoundPaths, lane: (round: number, kind: 'act' | 'defer') => number): Markup {
  const texts = Array.from({ length: rounds }, (_, index) => {
    const round = index + 1
    const middle = (lane(round, 'act') + lane(round, 'defer')) / 2
    const counts = (['act', 'defer'] as const).map((kind) => {
      const n = spreads.find((spread) => spread.round === round && spread.kind === kind)?.n
      return markup`<text class="small middle ${kind}" x="${lane(round, kind)}" y="${BOTTOM + 34}">${n === undefined ? '–' : countText(n)}</text>`
    })
    return markup`<text class="soft middle" x="${middle}" y="${BOTTOM + 18}">round ${String(round)}</text>${counts}`
  })
  return markup`${texts}${outcomeMark('act', { x: 46, y: HEIGHT - 9 })}<text class="soft small" x="56" y="${HEIGHT - 5}">will act</text>${outcomeMark('defer', { x: 118, y: HEIGHT - 9 })}<text class="soft small" x="129" y="${HEIGHT - 5}">will defer</text><text class="soft small" x="200" y="${HEIGHT - 5}">50 % thick, 90 % thin</text>`
}

function spoken({ round, kind, n, quantiles }: BoundSpread): string {
  const end = kind === 'act' ? 'that act' : 'that defer'
  return `Round ${round}, ${countText(n)} debates ${end}: median bound ${quantiles[2].toFixed(3)}, 90 % from ${quantiles[0].toFixed(3)} to ${quantiles[4].toFixed(3)}.`
}
