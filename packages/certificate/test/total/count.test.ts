import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { seededRandom } from '../../src/random.ts'
import { testsOf } from '../../src/total/classes.ts'
import { countTotal } from '../../src/total/count.ts'
import { designTotal, type TotalDesign } from '../../src/total/design.ts'
import { averageRisk, bettingPValue, binomialTail, questionRuns } from '../../src/total/exact-tests.ts'
import { type PromiseKind, resolvePromise, type TotalPromise } from '../../src/total/promise.ts'
import { allowedStops, pickStoppingRows, type StoppingRows, stopsOf } from '../../src/total/stopping-rows.ts'

const ROUNDS = 2

/** Rows with tied scores, excluded rounds and a kind that is much worse than its score. */
function drawRows(seed: number, rows: number): StoppingRows {
  const random = seededRandom(seed)
  const cells = rows * ROUNDS
  const kinds = Uint16Array.from({ length: cells }, (_, at) => (at % ROUNDS) * 8 + 2 * Math.floor(3 * random()))
  const scores = Float64Array.from({ length: cells }, () => Math.round(20 * (0.6 + 0.4 * random())) / 20)
  return {
    rows,
    rounds: ROUNDS,
    scores,
    kinds,
    excluded: Uint8Array.from({ length: cells }, () => Number(random() < 0.1)),
    right: Uint8Array.from({ length: cells }, (_, at) => Number(random() < (kinds[at] === 4 ? 0.75 : 0.97))),
    questions: null,
  }
}

interface Case {
  readonly rows: StoppingRows
  readonly design: TotalDesign
  readonly promise: TotalPromise
}

const cases = fc
  .record({
    seed: fc.nat(10_000),
    rows: fc.integer({ min: 5, max: 500 }),
    kind: fc.constantFrom<PromiseKind>('pac', 'average', 'selective'),
    beta: fc.constantFrom(0.05, 0.15, 0.3),
    floor: fc.constantFrom(0.7, 0.85, 0.9),
  })
  .map(({ seed, rows, kind, beta, floor }): Case => {
    const promise = resolvePromise('test', { beta, kind, delta: 0.2, ...(kind === 'selective' ? {} : { floor }) })
    return { rows: drawRows(seed, rows), design: designTotal(drawRows(seed + 1, 80), rows, promise), promise }
  })

test('a design is the same whatever was asked of the same pilot rows before', () => {
  const pilot = drawRows(3, 120)
  const floors = [0.6, 0.7, 0.8, 0.9, 'none'] as const
  const asked = floors.flatMap((floor) => [0.05, 0.1, 0.2, 0.1].map((beta) => ({ beta, floor })))
  for (const { beta, floor } of [...asked, ...asked.toReversed()]) {
    const promise = resolvePromise('test', { beta, kind: 'pac', delta: 0.2, floor })
    expect(designTotal(pilot, 400, promise)).toEqual(designTotal(drawRows(3, 120), 400, promise))
  }
})

describe('countTotal', () => {
  test('counts what slow and obvious code counts', () => {
    fc.assert(
      fc.property(cases, ({ rows, design, promise }) => {
        const { policies, chosen, acted, wrong, classes } = countTotal(design, promise, rows)
        expect({
          policies: policies.map(({ stopped, wrong, hasPassed }) => ({ stopped, wrong, hasPassed })),
          chosen,
          acted,
          wrong,
          acting: chosen === null ? [] : classes.filter(({ state }) => state === 'acts').map(({ kinds }) => kinds),
        }).toEqual(slowCount(rows, design, promise))
      }),
      { numRuns: sized({ short: 60, full: 150 }) },
    )
  })

  test('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(cases, fc.nat(1000), ({ rows, design, promise }, turn) => {
        const order = Array.from({ length: rows.rows }, (_, row) => (row * 1009 + turn) % rows.rows)
        fc.pre(new Set(order).size === rows.rows)
        expect(countTotal(design, promise, pickStoppingRows(rows, order))).toEqual(countTotal(design, promise, rows))
      }),
      { numRuns: sized({ short: 30, full: 60 }) },
    )
  })

  test('one more wrong label never makes a policy pass, nor a class that may drop nothing', () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ rows, design, promise }, place) => {
        const strict = {
          ...design,
          policies: design.policies.slice(0, 1),
          classes: design.classes.map(({ kinds }) => ({ kinds, vetoable: [] })),
        }
        const right = rows.right.slice()
        right[place % right.length] = 0
        const [before, after] = [countTotal(strict, promise, rows), countTotal(strict, promise, { ...rows, right })]
        if (after.policies[0]!.hasPassed) expect(before.policies[0]!.hasPassed).toBe(true)
        for (const [at, { state, pValue }] of after.classes.entries()) {
          expect(pValue).toBeGreaterThanOrEqual(before.classes[at]!.pValue - 1e-12)
          if (state === 'acts') expect(before.classes[at]!.state).toBe('acts')
        }
      }),
      { numRuns: sized({ short: 60, full: 150 }) },
    )
  })

  test('a later attempt passes no more policies and certifies no class that the first refuses under the same policy', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 9 }), ({ rows, design, promise }, attempt) => {
        const one = { ...design, policies: design.policies.slice(0, 1) }
        const [first, later] = [countTotal(one, promise, rows), countTotal(one, { ...promise, attempt }, rows)]
        if (promise.kind !== 'average' && later.policies[0]!.hasPassed) expect(first.policies[0]!.hasPassed).toBe(true)
        for (const [at, { state }] of later.classes.entries()) {
          if (state === 'acts') expect(first.classes[at]!.state).toBe('acts')
        }
      }),
      { numRuns: sized({ short: 40, full: 100 }) },
    )
  })
})

