import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { countTotal, type TotalOutcome } from '../../src/total/count.ts'
import { designTotal, type TotalDesign } from '../../src/total/design.ts'
import { type PromiseKind, promiseLevels, resolvePromise, type TotalPromise } from '../../src/total/promise.ts'
import type { StoppingRows } from '../../src/total/stopping-rows.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import {
  actedByKind,
  drawRows,
  gradedWorld,
  questionRows,
  type StoppingWorld,
  stoppingWorld,
  sumActed,
} from './stopping-world.ts'

/**
 * The promises of `total` in worlds whose truth is a finite sum. A set fails the total if *any* policy that passed acts
 * on and is wrong about more than beta, which is stricter than the promise about the chosen one. It fails the floor if
 * a certified class of the chosen policy is right less often than the floor on what this certificate acts on in it.
 */
const PILOTS = sized({ short: 12, full: 100 })
/** Where runs of a question are not independent rows. Fewer would not show the difference. */
const PILOTS_OF_RUNS = sized({ short: 48, full: 100 })
const SETS_PER_PILOT = 20

const WORLDS: Readonly<Record<string, StoppingWorld>> = {
  /** The score is right. */
  easy: gradedWorld(24, (score) => score),
  /** Votes of three: most debates share four scores, so that scores are tied and cuts are infinite or reach everything. */
  lumpy: stoppingWorld([
    { weight: 5, rounds: [round(0.93, 'unanimous', 0.92), excluded(0.93, 'unanimous', 0.92)] },
    { weight: 2, rounds: [round(0.72, 'two-thirds', 0.7), round(0.9, 'unanimous', 0.84)] },
    { weight: 2, rounds: [round(0.72, 'two-thirds', 0.7), excluded(0.72, 'two-thirds', 0.7)] },
    { weight: 1, rounds: [excluded(0.99, 'under-two-thirds', 0.4), round(0.81, 'two-thirds', 0.74)] },
  ]),
  /** The score is far too high. */
  hard: gradedWorld(24, (score) => score - 0.12),
  /** Late agreement is weak: round 2 has scores that it does not deserve. */
  survivors: gradedWorld(24, (score, at) => score - (at === 2 ? 0.25 : 0)),
  /** Ties and rounds without a vote have a score near 1 and are wrong. */
  'ties and no votes': stoppingWorld([
    { weight: 3, rounds: [excluded(0.999, 'under-two-thirds', 0.05), round(0.88, 'unanimous', 0.86)] },
    { weight: 5, rounds: [round(0.9, 'unanimous', 0.9), round(0.91, 'unanimous', 0.91)] },
    { weight: 2, rounds: [excluded(0.999, 'some-abstain', 0.05), excluded(0.999, 'some-abstain', 0.05)] },
  ]),
}

type Scenario = readonly [kind: PromiseKind, world: string, rows: number, beta: number, floor: number | 'none']

const scenarios: readonly Scenario[] = [
  ['pac', 'easy', 300, 0.15, 0.8],
  ['pac', 'easy', 45, 0.2, 0.7],
  ['pac', 'lumpy', 300, 0.12, 0.86],
  ['pac', 'lumpy', 120, 0.2, 'none'],
  ['pac', 'hard', 300, 0.15, 0.8],
  ['pac', 'hard', 800, 0.1, 'none'],
  ['pac', 'survivors', 300, 0.2, 0.8],
  ['pac', 'ties and no votes', 300, 0.12, 0.88],
  ['average', 'easy', 45, 0.15, 0.8],
  ['average', 'lumpy', 120, 0.12, 0.8],
  ['average', 'hard', 300, 0.1, 'none'],
  ['selective', 'lumpy', 300, 0.1, 'none'],
  ['selective', 'hard', 300, 0.15, 'none'],
]

test.each(scenarios)('%s holds in the world "%s", %s rows, beta %s, floor %s', (kind, world, rows, beta, floor) => {
  const promise = resolvePromise('test', { beta, kind, delta: 0.1, floor })
  const found = simulate(WORLDS[world]!, rows, promise)
  const levels = promiseLevels(promise)
  if (kind === 'average') {
    expect(found.meanRisk.rate, inWords(found.meanRisk)).toBeLessThanOrEqual(allowed(beta, found.meanRisk))
  } else expect(found.total.rate, inWords(found.total)).toBeLessThanOrEqual(allowed(levels.total, found.total))
  expect(found.floor.rate, inWords(found.floor)).toBeLessThanOrEqual(allowed(levels.floor, found.floor))
})

