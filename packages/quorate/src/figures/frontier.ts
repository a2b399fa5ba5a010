import { percentText } from '../text/number-text.ts'
import { type Axis, xAxis, yAxis } from './axis.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { otherMark, outcomeMark, textWidth } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { type Box, LABEL_HEIGHT, placeLabels } from './place-labels.ts'
import { linearScale, type Scale } from './scale.ts'
import { shortName } from './visible-text.ts'

/** Every policy at one budget, and ours at several. */
export interface Frontier {
  readonly beta: number
  readonly ours: FrontierPolicy
  /** Our policy under other budgets, ordered by beta. */
  readonly path: readonly FrontierPoint[]
  readonly others: readonly FrontierPolicy[]
}

export interface FrontierPolicy {
  readonly name: string
  readonly act: number
  readonly wrongActions: number
}

export interface FrontierPoint extends Omit<FrontierPolicy, 'name'> {
  readonly beta: number
}

/** Policies that use more than this many budgets are drawn at the right edge. The table has their exact numbers. */
const MOST_USED = 2
const WIDE_HEIGHT = 380
/** A narrow figure is taller, because its labels need the room. */
const NARROW_HEIGHT = 440
const TOP = 34
const SAME_SPOT = 1.5

interface Plane {
  readonly x: Scale
  readonly y: Scale
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly mostUsed: number
  readonly beta: number
}

/** The share acted on by the share of the budget used. Better policies are further up and left of the dashed line. */
export function frontierFigure(frontier: Frontier, width: number): Drawing {
  const head = { name: 'frontier', title: 'What each policy does with the budget', width }
  const { beta, ours, path, others } = frontier
  if (!(beta > 0)) return emptyDrawing(head, 'There is no budget to compare policies by.')
  const all = [ours, ...path, ...others].map(({ wrongActions }) => wrongActions / beta)
  const mostUsed = Math.min(MOST_USED, Math.max(1.25, Math.max(...all) * 1.08))
  const [left, right] = [38, width - 12]
  const x = linearScale({ from: 0, to: mostUsed }, { from: left, to: right })
  const height = width < 480 ? NARROW_HEIGHT : WIDE_HEIGHT
  const bottom = height - 46
  const y = linearScale({ from: 0, to: 1 }, { from: bottom, to: TOP })
  const plane: Plane = { x, y, left, right, bottom, mostUsed, beta }
  return {
    ...head,
    height,
    description: `At beta ${beta}: ${[ours, ...others].map((policy) => spoken(policy, beta)).join('; ')}.`,
    content: markup`${axes(plane)}${oursPath(path, plane)}${policies(frontier, plane)}`,
    isEmpty: false,
  }
}

function axes({ x, y, left, right, bottom, mostUsed }: Plane): Markup {
  const horizontal: Axis = { domain: { from: 0, to: mostUsed }, scale: x, count: 5 }
  const vertical: Axis = { domain: { from: 0, to: 1 }, scale: y, count: 5, text: (value) => (value * 100).toFixed(0) }
  const over = x(1)
  return markup`${xAxis(horizontal, { top: TOP, bottom, title: 'wrong actions as a share of the budget' })}${yAxis(vertical, { left, right, title: 'acted on, % of all debates' })}<rect class="wrong wash" x="${over}" y="${TOP}" width="${right - over}" height="${bottom - TOP}"/><line class="budget" x1="${over}" x2="${over}" y1="${TOP - 6}" y2="${bottom}"/><text class="strong small end" x="${right}" y="${TOP - 12}">budget exhausted at 1</text>`
}

function oursPath(path: readonly FrontierPoint[], plane: Plane): Markup {
  if (path.length === 0) return markup``
  const points = path.map((point) => ({ ...spot(point, plane), beta: point.beta }))
  const line = points.map((point, index) => markup`${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`)
  return markup`<path class="act-line" d="${line}"/>${points.map(
    (point) =>
      markup`<circle class="ring mark" cx="${point.x}" cy="${point.y}" r="3"><title>beta ${String(point.beta)}</title></circle>`,
  )}`
}

