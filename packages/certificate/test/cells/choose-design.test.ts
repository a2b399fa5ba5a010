import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { CellDesign } from '../../src/cells/cell-design.ts'
import type { CellRows } from '../../src/cells/cell-rows.ts'
import { type CellVariant, chooseDesign } from '../../src/cells/choose-design.ts'
import { expectedAction } from '../../src/cells/expected-action.ts'
import { scorePatterns } from '../../src/cells/score-patterns.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import type { CellsCertificate } from '../../src/certificate/cells-certificate.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { permutation, seededRandom } from '../../src/random.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const pilotOf = ({
  seed,
  rows,
  rounds,
  holes,
}: {
  seed: number
  rows: number
  rounds: number
  holes: boolean
}): CellRows => {
  const random = seededRandom(seed)
  const scores = Float64Array.from({ length: rows * rounds }, () => random() ** 0.3)
  const excluded = Uint8Array.from(scores, () => (holes && random() < 0.1 ? 1 : 0))
  const right = Uint8Array.from(scores, (score) => (random() < score ? 1 : 0))
  return { rows, rounds, scores, excluded, kinds: new Uint16Array(scores.length), right }
}
const pilot = fc
  .record({
    seed: fc.nat({ max: 1e9 }),
    rows: fc.integer({ min: 0, max: 120 }),
    rounds: fc.integer({ min: 1, max: 4 }),
    holes: fc.boolean(),
  })
  .map(pilotOf)
const target = fc.record({
  threshold: fc.double({ min: 0.05, max: 0.999, noNaN: true }),
  delta: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
  neighbours: fc.integer({ min: 0, max: 5000 }),
})
const LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95]

describe('expectedAction', () => {
  test('is a share in [0, 1] for every design', () => {
    const cuts = fc
      .uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 })
      .map((levels) => levels.sort((a, b) => a - b))
    const kind = fc.constantFrom<CellDesign['kind']>('path', 'nominate')
    fc.assert(
      fc.property(pilot, target, kind, fc.array(cuts, { minLength: 4, maxLength: 4 }), (scores, judged, how, all) => {
        const design = { kind: how, cuts: all.slice(0, scores.rounds) }
        const value = expectedAction(design, scorePatterns(scores, LEVELS), judged)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1 + 1e-12)
      }),
      { numRuns: sized({ short: 300, full: 1000 }) },
    )
  })

  test('nothing to count on, or nothing nominated, is no action', () => {
    const patterns = scorePatterns(pilotOf({ seed: 1, rows: 100, rounds: 2, holes: false }), LEVELS)
    const judged = { threshold: 0.5, delta: 0.05, neighbours: 1000 }
    expect(expectedAction({ kind: 'nominate', cuts: [[], []] }, patterns, judged)).toBe(0)
    expect(expectedAction({ kind: 'path', cuts: [[1], [1]] }, patterns, { ...judged, neighbours: 0 })).toBe(0)
    expect(expectedAction({ kind: 'path', cuts: [[1], [1]] }, patterns, judged)).toBeGreaterThan(0.5)
  })

  test('grows with the neighbour rows while the mean is above the threshold', () => {
    const patterns = scorePatterns(pilotOf({ seed: 1, rows: 100, rounds: 2, holes: false }), LEVELS)
    const values = [50, 200, 1000, 5000].map((neighbours) =>
      expectedAction({ kind: 'nominate', cuts: [[1], [1]] }, patterns, { threshold: 0.6, delta: 0.05, neighbours }),
    )
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  })
})

describe('scorePatterns', () => {
  test('keeps every row and every success', () => {
    fc.assert(
      fc.property(pilot, (scores) => {
        const { weights, successes, reached, count } = scorePatterns(scores, LEVELS)
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(scores.rows)
        for (let round = 0; round < scores.rounds; round++) {
          const inRound = (_: number, at: number) => at % scores.rounds === round
          const add = (sum: number, value: number) => sum + value
          expect(successes.filter(inRound).reduce(add, 0)).toBe(scores.right.filter(inRound).reduce(add, 0))
        }
        const keys = Array.from({ length: count }, (_, at) =>
          reached.subarray(at * scores.rounds, (at + 1) * scores.rounds).join(),
        )
        expect(new Set(keys).size).toBe(count)
      }),
    )
  })
})

