import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundPathsFigure } from '../../src/figures/bound-paths.ts'
import { budgetGauge } from '../../src/figures/budget-gauge.ts'
import { cellBarsFigure } from '../../src/figures/cell-bars.ts'
import { certifiedFigure } from '../../src/figures/certified-bins.ts'
import { debatePathFigure } from '../../src/figures/debate-path.ts'
import { debateStepsFigure } from '../../src/figures/debate-steps.ts'
import { type Drawing, inlineSvg, standaloneSvg } from '../../src/figures/drawing.ts'
import { frontierFigure } from '../../src/figures/frontier.ts'
import { groupsFigure } from '../../src/figures/groups.ts'
import { markupText } from '../../src/figures/markup.ts'
import { stateLineFigure } from '../../src/figures/state-line.ts'
import { statePlaneFigure } from '../../src/figures/state-plane.ts'
import { stoppingRoundsFigure } from '../../src/figures/stopping-rounds.ts'
import { waterfallFigure } from '../../src/figures/waterfall.ts'
import { EVERY_FIGURE } from './every-figure.ts'
import * as example from './example-data.ts'
import { hostileText } from './hostile-text.ts'
import { malformation } from './well-formed.ts'

const WIDTHS = [340, 560, 1100]

describe.each(EVERY_FIGURE)('the figure %s', (_name, draw) => {
  test.each(WIDTHS)('is a well-formed image of %d px with a title, a description and marks', (width) => {
    const drawing = draw(width)
    const svg = svgOf(drawing)
    expect(malformation(svg)).toBeNull()
    expect(svg).toContain('role="img"')
    expect(svg).toMatch(/<title id="figure-title">[^<]+<\/title><desc id="figure-desc">[^<]+<\/desc>/)
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/)
    expect(drawing).toMatchObject({ width, isEmpty: false })
    expect(drawing.height).toBeGreaterThan(80)
    expect(svg.match(/class="[^"]*\b(mark|bar)\b/g)?.length ?? 0).toBeGreaterThan(0)
  })

  test('as a file has its own style for light and dark, no address and no script', () => {
    const file = standaloneSvg(draw(640))
    const [start = '', style = '', end = ''] = file.split(/<style>|<\/style>/)
    expect(malformation((start + end).trimEnd())).toBeNull()
    expect(style).toContain('prefers-color-scheme:dark')
    expect(file.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|<script|href/)
  })
})

