/** A small line chart as SVG. All texts in it are written in this repository. */
export interface Chart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  readonly text: (value: number) => string
  /** Doublings instead of differences are equally far apart. */
  readonly isLogarithmic?: boolean
}

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly look: 'line' | 'dashed' | 'marks'
}

export const PANEL = { width: 420, height: 300 } as const
const FRAME = { left: 48, right: 18, top: 36, bottom: 62 } as const
/** Distinguishable without colour vision (Okabe and Ito), and by their dashes and marks. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#7f7f7f'] as const

/** Panels side by side, two in a row. */
export function figureText(title: string, charts: readonly Chart[]): string {
  const columns = Math.min(2, charts.length)
  const width = columns * PANEL.width
  const height = Math.ceil(charts.length / columns) * PANEL.height
  const panels = charts.map(
    (chart, at) =>
      `<g transform="translate(${(at % columns) * PANEL.width} ${Math.floor(at / columns) * PANEL.height})">\n${panel(chart)}\n</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${panels.join('\n')}
</svg>
`
}

function panel({ title, xTitle, yTitle, x, y, series }: Chart): string {
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
    ...series.map((one, at) => drawn(one, COLOURS[at % COLOURS.length]!, [toX, toY])),
    legend(series, bottom + 42),
  ].join('\n')
}

type Scale = (value: number) => number

function scale({ from, to, isLogarithmic = false }: Axis, start: number, end: number): Scale {
  const place = isLogarithmic ? Math.log2 : (value: number) => value
  return (value) => {
    const share = (place(value) - place(from)) / (place(to) - place(from))
    return Math.round((start + Math.min(1, Math.max(0, share)) * (end - start)) * 10) / 10
  }
}

function drawn({ points, look }: Series, colour: string, [toX, toY]: readonly [Scale, Scale]): string {
  const line = points.map(([x, y]) => `${toX(x)},${toY(y)}`).join(' ')
  const dashes = look === 'dashed' ? ' stroke-dasharray="5 4"' : ''
  const path =
    look === 'marks' ? '' : `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="1.8"${dashes}/>`
  if (look === 'dashed') return path
  const marks = points.map(([x, y]) =>
    look === 'marks'
      ? `<rect x="${toX(x) - 3}" y="${toY(y) - 3}" width="6" height="6" fill="${colour}"/>`
      : `<circle cx="${toX(x)}" cy="${toY(y)}" r="2.6" fill="${colour}"/>`,
  )
  return path + marks.join('')
}

const LEGEND_COLUMNS = 4

function legend(series: readonly Series[], top: number): string {
  const step = (PANEL.width - FRAME.left - FRAME.right) / LEGEND_COLUMNS
  return series
    .map(({ name }, at) => {
      const x = Math.round(FRAME.left + (at % LEGEND_COLUMNS) * step)
      const y = top + 13 * Math.floor(at / LEGEND_COLUMNS)
      return `<rect x="${x}" y="${y - 8}" width="8" height="8" fill="${COLOURS[at % COLOURS.length]}"/><text x="${x + 11}" y="${y}" font-size="9">${name}</text>`
    })
    .join('\n')
}