test('the worlds above are no empty claims: certificates act, and most budgets are nearly used somewhere', () => {
  const promise = resolvePromise('test', { beta: 0.15, delta: 0.1, floor: 0.8 })
  expect(simulate(WORLDS['easy']!, 300, promise).acting).toBeGreaterThan(0.8)
  const average = simulate(
    WORLDS['lumpy']!,
    300,
    resolvePromise('test', { beta: 0.12, kind: 'average', floor: 'none' }),
  )
  expect(average.meanRisk.rate).toBeGreaterThan(0.05)
})

describe('classes exactly below the floor', () => {
  /** Seven kinds, each right just too seldom; the total has room. */
  const stress = stoppingWorld(
    (['unanimous', 'some-abstain', 'two-thirds', 'under-two-thirds'] as const).flatMap((agreement, at) => [
      { weight: 3, rounds: [round(0.9 - 0.02 * at, agreement, 0.7995), round(0.9, 'unanimous', 0.7995)] },
      { weight: 3, rounds: [round(0.6, agreement, 0.5), { ...round(0.91, agreement, 0.7995), hasChanged: true }] },
    ]),
  )
  const promise = resolvePromise('test', { beta: 0.3, delta: 0.25, floor: 0.8 })

  test.each([120, 500])('are certified with probability delta_F at most, %s rows', (rows) => {
    const { floor, total } = simulate(stress, rows, promise)
    expect(floor.rate, inWords(floor)).toBeLessThanOrEqual(allowed(promiseLevels(promise).floor, floor))
    expect(total.rate, inWords(total)).toBeLessThanOrEqual(allowed(promiseLevels(promise).total, total))
  })

  test('companion that must fail: a class passes when its own rate reaches the floor', () => {
    const { floor } = simulate(stress, 500, promise, { judge: plugInFloor(0.8) })
    expect(floor.rate, inWords(floor)).toBeGreaterThan(allowed(promiseLevels(promise).floor, floor))
  })
})

describe('a risk just above beta', () => {
  /** One lump that is acted on or not: wrong on 10.2 % of all questions. */
  const lump = stoppingWorld([
    { weight: 6, rounds: [round(0.9, 'unanimous', 0.83)] },
    { weight: 4, rounds: [excluded(0.9, 'two-thirds', 0.5)] },
  ])
  const promise = resolvePromise('test', { beta: 0.1, delta: 0.1, floor: 'none' })
  const { total: level } = promiseLevels(promise)

  test.each([60, 500])('passes with probability delta_T at most, %s rows', (rows) => {
    const { total } = simulate(lump, rows, promise)
    expect(total.rate, inWords(total)).toBeLessThanOrEqual(allowed(level, total))
  })

  test('companion that must fail: a policy passes when its own rate is at most beta', () => {
    const { total } = simulate(lump, 300, promise, { judge: plugInTotal(0.1) })
    expect(total.rate, inWords(total)).toBeGreaterThan(allowed(level, total))
  })
})

describe('several runs of a question', () => {
  const promise = resolvePromise('test', { beta: 0.2, delta: 0.1, floor: 0.8 })
  const runsOf = (questions: number) => Array.from({ length: questions }, (_, question) => 1 + ((question * 7) % 9))

  test.each(['lumpy', 'hard'] as const)('both promises hold in the world "%s"', (world) => {
    const draw = (random: Random) => questionRows(WORLDS[world]!, runsOf(80), random)
    const found = simulate(WORLDS[world]!, 400, promise, { draw, pilots: PILOTS_OF_RUNS })
    expect(found.total.rate, inWords(found.total)).toBeLessThanOrEqual(
      allowed(promiseLevels(promise).total, found.total),
    )
    expect(found.floor.rate, inWords(found.floor)).toBeLessThanOrEqual(
      allowed(promiseLevels(promise).floor, found.floor),
    )
  })

  test('the average holds in the world "lumpy"', () => {
    const average = resolvePromise('test', { beta: 0.15, kind: 'average', floor: 'none' })
    const draw = (random: Random) => questionRows(WORLDS['lumpy']!, runsOf(60), random)
    const { meanRisk } = simulate(WORLDS['lumpy']!, 300, average, { draw })
    expect(meanRisk.rate, inWords(meanRisk)).toBeLessThanOrEqual(allowed(0.15, meanRisk))
  })

  test('companion that must fail: runs counted as independent rows', () => {
    const hard = WORLDS['hard']!
    const draw = (random: Random) => ({ ...questionRows(hard, runsOf(80), random), questions: null })
    const strict = resolvePromise('test', { beta: 0.12, delta: 0.1, floor: 'none' })
    const { total } = simulate(hard, 400, strict, { draw, pilots: PILOTS_OF_RUNS })
    expect(total.rate, inWords(total)).toBeGreaterThan(allowed(promiseLevels(strict).total, total))
  })
})

