import { describe, expect, test } from 'vitest'
import { figuresOf } from '../../src/reproduce/figures/all-figures.ts'
import { KNOWN_SIZES, knownSlacks } from '../../src/reproduce/measure/known-slack.ts'
import { overviewOf } from '../../src/reproduce/measure/overview.ts'
import { madeMeasurements, madeTwin } from './made-measurements.ts'

const figures = new Map(figuresOf(madeMeasurements()).map(({ name, svg }) => [name, svg]))

describe('the figures of the paper', () => {
  test('are four, are well-formed and have no missing number', () => {
    expect([...figures.keys()]).toEqual(['overview', 'frontier', 'bias-variance', 'budget'])
    for (const svg of figures.values()) {
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
      expect(svg.match(/<g /g)?.length ?? 0).toBe(svg.match(/<\/g>/g)?.length ?? 0)
    }
  })

  test('Figure 1 has the pipeline, states of both kinds and a bound against its threshold', () => {
    const svg = figures.get('overview')!
    for (const said of ['1. Debate', '4. Decision', 'right', 'wrong', '1 - alpha = .850']) expect(svg).toContain(said)
    const without = figuresOf(madeMeasurements({ 'mmlu-pro': madeTwin('mmlu-pro', { overview: null }) }))[0]!.svg
    expect(without).toContain('1. Debate')
    expect(without).not.toContain('1 - alpha =')
  })

  test('Figure 2 has both lines and every baseline of Table 1', () => {
    const svg = figures.get('frontier')!
    for (const said of [
      'budget used up',
      'target of the selection',
      'stopper',
      'isotonic',
      'final round',
      'no envelope',
    ]) {
      expect(svg).toContain(said)
    }
  })

  test('Figure 4 has the parts of beta, what they pay for and the wrong actions', () => {
    const svg = figures.get('budget')!
    for (const said of ['delta .03', 'alpha .10', 'epsilon .02', 'representation gap', 'Wrong actions']) {
      expect(svg).toContain(said)
    }
  })
})

test('the slack of Figure 3 is that of a bound below the true q and falls at least as fast as Corollary 4 says', () => {
  const found = knownSlacks()
  expect(found.map(({ rows }) => rows)).toEqual([...KNOWN_SIZES])
  expect(found.every(({ above }) => above <= 0.03)).toBe(true)
  const [first, last] = [found[0]!, found.at(-1)!]
  expect(last.true / first.true).toBeLessThanOrEqual(1.15 * (last.rows / first.rows) ** -0.25)
  expect(last.true).toBeGreaterThan(0)
})

test('an overview follows the debate that acts latest, up to the round in which it acts', () => {
  const bound = (lower: number) => ({ lower, k: 1, neighbours: 1, mean: 1, envelope: 0, slack: 0, radius: 0 })
  const debate = (gold: number) => ({
    record: { gold },
    rounds: [0.4, 0.6, 0.9, 0.95].map((p1) => ({ p1, margin: p1 / 2, prediction: 0 })),
  })
  // Of a panel only these fields are read.
  const read = { reading: null, debates: [debate(0), debate(1)] } as unknown as Parameters<
    typeof overviewOf
  >[0]['train']
  const paths = [[0.5, 0.9, 0.91, 0.92].map(bound), [0.4, 0.6, 0.95, 0.96].map(bound)]
  const found = overviewOf({ train: read, test: read, paths, actedAt: [2, 3], threshold: 0.9 })!
  expect(found.debate?.map(({ lower }) => lower)).toEqual([0.4, 0.6, 0.95])
  expect(found.states).toEqual([{ p1: 0.95, margin: 0.45, right: 1, wrong: 1 }])
})
