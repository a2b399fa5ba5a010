import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Debate, Grade } from '../../src/beliefs/debate.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import type { TotalCertificate } from '../../src/certificate/total-certificate.ts'
import { decide } from '../../src/decision/decide.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, failureRate, inWords } from './failure-rate.ts'
import { chanceRight, debateOf, drawDebate, mirrored, type VoteTruth, WAYS } from './vote-world.ts'

/**
 * Graded debates: a grader judges the panel's answer after each round, and often cannot, most often if it is wrong. The
 * promise is about what is truly wrong.
 */
const SETS = sized({ short: 25, full: 600 })
const LABELS = 260
const BETA = 0.2
const BUDGET = { beta: BETA, delta: 0.25, epsilon: 0, total: { delta: 0.25, floor: 'none' } } as const

/** Wrong slightly more often than beta where all agree, where the grader cannot judge four of five cases. */
const TRUTH = mirrored((early, late) => (late === 3 ? (early === 3 ? 0.74 : 0.7) : 0.6))
const UNSURE = { right: 0.02, wrong: 0.8 }

/** How often a certificate acts wrongly more often than beta, where `prepared` is what it is made from. */
function overBudget(prepared: (debate: Debate) => Debate | null, seed: number, judged = graded) {
  const random = seededRandom(seed)
  let acted = 0
  const over = Array.from({ length: SETS }, () => {
    const debates = Array.from({ length: LABELS }, (_, row) =>
      judged(drawDebate(`q${row}`, TRUTH, null, random), random),
    )
    const certificate = calibrate(
      debates.flatMap((debate) => prepared(debate) ?? []),
      { profile: 'total', budget: BUDGET },
    )
    const { risk, act } = decided(certificate, TRUTH)
    acted += act / SETS
    return Number(risk > BETA + 1e-12)
  })
  return {
    ...failureRate(
      over,
      over.map(() => 1),
    ),
    acted,
    level: 0.15,
  }
}

function isMajorityRight({ gold }: Debate, turns: Debate['rounds'][number]): boolean {
  return (turns.filter(({ answer }) => answer === 'A').length >= 2 ? 'A' : 'B') === gold
}

/** A reviewer names the right option, or reports that the question cannot be judged or is bad. */
function reviewed(debate: Debate, random: Random): Debate {
  const isRight = isMajorityRight(debate, debate.rounds.at(-1)!)
  if (random() >= UNSURE[isRight ? 'right' : 'wrong']) return debate
  return { ...debate, gold: null, verdict: random() < 0.5 ? 'cannot-tell' : 'bad-question' }
}

function graded(debate: Debate, random: Random): Debate {
  const grades = debate.rounds.map((turns, at): Grade => {
    const right = isMajorityRight(debate, turns)
    return { round: at + 1, right: random() < UNSURE[right ? 'right' : 'wrong'] ? null : right, by: 'person:ann' }
  })
  return { ...debate, gold: null, grades }
}

/** Over every way that a debate can go. */
function decided(certificate: TotalCertificate, truth: VoteTruth): { risk: number; act: number } {
  let [risk, act] = [0, 0]
  for (const [at, way] of WAYS.entries()) {
    const decision = decide(certificate, debateOf(way, `way-${at}`, null, null))
    if (decision.kind !== 'act') continue
    act += way.probability
    risk += way.probability * (1 - chanceRight(way, decision.round, truth))
  }
  return { risk, act }
}

describe('graded correctness', () => {
  test('holds the promise about what is truly wrong, whatever nobody could judge', () => {
    const found = overBudget((debate) => debate, 5)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(found.level, found))
  })

  test.each([
    ['dropped', (debate: Debate) => (debate.grades!.some(({ right }) => right === null) ? null : debate)],
    [
      'taken for right',
      (debate: Debate) => ({
        ...debate,
        grades: debate.grades!.map((grade) => ({ ...grade, right: grade.right ?? true })),
      }),
    ],
  ])('the companion fails: debates that nobody could tell are %s', (_, prepared) => {
    const found = overBudget(prepared, 6)
    expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(found.level)
  })
})

describe('reviewed questions', () => {
  test('hold the promise about what is truly wrong, where reviewers often cannot judge', () => {
    const found = overBudget((debate) => debate, 7, reviewed)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(found.level, found))
  })

  test('the companion fails: questions that the reviewer could not judge are dropped', () => {
    const found = overBudget((debate) => (debate.gold === null ? null : debate), 8, reviewed)
    expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(found.level)
  })
})
