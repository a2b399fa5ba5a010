import { describe, expect, test } from 'vitest'
import type { Debate, Grade } from '../../src/beliefs/debate.ts'
import { isGradedRight, isRightAt } from '../../src/beliefs/truth.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/load-certificate.ts'
import { readPanels } from '../../src/certificate/panel.ts'
import { clopperPearsonUpper } from '../../src/concentration/clopper-pearson.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const BUDGET = { beta: 0.2, delta: 0.05, epsilon: 0 }
const plain = simulatedDebates({ count: 800, seed: 9 })
const panels = readPanels(plain).panels

/** A judge that calls every seventh answer right whatever it is; a person checks every fourth debate. */
const judged: readonly Debate[] = plain.map((debate, row) => {
  const truths = panels[row]!.rounds.map((_, at) => isRightAt(panels[row]!, at + 1))
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
    const read = readPanels(judged).panels
    const counted = certificate.split.neighbours.map((row) => read[row]!)
    const audited = counted.filter(({ record }) => record.audits !== null)
    const stopsWrong = audited.filter((panel) => {
      const scores = certificate.scoresOf(panel, panel.rounds.length)!
      return certificate.design.policies.some((cuts) => {
        const at = panel.rounds.findIndex((round, place) => {
          const look = certificate.look(panel, place + 1)
          const isOpen =
            look.kind === 'step' &&
            !['tie', 'no-vote', 'no-news', 'kind-blocked'].includes(look.step.lower === null ? look.step.reason : '')
          return isOpen && round !== undefined && scores[place]! >= Math.max(certificate.design.least, cuts[place]!)
        })
        return (
          at >= 0 && isRightAt(panel, at + 1) && !isGradedRight(panel.record.audits![at], panel.rounds[at]!.prediction)
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

  test('are saved and loaded with what the person said', () => {
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
        /budget\.total\.judged must be false/,
      )
    }
  })
})