function round(
  score: number,
  agreement: 'unanimous' | 'some-abstain' | 'two-thirds' | 'under-two-thirds',
  right: number,
) {
  return { score, agreement, right }
}

function excluded(score: number, agreement: Parameters<typeof round>[1], right: number) {
  return { ...round(score, agreement, right), excluded: true }
}

type Judge = (design: TotalDesign, promise: TotalPromise, rows: StoppingRows) => TotalOutcome

/** MUTANT: no test, the rate itself. */
function plugInTotal(beta: number): Judge {
  return (design, promise, rows) => {
    const outcome = countTotal(design, { ...promise, kind: 'average', beta: 0.999 }, rows)
    const policies = outcome.policies.map((policy) => ({ ...policy, passes: policy.wrong <= beta * rows.rows }))
    return { ...outcome, policies, chosen: policies.findLastIndex(({ passes }) => passes) }
  }
}

/** MUTANT: no test, the rate itself. */
function plugInFloor(floor: number): Judge {
  return (design, promise, rows) => {
    const outcome = countTotal(design, promise, rows)
    const classes = outcome.classes.map((each) => {
      return {
        ...each,
        state: each.rows > 0 && each.right >= floor * each.rows ? ('acts' as const) : ('refused' as const),
      }
    })
    return { ...outcome, classes }
  }
}

interface Simulation {
  readonly draw?: (random: Random) => StoppingRows
  readonly judge?: Judge
  readonly pilots?: number
}

interface Simulated {
  /** Sets in which a policy that passed breaks the budget. */
  readonly total: FailureRate
  /** Sets in which a certified class is below the floor. */
  readonly floor: FailureRate
  /** True risk of what is acted on. */
  readonly meanRisk: FailureRate
  /** Share of sets whose certificate acts. */
  readonly acting: number
}

/** Given a pilot, every promise holds over the draw of the neighbours, so one pilot serves several sets. */
function simulate(
  world: StoppingWorld,
  rows: number,
  promise: TotalPromise,
  { draw, judge = countTotal, pilots = PILOTS }: Simulation = {},
): Simulated {
  const random = seededRandom(17)
  const broken: number[] = []
  const below: number[] = []
  const risks: number[] = []
  let acting = 0
  for (let pilotNumber = 0; pilotNumber < pilots; pilotNumber++) {
    const pilot = drawRows(world, Math.max(30, Math.round(rows / 4)), random)
    const design = designTotal(pilot, rows, promise)
    const truths = design.policies.map((cuts) => actedByKind(world, design, cuts))
    for (let set = 0; set < SETS_PER_PILOT; set++) {
      const outcome = judge(design, promise, draw?.(random) ?? drawRows(world, rows, random))
      const isBroken = outcome.policies.some(
        ({ hasPassed }, place) => hasPassed && isOver(sumActed(truths[place]!), promise),
      )
      broken.push(Number(isBroken))
      const truth = outcome.chosen === null || outcome.chosen < 0 ? new Map() : truths[outcome.chosen]!
      const certified = outcome.chosen === null ? [] : outcome.classes.filter(({ state }) => state === 'acts')
      const isBelow = certified.some(({ kinds }) => {
        const { acts, wrong } = sumActed(truth, kinds)
        return promise.floor !== null && wrong > (1 - promise.floor) * acts + 1e-12
      })
      below.push(Number(isBelow))
      const acted =
        promise.floor === null
          ? sumActed(truth)
          : sumActed(
              truth,
              certified.flatMap(({ kinds }) => kinds),
            )
      risks.push(acted.wrong)
      if (acted.acts > 0) acting++
    }
  }
  const each = broken.map(() => 1)
  return {
    total: failureRate(broken, each),
    floor: failureRate(below, each),
    meanRisk: failureRate(risks, each),
    acting: acting / each.length,
  }
}

function isOver({ acts, wrong }: { acts: number; wrong: number }, { kind, beta }: TotalPromise): boolean {
  return wrong > (kind === 'selective' ? beta * acts : beta) + 1e-12
}