function policies({ ours, path, others, beta }: Frontier, plane: Plane): Markup {
  const named = [
    { ...spot(ours, plane), text: shortName(ours.name, 24), kind: 'ours' },
    ...together(others.map((other) => ({ ...spot(other, plane), text: shortName(other.name, 24) }))).map(
      ({ texts, ...at }) => ({ ...at, text: namesText(texts), kind: 'other' }),
    ),
    ...together(
      path.filter((point) => point.beta !== beta).map((point) => ({ ...spot(point, plane), text: `${point.beta}` })),
    ).map(({ texts, ...at }) => ({ ...at, text: betasText(texts), kind: 'beta' })),
  ]
  const frame: Box = { x: plane.left + 2, y: TOP - 4, width: plane.right - plane.left, height: plane.bottom - TOP + 4 }
  const labels = named.map(({ x, y, text, kind }) => ({ x, y, width: textWidth(text, kind === 'ours' ? 13 : 11.5) }))
  const places = placeLabels(labels, frame, pathBoxes(path, plane))
  const texts = named.map((point, index) => {
    const place = places[index] ?? { x: point.x, y: point.y, isFar: false }
    const width = labels[index]?.width ?? 0
    const lead = { x: Math.min(Math.max(point.x, place.x), place.x + width), y: place.y + LABEL_HEIGHT / 2 }
    const classes = point.kind === 'ours' ? 'strong act' : point.kind === 'beta' ? 'soft small' : 'small'
    return markup`${place.isFar && markup`<line class="leader" x1="${point.x}" y1="${point.y}" x2="${lead.x}" y2="${lead.y}"/>`}<text class="halo ${classes}" x="${place.x}" y="${place.y + 11}">${point.text}</text>`
  })
  const marks = named.map((point) => {
    if (point.kind === 'beta') return null
    return point.kind === 'ours' ? outcomeMark('act', { ...point, radius: 7 }) : otherMark(point)
  })
  return markup`${texts}${marks}`
}

interface Spots {
  readonly x: number
  readonly y: number
  readonly texts: readonly string[]
}

/** Merges points at the same spot, which share a label. */
function together(points: readonly { readonly x: number; readonly y: number; readonly text: string }[]): Spots[] {
  const found: Spots[] = []
  for (const { x, y, text } of points) {
    const near = found.findIndex((other) => Math.hypot(other.x - x, other.y - y) < SAME_SPOT)
    const known = found[near]
    if (known === undefined) found.push({ x, y, texts: [text] })
    else found[near] = { ...known, texts: [...known.texts, text] }
  }
  return found
}

function namesText(names: readonly string[]): string {
  const rest = names.length - 3
  return rest > 0 ? `${names.slice(0, 3).join(', ')} and ${rest} more` : names.join(', ')
}

function betasText(betas: readonly string[]): string {
  return betas.length === 1 ? `β ${betas[0]}` : `β ${betas[0]} to ${betas.at(-1)}`
}

/** Boxes along our path, so that no label covers it. */
function pathBoxes(path: readonly FrontierPoint[], plane: Plane): Box[] {
  const points = path.map((point) => spot(point, plane))
  return points.slice(1).flatMap((end, index) => {
    const start = points[index] ?? end
    const steps = Math.max(1, Math.ceil(Math.hypot(end.x - start.x, end.y - start.y) / 6))
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + ((end.x - start.x) * step) / steps - 2,
      y: start.y + ((end.y - start.y) * step) / steps - 2,
      width: 4,
      height: 4,
    }))
  })
}

function spot({ act, wrongActions }: Omit<FrontierPolicy, 'name'>, { x, y, beta }: Plane): { x: number; y: number } {
  return { x: x(wrongActions / beta), y: y(act) }
}

function spoken({ name, act, wrongActions }: FrontierPolicy, beta: number): string {
  return `${shortName(name, 40)} acts on ${percentText(act)} % and uses ${(wrongActions / beta).toFixed(2)} of the budget`
}
