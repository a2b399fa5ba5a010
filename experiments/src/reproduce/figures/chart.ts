/** A small line chart as SVG. All its texts come from this repository, so none is escaped. */
export interface Chart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
  /** Values of y that are marked by lines across the panel. */
  readonly rules?: readonly Rule[]
}

export interface Rule {
  readonly at: number
  readonly name: string
  readonly look: 'dashed' | 'dotted'
  readonly colour: string
}

export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  readonly text: (value: number) => string
  /** Makes doublings, instead of differences, equally far apart. */
  readonly isLogarithmic?: boolean
}

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly look: 'line' | 'dashed' | 'marks' | 'dots'
  /** Area of each dot, from 0 to 1; all equal if absent. */
  readonly sizes?: readonly number[]
}

export const PANEL = { width: 420, height: 300 } as const
const FRAME = { left: 48, right: 18, top: 36, bottom: 62 } as const
/** Distinguishable without colour vision (Okabe and Ito), also by dashes and marks. */
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#000000',
  '#7f7f7f',
  '#8c564b',
  '#999933',
] as const

/** Panels side by side, two in a row. */
export function figureText(title: string, charts: readonly Chart[]): string {
  const columns = Math.min(2, charts.length)
  const width = columns * PANEL.width
  const height = Math.ceil(charts.length / columns) * PANEL.height
  const panels = charts.map((chart, at) =>
    placed(chart, (at % columns) * PANEL.width, Math.floor(at / columns) * PANEL.height),
  )
  return svgText(title, { width, height }, panels)
}

/** A whole figure from parts that are already placed. */
export function svgText(
  title: string,
  { width, height }: { readonly width: number; readonly height: number },
  parts: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`
}

/** A panel with its corner at (x, y). */
export function placed(chart: Chart, x: number, y: number): string {
  return `<g transform="translate(${x} ${y})">\n${panel(chart)}\n</g>`
}

function panel({ title, xTitle, yTitle, x, y, series, rules = [] }: Chart): string {
  const right = PANEL.width - FRAME.right
  const bottom = PANEL.height - FRAME.bottom
  const toX = scale(x, FRAME.left, right)
  const toY = scale(y, bottom, FRAME.top)
  const ticksX = x.ticks.map(
    (tick) =>
      `<line x1="${toX(tick)}" x2="${toX(tick)}" y1="${FRAME.top}" y2="${bottom}" stroke="#e5e5e5"/><text x="${toX(tick)}" y="${bottom + 14}" text-anchor="middle">${x.text(tick)}</text>`,
  )
  const ticksY = y.ticks.map(
    (tick) =>
      `<line x1="${FRAME.left}" x2="${right}" y1="${toY(tick)}" y2="${toY(tick)}" stroke="#e5e5e5"/><text x="${FRAME.left - 5}" y="${toY(tick) + 4}" text-anchor="end">${y.text(tick)}</text>`,
  )
  return [
    `<text x="${FRAME.left}" y="14" font-size="13" font-weight="bold">${title}</text>`,
    ...ticksX,
    ...ticksY,
    `<text x="${right}" y="${bottom + 29}" text-anchor="end">${xTitle}</text>`,
    `<text x="${FRAME.left}" y="${FRAME.top - 6}" font-size="10">${yTitle}</text>`,
    ...rules.map((rule) => ruleText(rule, toY, right)),
    ...series.map((one, at) => drawn({ ...one, place: at }, COLOURS[at % COLOURS.length]!, [toX, toY])),
    legend(series, bottom + 42),
  ].join('\n')
}

function ruleText({ at, name, look, colour }: Rule, toY: Scale, right: number): string {
  const dashes = look === 'dashed' ? '6 4' : '2 3'
  return `<line x1="${FRAME.left}" x2="${right}" y1="${toY(at)}" y2="${toY(at)}" stroke="${colour}" stroke-width="1.4" stroke-dasharray="${dashes}"/><text x="${FRAME.left + 4}" y="${toY(at) - 4}" font-size="9" fill="${colour}">${name}</text>`
}

type Scale = (value: number) => number

function scale({ from, to, isLogarithmic = false }: Axis, start: number, end: number): Scale {
  const place = isLogarithmic ? Math.log2 : (value: number) => value
  return (value) => {
    const share = (place(value) - place(from)) / (place(to) - place(from))
    return Math.round((start + Math.min(1, Math.max(0, share)) * (end - start)) * 10) / 10
  }
}

function drawn(
  { points, look, sizes, place }: Series & { readonly place: number },
  colour: string,
  [toX, toY]: readonly [Scale, Scale],
): string {
  const line = points.map(([x, y]) => `${toX(x)},${toY(y)}`).join(' ')
  const dashes = look === 'dashed' ? ' stroke-dasharray="5 4"' : ''
  if (look === 'dots') {
    return points
      .map(([x, y], at) => {
        const radius = Math.round(10 * (1.2 + 7 * Math.sqrt(sizes?.[at] ?? 0.1))) / 10
        return `<circle cx="${toX(x)}" cy="${toY(y)}" r="${radius}" fill="${colour}" fill-opacity="0.55"/>`
      })
      .join('')
  }
  const path =
    look === 'marks' ? '' : `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="1.8"${dashes}/>`
  if (look === 'dashed') return path
  const marks = points.map(([x, y]) =>
    look === 'marks'
      ? markText(toX(x), toY(y), place, colour)
      : `<circle cx="${toX(x)}" cy="${toY(y)}" r="2.6" fill="${colour}"/>`,
  )
  return path + marks.join('')
}

/** Four shapes in turn, so neighbours also differ without colour. */
function markText(x: number, y: number, place: number, colour: string): string {
  const shapes = [
    `M${x - 3} ${y - 3}h6v6h-6z`,
    `M${x} ${y - 4}l4 7h-8z`,
    `M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`,
    `M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`,
  ]
  const isCross = place % shapes.length === 3
  const paint = isCross ? `fill="none" stroke="${colour}" stroke-width="2"` : `fill="${colour}"`
  return `<path d="${shapes[place % shapes.length]}" ${paint}/>`
}

function legend(series: readonly Series[], top: number): string {
  const columns = series.length > 8 ? 5 : Math.min(4, Math.max(3, series.length))
  const step = (PANEL.width - FRAME.left - FRAME.right) / columns
  return series
    .map((one, at) => {
      const x = Math.round(FRAME.left + (at % columns) * step)
      const y = top + 13 * Math.floor(at / columns)
      const colour = COLOURS[at % COLOURS.length]!
      const key =
        one.look === 'marks'
          ? markText(x + 4, y - 4, at, colour)
          : `<rect x="${x}" y="${y - 8}" width="8" height="8" fill="${colour}"/>`
      return `${key}<text x="${x + 11}" y="${y}" font-size="9">${one.name}</text>`
    })
    .join('\n')
}
