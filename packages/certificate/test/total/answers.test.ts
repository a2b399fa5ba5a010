import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRightAt } from '../../src/beliefs/truth.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { countTotal } from '../../src/total/count.ts'
import { binomialTail } from '../../src/total/exact-tests.ts'
import { promiseLevels, resolvePromise } from '../../src/total/promise.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const debates = simulatedDebates({ count: 1500, seed: 3, options: ['approve', 'decline'] })
const fresh = simulatedDebates({ count: 300, seed: 4, options: ['approve', 'decline'] })
const budget = (answers: Record<string, number>) => ({ beta: 0.2, delta: 0.05, epsilon: 0, total: { answers } })

describe('answers with a budget of their own', () => {
  const certificate = calibrate(debates, { profile: 'total', budget: budget({ approve: 0.05 }) })
  const outcome = certificate.outcomeOf(null)!

  test('are counted as the rows written out give it', () => {
    const read = readDebates(debates)
    const counted = certificate.split.neighbours.map((row) => read.debates[row]!)
    const [count] = outcome.answers
    const found = { rows: 0, stopped: 0, wrong: 0 }
    for (const debate of counted) {
      const answers = debate.rounds.map(({ prediction }) => debate.record.options[prediction]!)
      const looks = debate.rounds.map((_, at) => certificate.assess(debate, at + 1))
      // A debate stops where the assessment is final. The answer of a refusal counts too.
      const at = looks.findIndex((look) => look.kind === 'step' && look.isFinal)
      if (answers[at < 0 ? answers.length - 1 : at] !== 'approve') continue
      found.rows++
      if (at < 0) continue
      found.stopped++
      if (!isRightAt(debate, at + 1)) found.wrong++
    }
    expect(count).toMatchObject({ answer: 'approve', beta: 0.05, ...found })
    expect(count!.pValue).toBeCloseTo(binomialTail(found.wrong, found.rows, 0.05), 12)
  })

  test('decide alike by look, by replay and after loading', () => {
    const loaded = loadCertificate(JSON.parse(JSON.stringify(certificate)))
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(certificate))
    const { actedAt } = replay(certificate, fresh).at(budget({ approve: 0.05 }))
    for (const [row, debate] of fresh.entries()) {
      const decision = decide(certificate, debate)
      expect(decide(loaded, debate)).toEqual(decision)
      expect(actedAt[row]).toBe(decision.kind === 'act' ? decision.round : 0)
    }
  })

  test('an answer whose budget is not shown always goes to a person, and the others do not', () => {
    const strict = calibrate(debates, { profile: 'total', budget: budget({ approve: 0.0005 }) })
    expect(strict.outcomeOf(null)!.answers[0]).toMatchObject({ state: 'refused' })
    const acted = fresh.flatMap((debate) => {
      const decision = decide(strict, debate)
      return decision.kind === 'act' ? decision.answer : []
    })
    expect(new Set(acted)).toEqual(new Set(['decline']))
    expect(budgetSentences(strict).join(' ')).toContain(
      'That is not shown for "approve", which always goes to a person.',
    )
  })

  test('a class that only a refused answer lifts above the floor is refused', () => {
    // Four of five rows say approve and are right 95 % of the time, the others half of the time; approve may be wrong on 1 %.
    const rows = 1500
    const isApproved = (row: number) => row % 5 !== 0
    const each = <Value>(value: (row: number) => Value) => Array.from({ length: rows }, (_, row) => value(row))
    const neighbours = {
      rows,
      rounds: 1,
      questions: null,
      scores: new Float64Array(rows).fill(0.9),
      kinds: new Uint16Array(rows).fill(2),
      excluded: new Uint8Array(rows),
      right: Uint8Array.from(each((row) => Number(isApproved(row) ? row % 20 !== 1 : row % 2))),
      answers: { names: ['approve', 'decline'], of: Uint16Array.from(each((row) => Number(!isApproved(row)))) },
    }
    const design = {
      least: 0.8,
      blocked: [],
      policies: [[0.85]],
      ownCuts: [[[0.85]]],
      tests: 1,
      classes: [{ kinds: [2], vetoable: [] }],
    }
    const countWith = (beta: number) =>
      countTotal(design, resolvePromise('test', { beta: 0.2, floor: 0.8, answers: { approve: beta } }), neighbours)
    expect(countWith(0.01)).toMatchObject({
      acted: 0,
      answers: [{ state: 'refused' }],
      classes: [{ state: 'spoiled', rows: 300, right: 150 }],
    })
    expect(countWith(0.1)).toMatchObject({ acted: rows, answers: [{ state: 'acts' }], classes: [{ state: 'acts' }] })
  })

  test('are named in the claim with the share that they are of', () => {
    const claim = budgetSentences(certificate).join(' ')
    expect(claim).toContain('at most 20 % of new questions')
    expect(claim).toContain('at most 5 % of those with the answer "approve"')
    expect(claim).toContain('all promises together with 95 %')
  })

  test('a certificate without answers cannot be asked for them after loading', () => {
    const plain = loadCertificate(
      JSON.parse(
        JSON.stringify(calibrate(debates, { profile: 'total', budget: { beta: 0.2, delta: 0.05, epsilon: 0 } })),
      ),
    )
    if (plain.kind !== 'total') throw new Error('no total')
    expect(() => plain.withBudget(budget({ approve: 0.05 }))).toThrow(/calibrate again with these budgets/)
  })

  test.each([
    [{ approve: 0 }, 'pac', /answers\.approve must be a number in \(0, 1\)/],
    [{ approve: 1 }, 'pac', /answers\.approve must be a number in \(0, 1\)/],
    [{ approve: 0.1 }, 'average', /empty beside any promise but "pac"/],
    [{ approve: 0.1 }, 'selective', /empty beside any promise but "pac"/],
  ] as const)('%j beside %s is refused', (answers, kind, message) => {
    expect(() => resolvePromise('test', { beta: 0.1, kind, answers })).toThrow(message)
  })

  test('delta is shared and never exceeded', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.4, noNaN: true }), fc.boolean(), (delta, hasFloor) => {
        const promise = resolvePromise('test', {
          beta: 0.2,
          delta,
          ...(hasFloor ? {} : { floor: 'none' as const }),
          answers: { a: 0.1, b: 0.2 },
        })
        expect(promise.answers.map(({ answer }) => answer)).toEqual(['a', 'b'])
        const levels = promiseLevels(promise)
        expect(levels.total + levels.floor + levels.answers).toBeLessThanOrEqual(delta + 1e-9)
        expect(levels.confidence).toBeCloseTo(1 - levels.total - levels.floor - levels.answers, 9)
      }),
    )
  })
})
