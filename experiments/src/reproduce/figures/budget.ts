import { type Chart, PANEL, placed, svgText } from './chart.ts'

const WIDTH = 640
const [LEFT, RIGHT] = [20, WIDTH - 20]
const PARTS = [
  {
    name: 'delta',
    size: 0.03,
    colour: '#d55e00',
    lines: [
      'calibration failure',
      'Hoeffding and a union',
      'over rounds and sizes k:',
      'L exceeds q with',
      'probability delta',
    ],
  },
  {
    name: 'alpha',
    size: 0.1,
    colour: '#0072b2',
    lines: [
      'residual risk',
      'act where L is at least',
      '1 - alpha = .90: an answer',
      'acted on is wrong with',
      'probability alpha',
    ],
  },
  {
    name: 'epsilon',
    size: 0.02,
    colour: '#009e73',
    lines: [
      'representation gap',
      'the state forgets history:',
      'q overstates by at most',
      'epsilon, an assumption',
      'that audits may contradict',
    ],
  },
] as const
const BETA = 0.15

/** Top: an example of a budget. Middle: the purpose of each part. Bottom: wrong actions against the budget. */
export function budgetFigure(bottom: Chart): string {
  const height = 214 + PANEL.height
  return svgText('Budget-aligned control of wrong actions', { width: WIDTH, height }, [
    `<text x="${LEFT}" y="16" font-size="13" font-weight="bold">beta = .15 = delta + alpha + epsilon</text>`,
    ...bars(),
    ...boxes(),
    placed(bottom, (WIDTH - PANEL.width) / 2, 210),
  ])
}

function bars(): string[] {
  let from = LEFT
  return PARTS.map(({ name, size, colour }) => {
    const width = ((RIGHT - LEFT) * size) / BETA
    const text = `${name} ${size.toFixed(2).replace('0.', '.')}`
    const bar = `<rect x="${from}" y="26" width="${width}" height="30" fill="${colour}"/><text x="${from + width / 2}" y="45" text-anchor="middle" fill="#ffffff" font-weight="bold" font-size="10">${text}</text>`
    from += width
    return bar
  })
}

function boxes(): string[] {
  const width = (RIGHT - LEFT - 24) / PARTS.length
  return PARTS.map(({ name, colour, lines }, at) => {
    const x = LEFT + at * (width + 12)
    const [head, ...rest] = lines
    const text = rest.map((line, row) => `<text x="${x + 10}" y="${122 + 16 * row}">${line}</text>`)
    return `<rect x="${x}" y="72" width="${width}" height="112" rx="4" fill="none" stroke="${colour}" stroke-width="1.6"/><text x="${x + 10}" y="98" font-weight="bold" fill="${colour}">${name}: ${head}</text>${text.join('')}`
  })
}
