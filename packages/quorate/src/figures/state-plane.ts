import { countText } from '../text/number-text.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { type MarkKind, outcomeMark } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale, type Span } from './scale.ts'

/** For debates that are summarised by two numbers: the states that may act in each round, and those of held-out debates. */
export interface StatePlane {
  readonly xName: string
  readonly yName: string
  readonly x: Span
  readonly y: Span
  readonly rounds: readonly PlaneRound[]
}

export interface PlaneRound {
  readonly round: number
  /** Rectangles that contain the states whose bound reaches the threshold. */
  readonly region: readonly { readonly x: Span; readonly y: Span }[]
  /** The debates still running. Debates with the same state and the same outcome are one point. */
  readonly points: readonly PlanePoint[]
}

export interface PlanePoint {
  readonly x: number
  readonly y: number
  readonly outcome: MarkKind
  readonly count: number
}

const GAP = 14
const HEAD = 24
const FOOT = 40
/** Margin for marks at the end of a scale. */
const INSET = 8
const GRACE = 1

/** One panel per round: the region that acts, and the debates that reached that round. */
export function statePlaneFigure(plane: StatePlane, width: number): Drawing {
  const head = { name: 'state-plane', title: 'States that act, round by round', width }
  if (plane.rounds.every(({ points }) => points.length === 0)) {
    return emptyDrawing(head, 'No held-out debate has a state to show.')
  }
  const columns = Math.min(plane.rounds.length, width < 480 ? 2 : plane.rounds.length > 4 ? 4 : plane.rounds.length)
  const left = 30
  const size = Math.min(230, (width - left - (columns - 1) * GAP) / columns)
  const lines = Math.ceil(plane.rounds.length / columns)
  const panels = plane.rounds.map((round, index) =>
    panel(
      round,
      plane,
      left + (index % columns) * (size + GAP),
      HEAD + Math.floor(index / columns) * (size + FOOT),
      size,
    ),
  )
  const height = lines * (size + FOOT) + HEAD + 20
  return {
    ...head,
    height,
    description: plane.rounds.map(spoken).join(' '),
    content: markup`<text class="soft" x="0" y="12">${plane.yName} (up) against ${plane.xName}</text>${panels}${legend(height - 6)}`,
    isEmpty: false,
  }
}

function panel(round: PlaneRound, plane: StatePlane, left: number, top: number, size: number): Markup {
  const x = linearScale(plane.x, { from: left + INSET, to: left + size - INSET })
  const y = linearScale(plane.y, { from: top + size - INSET, to: top + INSET })
  const most = Math.max(...round.points.map(({ count }) => count), 1)
  const total = round.points.reduce((sum, { count }) => sum + count, 0)
  const ends = (span: Span) => [span.from, span.to].map((value) => value.toFixed(value % 1 === 0 ? 0 : 2))
  const [fromX = '', toX = ''] = ends(plane.x)
  const [fromY = '', toY = ''] = ends(plane.y)
  const isFirst = left <= 30
  return markup`<rect class="rule" x="${left}" y="${top}" width="${size}" height="${size}"/><g class="wash">${round.region.map((area) => regionBox(area, x, y))}</g>${round.points.map((point) => outcomeMark(point.outcome, { x: x(point.x), y: y(point.y), radius: 2 + 5 * Math.sqrt(point.count / most) }))}<text class="soft small" x="${left}" y="${top + size + 13}">${fromX}</text><text class="soft small end" x="${left + size}" y="${top + size + 13}">${toX}</text>${isFirst && markup`<text class="soft small end" x="${left - 4}" y="${top + size}">${fromY}</text><text class="soft small end" x="${left - 4}" y="${top + 10}">${toY}</text>`}<text class="small middle" x="${left + size / 2}" y="${top + size + 27}">round ${String(round.round)} · ${countText(total)}</text>`
}

/** The box is slightly larger than its states, so that a region with a single state is visible. */
function regionBox({ x: columns, y: rows }: PlaneRound['region'][number], x: Scale, y: Scale): Markup {
  const [left, top] = [x(columns.from) - GRACE, y(rows.to) - GRACE]
  return markup`<rect class="act" x="${left}" y="${top}" width="${x(columns.to) + GRACE - left}" height="${y(rows.from) + GRACE - top}"/>`
}

function legend(y: number): Markup {
  return markup`${outcomeMark('act', { x: 6, y: y - 4 })}<text class="soft small" x="16" y="${y}">acts, right</text>${outcomeMark('wrong', { x: 88, y: y - 4 })}<text class="soft small" x="98" y="${y}">acts, wrong</text>${outcomeMark('defer', { x: 176, y: y - 4 })}<text class="soft small" x="187" y="${y}">continues</text><rect class="act wash" x="252" y="${y - 10}" width="16" height="12"/><text class="soft small" x="273" y="${y}">may act</text>`
}

function spoken({ round, points }: PlaneRound): string {
  const of = (outcome: MarkKind) =>
    points.reduce((sum, point) => sum + (point.outcome === outcome ? point.count : 0), 0)
  return `Round ${round}: ${countText(of('act'))} act and are right, ${countText(of('wrong'))} act and are wrong, ${countText(of('defer'))} continue.`
}