describe('names from files', () => {
  test('never break out of their element, in any figure', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (first, second) => {
        for (const drawing of hostileFigures(first, second)) {
          const svg = svgOf(drawing)
          expect(malformation(svg)).toBeNull()
          expect(svg).not.toMatch(/<(script|img|b)\b|\p{Cf}/u)
          expect(svg.length).toBeLessThan(40_000)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('that are too long are cut, and complete in the tooltip', () => {
    const name = 'a group with a name that nobody has room for, not even here'
    const svg = svgOf(
      groupsFigure(
        { ...example.groups, groups: [{ name, n: 9, act: 1, accuracy: { value: 0.9, low: 0.8, high: 1 } }] },
        340,
      ),
    )
    expect(svg).toContain(`<title>${name}: 90.0 % right (80.0 to 100.0), 100.0 % of 9 acted on</title>`)
    expect(svg).toContain('>a group with a…</text>')
  })
})

describe('without data', () => {
  const threshold = 0.9
  test.each<[string, Drawing, string]>([
    ['the gauge', budgetGauge({ ...example.gauge, wrongActions: null }, 560), 'Nothing was held out'],
    ['the frontier', frontierFigure({ ...example.frontier, beta: 0 }, 560), 'no budget'],
    ['the waterfall', waterfallFigure({ threshold, debates: [] }, 560), 'No held-out debate has a bound'],
    ['the cells', cellBarsFigure({ threshold, rounds: [] }, 560), 'No held-out debate came to a cell'],
    ['certified', certifiedFigure({ threshold, bins: [] }, 560), 'nothing to compare'],
    [
      'the paths',
      boundPathsFigure({ threshold, rounds: 3, spreads: [], samples: [] }, 560),
      'No held-out debate has a bound',
    ],
    [
      'the rounds',
      stoppingRoundsFigure({ threshold, debates: 0, deferred: 0, rounds: [] }, 560),
      'No debate was held out',
    ],
    ['no groups', groupsFigure({ threshold, groups: [] }, 560), 'name no groups'],
    [
      'groups',
      groupsFigure({ threshold, groups: [{ name: 'a', n: 3, act: 0, accuracy: null }] }, 560),
      'Nothing was acted on in any of the 1 groups',
    ],
    [
      'kinds',
      groupsFigure({ threshold, of: 'kinds', groups: [{ name: 'a', n: 3, act: 0, accuracy: null }] }, 560),
      'Nothing was acted on in any of the 1 kinds',
    ],
    ['the plane', statePlaneFigure({ ...example.plane, rounds: [] }, 560), 'No held-out debate has a state'],
    ['one path', debatePathFigure({ threshold, rounds: 2, bounds: [null, null] }, 560), 'No round of this debate'],
    ['one debate', debateStepsFigure({ threshold, rows: [] }, 560), 'No bound was computed'],
    ['the line', stateLineFigure({ ...example.line, rounds: [] }, 340), 'No held-out debate has a bound'],
  ])('%s says so in a sentence', (_name, drawing, sentence) => {
    expect(drawing.isEmpty).toBe(true)
    expect(drawing.description).toContain(sentence)
    expect(malformation(svgOf(drawing))).toBeNull()
  })
})

test('a bound fills its bar up to the threshold line if and only if it reaches the threshold', () => {
  const bar = (lower: number) => {
    const row = { label: 'r', lower, mean: lower, envelope: 0, slack: 0, rows: 9, successes: 9, mark: null }
    const debate = { kind: 'k', id: 'i', decision: 'act', isRight: true, rows: [row] } as const
    return svgOf(waterfallFigure({ threshold: 0.88, debates: [debate] }, 560))
  }
  expect(bar(0.88)).toContain('class="act bar"')
  expect(bar(0.87999)).toContain('class="defer bar"')
})

test('the threshold line is drawn by the same mark in every figure that has one', () => {
  const withLine = EVERY_FIGURE.filter(([name]) => !['budget', 'frontier', 'state-plane'].includes(name))
  for (const [, draw] of withLine) expect(svgOf(draw(560))).toContain('<line class="threshold"')
})

test('the line of certified bounds is labelled as the threshold or as the floor', () => {
  expect(svgOf(certifiedFigure(example.certified, 560))).toContain('>threshold</text>')
  expect(svgOf(certifiedFigure({ ...example.certified, line: 'floor' }, 560))).toContain('>floor</text>')
})

test('figures need neither Node nor a browser, and quote every attribute', () => {
  const folder = resolve(import.meta.dirname, '../../src/figures')
  for (const file of readdirSync(folder)) {
    const source = readFileSync(resolve(folder, file), 'utf8')
    expect(source, file).not.toMatch(/from 'node:|\bdocument\.|\bwindow\.|plain-text|report\/style/)
    expect(source, file).not.toMatch(/[\w-]=\$\{/)
  }
})

function svgOf(drawing: Drawing): string {
  return markupText(inlineSvg(drawing, 'figure'))
}

function hostileFigures(first: string, second: string): Drawing[] {
  const [debate] = example.waterfall.debates
  const row = { label: `round 1: ${second.slice(0, 8)}`, lower: null, reason: second.slice(0, 60) }
  const groups = example.groups.groups.map((group, index) => ({ ...group, name: index % 2 ? first : second }))
  const cell = { name: first, rows: 10, successes: 9, lower: 0.6, heldOut: 3 }
  const ours = { ...example.frontier.ours, name: first }
  return WIDTHS.flatMap((width) => [
    groupsFigure({ ...example.groups, groups }, width),
    cellBarsFigure({ threshold: 0.9, rounds: [{ round: 1, heldOut: 3, cells: [cell] }] }, width),
    frontierFigure({ ...example.frontier, ours, others: [{ name: second, act: 0.4, wrongActions: 0.02 }] }, width),
    ...(debate ? [waterfallFigure({ threshold: 0.9, debates: [{ ...debate, id: first, rows: [row] }] }, width)] : []),
  ])
}