describe('chooseDesign', () => {
  const variant = fc.constantFrom<CellVariant>('path', 'nominate', 'auto')

  test('gives every round cuts that ascend from the threshold towards 1, of the requested kind', () => {
    fc.assert(
      fc.property(pilot, target, variant, (scores, judged, asked) => {
        const { kind, cuts } = chooseDesign(asked, scores, () => judged)
        if (asked !== 'auto') expect(kind).toBe(asked)
        expect(cuts).toHaveLength(scores.rounds)
        for (const own of cuts) {
          expect(own.every((cut, at) => cut >= judged.threshold && cut < 1 && cut > (own[at - 1] ?? 0))).toBe(true)
        }
      }),
    )
  })

  test('the order of the pilot rows does not matter where no two designs tie', () => {
    const scores = pilotOf({ seed: 3, rows: 400, rounds: 3, holes: false })
    const order = permutation(400, seededRandom(1))
    const mixed = {
      ...scores,
      scores: Float64Array.from(scores.scores, (_, at) => scores.scores[order[Math.floor(at / 3)]! * 3 + (at % 3)]!),
      right: Uint8Array.from(scores.right, (_, at) => scores.right[order[Math.floor(at / 3)]! * 3 + (at % 3)]!),
    }
    const judged = { threshold: 0.8, delta: 0.05, neighbours: 2000 }
    for (const asked of ['path', 'nominate', 'auto'] as const) {
      expect(chooseDesign(asked, mixed, () => judged)).toEqual(chooseDesign(asked, scores, () => judged))
    }
  })
})

describe('a cells certificate', () => {
  const debates = simulatedDebates({ count: 800, seed: 5 })
  const budget = { beta: 0.3, delta: 0.06, epsilon: 0.02 }
  const order = [...permutation(800, seededRandom(2))]
  const split = { pilot: order.slice(0, 400), neighbours: order.slice(400) }
  const fit = (cells: CellVariant, changed = debates, lists = split) =>
    calibrate(changed, { profile: 'cells', cells, budget, split: lists }) as CellsCertificate // by the profile
  const fitted = { path: fit('path'), nominate: fit('nominate'), auto: fit('auto') }

  test.each(['path', 'nominate', 'auto'] as const)(
    '%s: no label of a neighbour row has a say in the design or the scores',
    (cells) => {
      const isNeighbour = new Set(split.neighbours)
      const relabelled = debates.map((debate, row) => (isNeighbour.has(row) ? { ...debate, gold: 'A' } : debate))
      const [before, after] = [fitted[cells], fit(cells, relabelled)]
      expect(after.design).toEqual(before.design)
      expect(after.toJSON().score).toEqual(before.toJSON().score)
      expect(after.toJSON().pilot).toEqual(before.toJSON().pilot)
      expect(after.toJSON().neighbours.right).not.toEqual(before.toJSON().neighbours.right)
    },
  )

  test('the labels of pilot rows do', () => {
    const isPilot = new Set(split.pilot)
    const relabelled = debates.map((debate, row) => (isPilot.has(row) ? { ...debate, gold: 'A' } : debate))
    expect(fit('auto', relabelled).design).not.toEqual(fitted.auto.design)
  })

  test('nor does the order of the neighbour rows, and the cells count the same', () => {
    const mixed = { ...split, neighbours: split.neighbours.toReversed() }
    const [before, after] = [fitted.auto, fit('auto', debates, mixed)]
    expect(after.design).toEqual(before.design)
    for (const scores of [
      [0.9, 0.9, 0.9],
      [0.5, 0.95, 0.99],
      [0.1, 0.1, 0.1],
    ]) {
      for (let round = 1; round <= 3; round++) {
        const path = { scores, excluded: [0, 0, 0], kinds: [0, 8, 16] }
        expect(after.cell(path, round, null)).toEqual(before.cell(path, round, null))
      }
    }
  })

  test.each([
    ['path', 0.06 / 3],
    ['nominate', 0.06],
  ] as const)('%s cells have the exact bound at level %d', (cells, level) => {
    const certificate = fitted[cells]
    const { neighbours } = certificate.toJSON()
    let seen = 0
    const wrong: unknown[] = []
    for (let row = 0; row < 400; row++) {
      const own = [row * 3, row * 3 + 3] as const
      const path = {
        scores: neighbours.scores.slice(...own),
        excluded: Array.from(neighbours.excluded.slice(...own), Number),
        kinds: neighbours.kinds.slice(...own),
      }
      for (let round = 1; round <= 3; round++) {
        const found = certificate.cell(path, round, null)
        if (found.kind !== 'cell') continue
        const { cell } = found
        seen++
        if (!(cell.rows > 0)) wrong.push(cell)
        else if (cell.lower !== clopperPearsonLower(cell.successes, cell.rows, level)) wrong.push(cell)
      }
    }
    expect(wrong).toEqual([])
    expect(seen).toBeGreaterThan(100)
  })

  test('nearly the whole of beta is for alpha, all of it where there is one test, and epsilon is 0', () => {
    const { alpha, epsilon, shortfall } = fitted.path.budget
    expect(epsilon).toBe(0)
    expect(alpha + shortfall).toBeCloseTo(0.3, 5)
    expect(shortfall).toBeLessThan(0.01)
    expect(fitted.nominate.budget).toMatchObject({ epsilon: 0, alpha: 0.3, threshold: 0.7 })
  })
})
