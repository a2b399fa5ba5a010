import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Debate } from '../../src/beliefs/debate.ts'
import { isRightAt } from '../../src/beliefs/truth.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { replay } from '../../src/decision/replay.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, failureRate, inWords } from './failure-rate.ts'

/**
 * Open answers under several rules for when two answers are the same. What agents say does not depend on the rule, but
 * classes, the panel's answer and the grades do. Calibrated end to end, a bad rule costs automation and never the
 * promise.
 *
 * Debates are drawn, with replacement, from a population that is written out, so the truth about a certificate is a
 * count.
 */
const SETS = sized({ short: 20, full: 400 })
const POPULATION = 800
const LABELS = 300
const BETA = 0.15
const BUDGET = { beta: BETA, delta: 0.25, epsilon: 0, total: { delta: 0.25, floor: 'none' } } as const
const LEVEL = 0.15

/** An answer is a value in one of several spellings; value 0 is right. */
interface SaidAnswer {
  readonly value: number
  readonly spelling: number
}

type Same = (one: SaidAnswer, other: SaidAnswer) => boolean

const RULES: Readonly<Record<string, Same>> = {
  'the true rule': (one, other) => one.value === other.value,
  'exact texts, which split right answers': (one, other) =>
    one.value === other.value && one.spelling === other.spelling,
  'a rule that merges the right answer with two wrong ones': (one, other) => one.value <= 2 === other.value <= 2,
  'a rule that takes all answers for the same': () => true,
}

function draw(random: Random): readonly (readonly SaidAnswer[])[] {
  const isEasy = random() < 0.6
  const say = (): SaidAnswer => {
    const value = random() < (isEasy ? 0.95 : 0.35) ? 0 : 1 + Math.floor(random() * 3)
    return { value, spelling: Math.floor(random() * 3) }
  }
  const first = [say(), say(), say()]
  // In round 2 some agents adopt the answer of the first.
  return [first, first.map((own) => (random() < 0.4 ? first[0]! : own))]
}

function debateOf(rounds: readonly (readonly SaidAnswer[])[], isSame: Same, id: string): Debate {
  const classes: SaidAnswer[] = []
  const placed = rounds.map((turns) =>
    turns.map((given, agent) => {
      const found = classes.findIndex((representative) => isSame(representative, given))
      const place = found >= 0 ? found : classes.push(given) - 1
      return { agent: 'xyz'[agent]!, answer: String(place + 1) }
    }),
  )
  const correct = classes.flatMap(({ value }, at) => (value === 0 ? String(at + 1) : []))
  return { id, options: ['1', '2', '3', '4', '5', '6', 'other'], correct, rounds: placed }
}

function underRule(isSame: Same) {
  const random = seededRandom(13)
  const people = Array.from({ length: POPULATION }, () => draw(random))
  const population = readDebates(people.map((rounds, at) => debateOf(rounds, isSame, `p${at}`)))
  const acts: number[] = []
  const over = Array.from({ length: SETS }, () => {
    const drawn = Array.from({ length: LABELS }, (_, row) =>
      debateOf(people[Math.floor(random() * POPULATION)]!, isSame, `q${row}`),
    )
    const certificate = calibrate(drawn, { profile: 'total', budget: BUDGET })
    const { actedAt } = replay(certificate, population).at(BUDGET)
    const acted = population.debates.filter((_, row) => actedAt[row]! > 0).length
    const wrong = population.debates.filter(
      (debate, row) => actedAt[row]! > 0 && !isRightAt(debate, actedAt[row]!),
    ).length
    acts.push(acted / POPULATION)
    return Number(wrong / POPULATION > BETA)
  })
  const act = acts.reduce((sum, share) => sum + share, 0) / SETS
  return {
    act,
    over: failureRate(
      over,
      over.map(() => 1),
    ),
  }
}

test('a bad rule lowers automation and never breaks the promise', () => {
  const found = Object.entries(RULES).map(([name, isSame]) => ({ name, ...underRule(isSame) }))
  for (const { name, over } of found)
    expect(over.rate, `${name}: ${inWords(over)}`).toBeLessThanOrEqual(allowed(LEVEL, over))
  const [best, ...bad] = found.map(({ act }) => act)
  for (const act of bad) expect(act).toBeLessThan(best!)
  expect(best).toBeGreaterThan(0.5)
})

test('the companion fails: labels of the true rule with the classes of a bad one', () => {
  // Right if any member of the class was right, as for a grader who looks for a right member instead of the returned
  // answer.
  const random = seededRandom(14)
  const bad = RULES['a rule that takes all answers for the same']!
  const over = Array.from({ length: SETS }, () => {
    const debates = Array.from({ length: LABELS }, (_, row) => {
      const rounds = draw(random)
      const debate = debateOf(rounds, bad, `q${row}`)
      return {
        truly: debate.correct!.length > 0,
        debate: { ...debate, correct: rounds.flat().some(({ value }) => value === 0) ? ['1'] : [] },
      }
    })
    const certificate = calibrate(
      debates.map(({ debate }) => debate),
      { profile: 'total', budget: BUDGET },
    )
    const fresh = Array.from({ length: 600 }, (_, row) => debateOf(draw(random), bad, `f${row}`))
    const { actedAt } = replay(certificate, fresh).at(BUDGET)
    const read = readDebates(fresh)
    return Number(
      read.debates.filter((debate, row) => actedAt[row]! > 0 && !isRightAt(debate, actedAt[row]!)).length / 600 > BETA,
    )
  })
  const found = failureRate(
    over,
    over.map(() => 1),
  )
  expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(LEVEL)
})
