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
 * A model grades, and grades three of four wrong answers as right. A person also grades four of ten debates, sampled at
 * random. The promise is beta plus the upper limit of the judge's error, about what is truly wrong.
 */
const SETS = sized({ short: 20, full: 500 })
const LABELS = 300
const BETA = 0.15
const BUDGET = { beta: BETA, delta: 0.3, epsilon: 0, total: { delta: 0.3, floor: 'none' } } as const
const TRUTH = mirrored((early, late) => (late === 3 ? (early === 3 ? 0.7 : 0.65) : 0.6))
const CALLED_RIGHT = 0.75
const AUDITED = 0.4

function judged(debate: Debate, random: Random): Debate {
  const truths = debate.rounds.map((turns) => {
    const votesForA = turns.filter(({ answer }) => answer === 'A').length
    return (votesForA >= 2 ? 'A' : 'B') === debate.gold
  })
  const [isLenient, isAudited] = [random() < CALLED_RIGHT, random() < AUDITED]
  const gradeBy = (by: string, say: (right: boolean) => boolean): Grade[] =>
    truths.map((right, at) => ({ round: at + 1, right: say(right), by }))
  return {
    ...debate,
    gold: null,
    grades: gradeBy('model:judge', (right) => right || isLenient),
    audits: isAudited ? gradeBy('person:ann', (right) => right) : null,
  }
}

function trueRisk(certificate: TotalCertificate, truth: VoteTruth): number {
  return WAYS.reduce((sum, way, at) => {
    const decision = decide(certificate, debateOf(way, `way-${at}`, null, null))
    return decision.kind === 'act' ? sum + way.probability * (1 - chanceRight(way, decision.round, truth)) : sum
  }, 0)
}

/** How often the true risk is above what is claimed. */
function broken(claim: (certificate: TotalCertificate) => number, trustGrades: boolean) {
  const random = seededRandom(77)
  let acting = 0
  const failures = Array.from({ length: SETS }, () => {
    const debates = Array.from({ length: LABELS }, (_, row) =>
      judged(drawDebate(`q${row}`, TRUTH, null, random), random),
    )
    const certificate = calibrate(debates, { profile: 'total', budget: BUDGET, trustGrades })
    const risk = trueRisk(certificate, TRUTH)
    acting += Number(risk > 0)
    return Number(risk > claim(certificate) + 1e-12)
  })
  return {
    acting,
    found: failureRate(
      failures,
      failures.map(() => 1),
    ),
  }
}

describe('a judge with a known error', () => {
  test('keeps beta plus the upper limit of its error', () => {
    let level = 0
    const { found, acting } = broken((certificate) => {
      const { judge } = certificate.outcomeOf(null)!
      level = certificate.levels.total + certificate.levels.judge
      expect(judge!.audited).toBeGreaterThan(0)
      return BETA + judge!.upper
    }, false)
    expect(acting).toBeGreaterThan(SETS / 2)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(level, found))
  })

  test('the companion fails: its grades are taken for the truth', () => {
    const { found } = broken(() => BETA, true)
    expect(found.rate - 4 * found.sigma, inWords(found)).toBeGreaterThan(0.18)
  })

  test('a person who cannot judge an answer counts as one who rejects it', () => {
    const random = seededRandom(3)
    const debates = Array.from({ length: LABELS }, (_, row) =>
      judged(drawDebate(`q${row}`, TRUTH, null, random), random),
    )
    const unsure = debates.map((debate) => ({
      ...debate,
      audits: debate.audits?.map((grade) => ({ ...grade, right: null })) ?? null,
    }))
    const judgeOf = (rows: readonly Debate[]) =>
      calibrate(rows, { profile: 'total', budget: BUDGET }).outcomeOf(null)!.judge!
    expect(judgeOf(unsure).audited).toBe(judgeOf(debates).audited)
    expect(judgeOf(unsure).upper).toBeGreaterThan(judgeOf(debates).upper)
  })
})
