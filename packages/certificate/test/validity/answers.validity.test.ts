import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { countTotal } from '../../src/total/count.ts'
import { designTotal, ownCutsOf, type TotalDesign } from '../../src/total/design.ts'
import { promiseLevels, resolvePromise } from '../../src/total/promise.ts'
import { allowedStops, type StoppingRows, stopsOf } from '../../src/total/stopping-rows.ts'
import { allowed, failureRate, inWords } from './failure-rate.ts'
import { drawTypes, labelledRows, type StoppingWorld, stoppingWorld } from './stopping-world.ts'

/**
 * Budgets of answers: of the debates that end with an answer, at most its share is acted on and wrong. The world has
 * types of debates, some of which answer `approve`. The types and their ends are known, so the truth about every
 * certificate is a finite sum.
 */
const PILOTS = sized({ short: 8, full: 60 })
const SETS_PER_PILOT = sized({ short: 40, full: 60 })
const ROWS = 500
const ANSWERS = { approve: 0.06 }
const promise = resolvePromise('test', { beta: 0.2, delta: 0.25, floor: 'none', answers: ANSWERS })

/** Two rounds; the second may change the answer. Approvals are wrong just above their budget wherever they are acted on. */
const TYPES = [
  {
    weight: 4,
    answers: ['approve', 'approve'],
    rounds: [
      [0.95, 0.935],
      [0.95, 0.935],
    ],
  },
  {
    weight: 2,
    answers: ['decline', 'approve'],
    rounds: [
      [0.6, 0.6],
      [0.9, 0.935],
    ],
  },
  {
    weight: 3,
    answers: ['decline', 'decline'],
    rounds: [
      [0.92, 0.9],
      [0.93, 0.9],
    ],
  },
  {
    weight: 2,
    answers: ['approve', 'decline'],
    rounds: [
      [0.55, 0.5],
      [0.85, 0.8],
    ],
  },
] as const
const NAMES = ['approve', 'decline']

const world: StoppingWorld = stoppingWorld(
  TYPES.map(({ weight, rounds }) => ({
    weight,
    rounds: rounds.map(([score, right]) => ({ score, agreement: 'unanimous' as const, right })),
  })),
)

function drawn(random: Random, rows: number): StoppingRows {
  const types = drawTypes(world, rows, random)
  return withAnswers(labelledRows(world, types, random), types)
}

function withAnswers(rows: StoppingRows, types: ArrayLike<number>): StoppingRows {
  const of = Array.from(types, (type) => TYPES[type]!.answers.map((answer) => NAMES.indexOf(answer))).flat()
  return { ...rows, answers: { names: NAMES, of: Uint16Array.from(of) } }
}

/** Of the debates that end with `approve` under the policy: the share that it acts on and is wrong about. */
function wrongApprovals(design: TotalDesign, place: number): number {
  const all = withAnswers(
    world.rows,
    TYPES.map((_, type) => type),
  )
  const own = ownCutsOf(all, ['approve'], design.ownCuts[place])
  const stops = stopsOf(all, allowedStops(all, design), design.policies[place]!, own)
  let [such, wrong] = [0, 0]
  for (const [type, round] of stops.entries()) {
    const ends = TYPES[type]!.answers[round < 0 ? 1 : round]
    if (ends !== 'approve') continue
    such += world.weights[type]!
    if (round >= 0) wrong += world.weights[type]! * (1 - world.chances[type * 2 + round]!)
  }
  return such === 0 ? 0 : wrong / such
}

/** How often approvals are acted on over their budget, where `passes` says whether they are acted on. */
function overBudget(passes: (count: { wrong: number; rows: number; state: string }) => boolean) {
  const random = seededRandom(41)
  const failures: number[] = []
  for (let pilot = 0; pilot < PILOTS; pilot++) {
    const design = designTotal(drawn(random, 150), ROWS, promise)
    for (let set = 0; set < SETS_PER_PILOT; set++) {
      const outcome = countTotal(design, promise, drawn(random, ROWS))
      const [count] = outcome.answers
      const acts = outcome.chosen !== null && passes(count!)
      failures.push(Number(acts && wrongApprovals(design, outcome.chosen!) > ANSWERS.approve + 1e-12))
    }
  }
  return failureRate(
    failures,
    failures.map(() => 1),
  )
}

describe('budgets of answers', () => {
  test('hold: an answer that would break its budget acts with probability at most its level', () => {
    const found = overBudget(({ state }) => state === 'acts')
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(promiseLevels(promise).answers, found))
  })

  test('the companion fails: a rate that was seen within the budget is taken for the rate', () => {
    const found = overBudget(({ wrong, rows }) => wrong <= ANSWERS.approve * rows)
    expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(promiseLevels(promise).answers)
  })

  test('the companion fails: the budget is tested on all debates instead of those with the answer', () => {
    const found = overBudget(({ wrong }) => wrong <= 0.75 * ANSWERS.approve * ROWS)
    expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(promiseLevels(promise).answers)
  })
})
