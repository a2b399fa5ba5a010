import { describe, expect, test } from 'vitest'
import type { Debate, Grade } from '../../src/beliefs/debate.ts'
import { isGradedRight, isRightAt } from '../../src/beliefs/truth.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { clopperPearsonUpper } from '../../src/concentration/clopper-pearson.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'
import { missedByJudge, promisedWrongRate } from '../../src/decision/promised-rate.ts'
import { silenceSentences } from '../../src/decision/total-sentences.ts'
import { riskMonitor } from '../../src/monitoring/risk-monitor.ts'
import { seededRandom } from '../../src/random.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const BUDGET = { beta: 0.2, delta: 0.05, epsilon: 0 }
const plain = simulatedDebates({ count: 800, seed: 9 })
const debates = readDebates(plain).debates

/** A judge that grades every seventh answer as right, whatever it is. A person checks every fourth debate. */
const judged: readonly Debate[] = plain.map((debate, row) => {
  const truths = debates[row]!.rounds.map((_, at) => isRightAt(debates[row]!, at + 1))
  const gradeBy = (by: string, say: (right: boolean) => boolean): Grade[] =>
    truths.map((right, at) => ({ round: at + 1, right: say(right), by }))
  return {
    ...debate,
    gold: null,
    grades: gradeBy('model:judge', (right) => right || row % 7 === 0),
    audits: row % 4 === 0 ? gradeBy('person:ann', (right) => right) : null,
  }
})