test('a score that is not a number, an excluded round and a blocked kind never stop a debate, which continues', () => {
  const rows: StoppingRows = {
    rows: 4,
    rounds: 2,
    scores: Float64Array.from([Number.NaN, 0.9, 0.9, 0.9, 0.9, 0.9, 0.5, 0.9]),
    kinds: Uint16Array.from([0, 8, 0, 8, 2, 8, 0, 8]),
    excluded: Uint8Array.from([0, 0, 1, 0, 0, 0, 0, 1]),
    right: new Uint8Array(8),
    questions: null,
  }
  expect([...stopsOf(rows, allowedStops(rows, { least: 0.7, blocked: [2] }), [0.8, 0.8])]).toEqual([1, 1, 1, -1])
  expect([...stopsOf(rows, allowedStops(rows, { least: 0.7, blocked: [] }), [Infinity, Infinity])]).toEqual([
    -1, -1, -1, -1,
  ])
})

describe('the exact tests', () => {
  test('refuse what is no count, no rate and no share', () => {
    for (const wrong of [-1, 0.5, 11, Number.NaN]) expect(() => binomialTail(wrong, 10, 0.1)).toThrow('wrong must be')
    for (const rate of [0, 1, Number.NaN]) expect(() => binomialTail(1, 10, rate)).toThrow('rate must be')
    for (const value of [1.1, -0.1, Number.NaN]) expect(() => bettingPValue([0, value], 0.1)).toThrow('in [0, 1]')
  })

  test('nothing counted proves nothing', () => {
    expect([binomialTail(0, 0, 0.1), bettingPValue([], 0.1), averageRisk(new Uint8Array(0), null)]).toEqual([1, 1, 1])
  })

  test('a question weighs the same whatever its runs', () => {
    const losses = Uint8Array.from([1, 1, 1, 1, 0, 0])
    expect(averageRisk(losses, questionRuns(Int32Array.from([0, 0, 0, 0, 1, 2])))).toBe((1 + 1) / (3 + 1))
  })
})

/** A direct implementation of the method: loops, a sum of binomial terms, and no reused column. */
function slowCount(rows: StoppingRows, design: TotalDesign, { kind, beta, floor, delta }: TotalPromise) {
  const at = (row: number, round: number) => row * ROUNDS + round
  const all = Array.from({ length: rows.rows }, (_, row) => row)
  const stopOf = (row: number, cuts: readonly number[]) =>
    cuts.findIndex((cut, round) => {
      const cell = at(row, round)
      const isBlocked = design.blocked.includes(rows.kinds[cell]!)
      return rows.excluded[cell] === 0 && !isBlocked && rows.scores[cell]! >= design.least && rows.scores[cell]! >= cut
    })
  const total = kind === 'selective' ? delta : 0.6 * delta
  const policies: { stopped: number; wrong: number; hasPassed: boolean }[] = []
  const everWrong = new Set<number>()
  for (const cuts of design.policies) {
    const stopped = all.filter((row) => stopOf(row, cuts) >= 0)
    const wrong = stopped.filter((row) => rows.right[at(row, stopOf(row, cuts))] === 0)
    for (const row of wrong) everWrong.add(row)
    const hasPassed =
      kind === 'pac'
        ? slowTail(wrong.length, rows.rows, beta) <= total
        : kind === 'average'
          ? (everWrong.size + 1) / (rows.rows + 1) <= beta
          : slowTail(wrong.length, stopped.length, beta) <= total / design.policies.length
    policies.push({ stopped: stopped.length, wrong: wrong.length, hasPassed })
    if (!hasPassed && kind !== 'selective') break
  }
  const tests = design.policies.length * design.classes.reduce((sum, each) => sum + testsOf(each), 0)
  let best = { chosen: null as number | null, acted: 0, wrong: 0, acting: [] as (readonly number[])[] }
  for (const [place, { hasPassed }] of policies.entries()) {
    if (!hasPassed) continue
    const cuts = design.policies[place]!
    const rowsOf = (kinds: readonly number[]) =>
      all.filter((row) => stopOf(row, cuts) >= 0 && kinds.includes(rows.kinds[at(row, stopOf(row, cuts))]!))
    const wrongOf = (picked: readonly number[]) => picked.filter((row) => rows.right[at(row, stopOf(row, cuts))] === 0)
    const acting: (readonly number[])[] = []
    for (const { kinds, vetoable } of floor === null ? [] : design.classes) {
      const isLow = (each: number) => {
        const own = rowsOf([each])
        return own.length >= 20 && own.length - wrongOf(own).length < floor! * own.length
      }
      const kept = kinds.filter((each) => !(vetoable.includes(each) && isLow(each)))
      const own = rowsOf(kept)
      if (kept.some(isLow) || own.length === 0) continue
      if (slowTail(wrongOf(own).length, own.length, 1 - floor!) <= (0.4 * delta) / tests) acting.push(kept)
    }
    const acted = floor === null ? all.filter((row) => stopOf(row, cuts) >= 0) : rowsOf(acting.flat())
    if (best.chosen === null || acted.length >= best.acted) {
      best = { chosen: place, acted: acted.length, wrong: wrongOf(acted).length, acting }
    }
  }
  return { policies, ...best }
}

function slowTail(wrong: number, count: number, rate: number): number {
  let sum = 0
  let term = (1 - rate) ** count
  for (let bad = 0; bad <= wrong; bad++) {
    sum += term
    term *= ((count - bad) / (bad + 1)) * (rate / (1 - rate))
  }
  return count === 0 ? 1 : sum
}
