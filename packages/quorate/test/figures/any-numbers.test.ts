import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundPathsFigure } from '../../src/figures/bound-paths.ts'
import { budgetGauge } from '../../src/figures/budget-gauge.ts'
import { certifiedFigure } from '../../src/figures/certified-bins.ts'
import { debatePathFigure } from '../../src/figures/debate-path.ts'
import type { Drawing } from '../../src/figures/drawing.ts'
import { frontierFigure } from '../../src/figures/frontier.ts'
import { groupsFigure } from '../../src/figures/groups.ts'
import { markupText } from '../../src/figures/markup.ts'
import { stoppingRoundsFigure } from '../../src/figures/stopping-rounds.ts'
import { waterfallFigure } from '../../src/figures/waterfall.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const count = fc.integer({ min: 0, max: 1_000_000 })
const rate = fc.record({ value: share, low: share, high: share })
const width = fc.integer({ min: 280, max: 1400 })
const threshold = fc.double({ min: 0.01, max: 0.999, noNaN: true })
const policy = fc.record({ name: fc.string({ maxLength: 30 }), act: share, wrongActions: share })

const figure: fc.Arbitrary<Drawing> = fc.oneof(
  drawn(
    frontierFigure,
    fc.record({
      beta: fc.double({ min: 1e-4, max: 0.99, noNaN: true }),
      ours: policy,
      path: fc.array(fc.record({ beta: share, act: share, wrongActions: share })),
      others: fc.array(policy, { maxLength: 16 }),
    }),
  ),
  drawn(
    budgetGauge,
    fc.record({
      beta: fc.double({ min: 1e-4, max: 0.99, noNaN: true }),
      delta: share,
      alpha: fc.double({ min: -1, max: 1, noNaN: true }),
      epsilon: share,
      wrongActions: rate,
    }),
  ),
  drawn(
    certifiedFigure,
    fc.record({
      threshold,
      bins: fc.array(
        fc.record({
          bound: fc.double({ min: -1, max: 1, noNaN: true }),
          n: count,
          right: share,
          low: share,
          high: share,
        }),
      ),
    }),
  ),
  drawn(
    groupsFigure,
    fc.record({
      threshold,
      groups: fc.array(fc.record({ name: fc.string(), n: count, act: share, accuracy: fc.option(rate) })),
    }),
  ),
  drawn(
    stoppingRoundsFigure,
    fc.record({
      threshold,
      debates: count,
      deferred: count,
      rounds: fc.array(fc.record({ round: fc.integer({ min: 1, max: 64 }), acted: count, accuracy: fc.option(rate) }), {
        maxLength: 64,
      }),
    }),
  ),
  drawn(
    waterfallFigure,
    fc.record({
      threshold,
      debates: fc.array(
        fc.record({
          kind: fc.constant('acts'),
          id: fc.string(),
          decision: fc.constantFrom('act' as const, 'defer' as const),
          isRight: fc.boolean(),
          rows: fc.array(
            fc.record({
              label: fc.string(),
              lower: fc.double({ min: -1, max: 1, noNaN: true }),
              mean: share,
              envelope: share,
              slack: share,
              rows: count,
              successes: count,
              mark: fc.constantFrom('act' as const, 'wrong' as const, null),
            }),
          ),
        }),
        { maxLength: 4 },
      ),
    }),
  ),
  drawn(
    debatePathFigure,
    fc.record({
      threshold,
      rounds: fc.integer({ min: 0, max: 64 }),
      bounds: fc.array(fc.option(fc.double({ min: -1, max: 1, noNaN: true })), { maxLength: 64 }),
    }),
  ),
  drawn(
    boundPathsFigure,
    fc.record({
      threshold,
      rounds: fc.integer({ min: 1, max: 64 }),
      spreads: fc.array(
        fc.record({
          round: fc.integer({ min: 1, max: 64 }),
          kind: fc.constantFrom('act' as const, 'defer' as const),
          n: count,
          quantiles: fc.tuple(share, share, share, share, share),
        }),
      ),
      samples: fc.constant([]),
    }),
  ),
)

function drawn<Data>(draw: (data: Data, width: number) => Drawing, data: fc.Arbitrary<Data>): fc.Arbitrary<Drawing> {
  return fc.tuple(data, width).map(([found, wide]) => draw(found, wide))
}

test('whatever the numbers, a figure is drawn with finite coordinates and a height', () => {
  fc.assert(
    fc.property(figure, (drawing) => {
      expect(Number.isFinite(drawing.height) && drawing.height > 0).toBe(true)
      expect(markupText(drawing.content)).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/)
      expect(markupText(drawing.content)).not.toMatch(/(width|height)="-/)
    }),
    { numRuns: 400 },
  )
})
