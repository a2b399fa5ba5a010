import { describe, expect, test } from 'vitest'
import { CANDIDATES, fitScore, scoreRows } from '../../src/scores/score.ts'
import { passChance } from '../../src/total/classes.ts'
import { countTotal, type TotalOutcome } from '../../src/total/count.ts'
import { designTotal } from '../../src/total/design.ts'
import { bettingPValue, floorLimit, floorPValue, type QuestionRuns, questionRuns } from '../../src/total/exact-tests.ts'
import { type PromiseKind, resolvePromise } from '../../src/total/promise.ts'
import type { StoppingRows } from '../../src/total/stopping-rows.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

/** Against the prototype on numpy, scipy and scikit-learn: see `reference/total.py`. */
const REFERENCE: Reference = readReference('total.json')

const near = (value: number, truth: number, digits = 1e-9) => expect(relativeError(value, truth)).toBeLessThan(digits)

test.each(REFERENCE.bets)('the betting p-value of $values.length values', ({ values, mean, p }) => {
  near(bettingPValue(values, mean), p)
})

test.each(REFERENCE.floors)('the floor $floor of questions with runs and of rows', (each) => {
  const rows = { acts: digits(each.acts), wrong: digits(each.wrong) }
  near(floorPValue(rows, inOrder(each.questions), each.floor), each.p)
  near(floorPValue(rows, null, each.floor), each.alone)
  near(floorLimit(rows, null, 0.003, 0), each.limit)
})

test('chances to pass, which choose classes', () => {
  for (const { rows, rate, floor, level, chance } of REFERENCE.chances) {
    expect(Math.abs(passChance(rows, rate, floor, level) - chance)).toBeLessThan(1e-9)
  }
})

describe.each(REFERENCE.cases)('$name', (each) => {
  const pilot = rowsOf(each.pilot)
  const neighbours = rowsOf(each.neighbours)
  const promiseOf = (kind: PromiseKind) =>
    resolvePromise('test', { beta: each.beta, kind, floor: each.floor === 0 ? 'none' : each.floor })
  const design = designTotal(pilot, neighbours.rows, promiseOf('pac'))

  test('has the same design', () => {
    expect([design.least, design.blocked, design.tests]).toEqual([each.least, each.blocked, each.tests])
    const sorted = (kinds: readonly number[]) => kinds.toSorted((a, b) => a - b)
    expect(design.classes.map(({ kinds, vetoable }) => ({ kinds: sorted(kinds), vetoable: sorted(vetoable) }))).toEqual(
      each.classes,
    )
    expect(design.policies).toHaveLength(each.policies.length)
    for (const [at, cuts] of design.policies.entries()) {
      for (const [round, cut] of cuts.entries()) {
        const expected = each.policies[at]![round]
        if (expected === null) expect(cut).toBe(Infinity)
        else near(cut, expected!)
      }
    }
  })

  test.each(['pac', 'average'] as const)('counts the same for %s', (kind) => {
    const outcome = countTotal(design, promiseOf(kind), neighbours)
    const expected = each[kind]
    for (const [at, { stopped, wrong, statistic }] of outcome.policies.entries()) {
      const policy = each.policyTests[at]!
      expect([stopped, wrong]).toEqual([policy.stopped, policy.wrong])
      if (kind === 'pac') near(statistic, policy.p)
    }
    expect(outcome.chosen).toBe(expected?.policy ?? null)
    if (expected === null) return
    expect(outcome.acted).toBe(expected.acted)
    if (each.floor === 0) return
    near(outcome.floorLevel, expected.level)
    const acting = outcome.classes.filter(({ state }) => state === 'acts')
    expect(acting).toHaveLength(expected.classes.length)
    for (const [at, { kinds, rows, right, lower }] of acting.entries()) {
      const other = expected.classes[at]!
      expect([kinds.toSorted((a, b) => a - b), rows, right]).toEqual([other.kinds, other.n, other.right])
      if (neighbours.questions === null) near(lower, other.lower)
      // The prototype bisects. Ours never skips a floor that fails, and ends on a grid.
      else expect(lower).toBeLessThanOrEqual(other.lower + 1e-5)
    }
  })
})

test.each(REFERENCE.cases.filter(({ selective }) => selective !== null))('$name, for the selective target', (each) => {
  const promise = resolvePromise('test', { beta: each.beta, kind: 'selective' })
  const neighbours = rowsOf(each.neighbours)
  const design = designTotal(rowsOf(each.pilot), neighbours.rows, promise)
  const { chosen, policies } = countTotal(design, promise, neighbours)
  const found = each.selective!.found
  expect(chosen).toBe(found?.policy ?? null)
  if (found !== null) expect(policies[chosen!]).toMatchObject({ stopped: found.acted, wrong: found.wrong })
})