describe('grades of a model', () => {
  const certificate = calibrate(judged, { profile: 'total', budget: BUDGET })
  const { judge } = certificate.outcomeOf(null)!

  test('are checked on the counted debates that a person graded too', () => {
    const read = readDebates(judged).debates
    const counted = certificate.split.neighbours.map((row) => read[row]!)
    const audited = counted.filter(({ record }) => record.audits !== null)
    const stopsWrong = audited.filter((debate) => {
      const scores = certificate.scoresOf(debate, debate.rounds.length)!
      return certificate.design.policies.some((cuts) => {
        const at = debate.rounds.findIndex((round, place) => {
          const assessed = certificate.assess(debate, place + 1)
          const isOpen =
            assessed.kind === 'step' &&
            !['tie', 'no-vote', 'no-news', 'kind-blocked'].includes(
              assessed.step.lower === null ? assessed.step.reason : '',
            )
          return isOpen && round !== undefined && scores[place]! >= Math.max(certificate.design.least, cuts[place]!)
        })
        return (
          at >= 0 &&
          isRightAt(debate, at + 1) &&
          !isGradedRight(debate.record.audits![at], debate.rounds[at]!.prediction)
        )
      })
    })
    expect(judge!.audited).toBe(audited.length)
    expect(judge!.misjudged).toBe(stopsWrong.length)
    expect(judge!.upper).toBeCloseTo(
      clopperPearsonUpper(judge!.misjudged, judge!.audited, certificate.levels.judge),
      12,
    )
  })

  test('promise beta and the limit of their error, and without a model beta alone', () => {
    expect(promisedWrongRate(certificate)).toBe(BUDGET.beta + judge!.upper)
    expect(promisedWrongRate(loadCertificate(certificate.toJSON()))).toBe(BUDGET.beta + judge!.upper)
    expect(promisedWrongRate(calibrate(plain, { profile: 'total', budget: BUDGET }))).toBe(BUDGET.beta)
    expect(promisedWrongRate(calibrate(plain, { profile: 'cells', budget: BUDGET }))).toBe(BUDGET.beta)
  })

  test('of several groups are monitored by the most that they miss where the certificate acts', () => {
    const groups = ['mail', 'phone', 'shop']
    const ofGroup = (row: number) => groups[row % groups.length]!
    // No person graded a debate of the shop again, so nothing is promised there.
    const grouped = judged.map((debate, row) => {
      const audits = ofGroup(row) === 'shop' ? null : (debate.audits ?? null)
      return { ...debate, group: ofGroup(row), audits }
    })
    const options = { profile: 'total', budget: BUDGET, groupConditional: true } as const
    const byGroup = calibrate(grouped, options)
    const limits = groups.map((group) => byGroup.outcomeOf(group)!)
    expect(limits.map(({ chosen }) => chosen !== null)).toEqual([true, true, false])
    expect(limits.map(({ judge: own }) => own!.upper === 1)).toEqual([false, false, true])
    expect(silenceSentences(byGroup, 'shop')).toEqual([expect.stringMatching(/acts on nothing: a model graded, and/u)])
    const most = Math.max(limits[0]!.judge!.upper, limits[1]!.judge!.upper)
    expect(missedByJudge(byGroup)).toBe(most)
    expect(promisedWrongRate(byGroup)).toBe(BUDGET.beta + most)
  })

  test('are monitored by what they promise; the companion that tests beta contradicts a promise that is kept', () => {
    const alarms = (beta: number): number => {
      const random = seededRandom(3)
      const monitor = riskMonitor({ beta, eta: 0.05 })
      const streams = Array.from({ length: 200 }, () => {
        let state = monitor.start
        for (let question = 0; question < 1500; question++) {
          const isWrong = random() < promisedWrongRate(certificate)
          state = monitor.observe(state, isWrong ? 'wrong' : 'not-wrong', 1)
        }
        return Number(state.alarm !== null)
      })
      return streams.reduce((sum, alarm) => sum + alarm, 0) / streams.length
    }
    // Four standard errors of 200 streams above eta.
    expect(alarms(promisedWrongRate(certificate))).toBeLessThanOrEqual(0.05 + 0.062)
    expect(alarms(BUDGET.beta)).toBeGreaterThan(0.9)
  })

  test('are printed with their error and the sum of both', () => {
    const claim = budgetSentences(certificate).join(' ')
    expect(claim).toContain('does not have its answer graded right')
    expect(claim).toContain(`of ${judge!.audited} counted debates that a person graded too, ${judge!.misjudged} would`)
    expect(claim).toContain('It assumes that these debates were drawn at random')
  })

  test('are printed with the confidence in beta and in the error together for their sum', () => {
    // Of delta .05, .4 is for beta and .3 for the judge.
    expect(budgetSentences(certificate).join(' ')).toMatch(
      /With 98 % confidence over .* With 98.5 % confidence that is so in at most [\d.]+ % of all questions, and with 96.5 % confidence in both/,
    )
  })

  test('are not taken for the truth by the average either', () => {
    const average = calibrate(judged, { profile: 'total', budget: { ...BUDGET, total: { kind: 'average' } } })
    const claim = budgetSentences(average).join(' ')
    expect(claim).toContain('quorate acts on at most 20 % of new questions')
    expect(claim).toContain('does not have its answer graded right')
    expect(claim).toMatch(/of all questions, which comes on top of that/)
    expect(claim).not.toContain('is wrong about')
  })

  test('are saved and loaded with the grades of the person', () => {
    const loaded = loadCertificate(JSON.parse(JSON.stringify(certificate)))
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(certificate))
  })

  test.each([
    [
      'without a person',
      judged.map((debate) => ({ ...debate, audits: null })),
      'total',
      /beside `audits` for debates drawn at random/,
    ],
    ['for another profile', judged, 'cells', /graded by a person for profiles other than total/],
    [
      'of several runs',
      judged.map((debate, row) => ({ ...debate, question_of: `q${row >> 1}` })),
      'total',
      /where questions have several runs/,
    ],
  ] as const)('%s are refused', (_, debates, profile, message) => {
    expect(() => calibrate(debates, { profile, budget: BUDGET })).toThrow(message)
  })

  test('beside the selective target or budgets of answers are refused', () => {
    for (const total of [{ kind: 'selective' }, { answers: { A: 0.1 } }] as const) {
      expect(() => calibrate(judged, { profile: 'total', budget: { ...BUDGET, total } })).toThrow(
        /budget\.total\.isJudged must be false/,
      )
    }
  })
})