test('the cases reach tied scores, infinite cuts, vetoes, spoiled classes, unseen kinds and silence', () => {
  const seen = new Set<string>()
  const note = (outcome: TotalOutcome) => {
    for (const { state, vetoed } of outcome.classes) {
      seen.add(state)
      if (vetoed.length > 0) seen.add('vetoed')
    }
    for (const { state } of outcome.kinds) if (state === 'unseen') seen.add('unseen')
    if (outcome.chosen === null) seen.add('silent')
  }
  for (const { pilot, neighbours, beta, floor, policies } of REFERENCE.cases) {
    const promise = resolvePromise('test', { beta, floor: floor === 0 ? 'none' : floor })
    note(countTotal(designTotal(rowsOf(pilot), rowsOf(neighbours).rows, promise), promise, rowsOf(neighbours)))
    if (policies.some((cuts) => cuts.includes(null))) seen.add('infinite')
    if (new Set(neighbours.scores).size < neighbours.scores.length / 5) seen.add('tied')
  }
  expect([...seen].sort()).toEqual(['acts', 'infinite', 'refused', 'silent', 'spoiled', 'tied', 'unseen', 'vetoed'])
})

describe('every candidate for the score', () => {
  const { columns, pilot, fresh, features, groups, right, candidates } = REFERENCE.scores
  const layout = {
    agents: [
      ['x', 'y', 'z'],
      ['x', 'y', 'z'],
    ],
    groups: ['a', 'b', 'c'],
  }
  const part = (from: number, count: number) => ({
    rows: count,
    rounds: features.map((values) => Float64Array.from(values.slice(from * columns, (from + count) * columns))),
    groups: Int32Array.from(groups.slice(from, from + count)),
  })
  const folds = Uint8Array.from({ length: pilot }, (_, row) => Math.floor((row * 5) / pilot))
  const fitted = fitScore({ features: part(0, pilot), layout, right: digits(right), questions: null, folds }, 0)

  test.each(CANDIDATES)('%s has the same loss out of fold', (name) => {
    near(fitted.losses.get(name)!, candidates[name]!.loss, 1e-6)
  })

  test('the winner is the one with the least loss, and scores new rows alike', () => {
    const best = Object.entries(candidates).reduce((one, other) => (other[1].loss < one[1].loss ? other : one))[0]
    const single = fitted.score.parts.length === 1
    if (single) expect(fitted.score.name).toBe(best)
    const scores = scoreRows(fitted.score, part(pilot, fresh))
    const logit = (p: number) => Math.log(p / (1 - p))
    for (const [at, score] of scores.entries()) {
      const mixed = fitted.score.parts.reduce(
        (sum, { candidate, weight }) => sum + weight * logit(candidates[candidate]!.fresh[at]!),
        0,
      )
      expect(Math.abs(score - 1 / (1 + Math.exp(-mixed)))).toBeLessThan(1e-5)
    }
  })
})

function digits(text: string): Uint8Array {
  return Uint8Array.from(text, Number)
}

/** Questions in the order of their numbers. */
function inOrder(of: readonly number[]): QuestionRuns {
  const runs = questionRuns(Int32Array.from(of))
  return { ...runs, order: Uint32Array.from(runs.order.keys()) }
}

function rowsOf({ rounds, scores, kinds, excluded, right, questions }: RowsReference): StoppingRows {
  return {
    rows: scores.length / rounds,
    rounds,
    scores: Float64Array.from(scores),
    kinds: Uint16Array.from(kinds),
    excluded: digits(excluded),
    right: digits(right),
    questions: questions && inOrder(questions),
  }
}

interface RowsReference {
  readonly rounds: number
  readonly scores: readonly number[]
  readonly kinds: readonly number[]
  readonly excluded: string
  readonly right: string
  readonly questions: readonly number[] | null
}

interface Certified {
  readonly policy: number
  readonly acted: number
  readonly level: number
  readonly classes: readonly { kinds: number[]; n: number; right: number; lower: number }[]
}

interface Reference {
  readonly bets: { values: number[]; mean: number; p: number }[]
  readonly floors: {
    questions: number[]
    acts: string
    wrong: string
    floor: number
    p: number
    alone: number
    limit: number
  }[]
  readonly chances: { rows: number; rate: number; floor: number; level: number; chance: number }[]
  readonly scores: {
    columns: number
    pilot: number
    fresh: number
    features: number[][]
    groups: number[]
    right: string
    candidates: Record<string, { outOfFold: number[]; fresh: number[]; loss: number }>
  }
  readonly cases: {
    name: string
    beta: number
    floor: number
    pilot: RowsReference
    neighbours: RowsReference
    least: number
    blocked: number[]
    policies: (number | null)[][]
    classes: { kinds: number[]; vetoable: number[] }[]
    tests: number
    policyTests: { stopped: number; wrong: number; p: number }[]
    pac: Certified | null
    average: Certified | null
    selective: { found: { policy: number; acted: number; wrong: number } | null } | null
  }[]
}
