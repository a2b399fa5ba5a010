import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import type { TotalBudget } from '../../src/budget.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { checksumOf } from '../../src/certificate/file/certificate-file.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import type { TotalCertificate } from '../../src/certificate/total-certificate.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { silenceSentences, totalSentences } from '../../src/decision/total-sentences.ts'
import { exclusionOf, kindOf } from '../../src/kinds/kind.ts'
import { promiseLevels, resolvePromise } from '../../src/total/promise.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const groups = ['law', 'physics', null]
const debates = simulatedDebates({ count: 700, seed: 31, groups })
const fresh = simulatedDebates({ count: 150, seed: 32, groups })
const split = { pilotFraction: 0.4, seed: 7 }

function certificateOf(
  beta: number,
  total: TotalBudget = {},
  others: Partial<CalibrateOptions> = {},
  input: readonly Debate[] = debates,
): TotalCertificate {
  return calibrate(input, { split, ...others, profile: 'total', budget: { beta, delta: 0.05, epsilon: 0, total } })
}

const withRuns = debates.map((debate, row) => ({ ...debate, question_of: `question ${row % 400}` }))
const CASES = {
  pac: certificateOf(0.25),
  'with a floor that refuses': certificateOf(0.3, { floor: 0.97 }),
  average: certificateOf(0.25, { kind: 'average', floor: 0.8 }),
  selective: certificateOf(0.2, { kind: 'selective' }),
  'without a floor': certificateOf(0.25, { floor: 'none' }),
  'by group': certificateOf(0.35, {}, { groupConditional: true }),
  'deferred groups': certificateOf(0.25, {}, { deferredGroups: ['law'] }),
  'several runs': certificateOf(0.3, {}, {}, withRuns),
}

describe.each(Object.entries(CASES))('a certificate %s', (_, certificate) => {
  const budget = certificate.toJSON().budget

  test('decides a prefix as the whole debate, as replay and as stopAt', () => {
    const { actedAt } = replay(certificate, fresh).at(budget)
    const { debates } = readDebates(fresh)
    for (const [row, debate] of fresh.entries()) {
      const read = debates[row]!
      const stop = certificate.stopAt(
        {
          scores: certificate.scoresOf(read, 3)!,
          kinds: read.rounds.map((summary, at) => kindOf(summary, at + 1)),
          excluded: read.rounds.map((summary) => Number(exclusionOf(summary) !== null)),
          answers: read.rounds.map(({ prediction }) => read.record.options[prediction]!),
        },
        debate.group ?? null,
      )
      expect(actedAt[row]).toBe(stop.kind === 'act' ? stop.round : 0)
      for (let seen = 1; seen <= 3; seen++) {
        const decision = decide(certificate, { ...debate, rounds: debate.rounds.slice(0, seen) })
        const isDone = stop.kind === 'open' ? seen === 3 : seen >= stop.round
        if (stop.kind === 'act' && seen >= stop.round)
          expect(decision).toMatchObject({ kind: 'act', round: stop.round })
        else if (decision.kind === 'continue') expect(isDone).toBe(false)
        else expect(decision.kind).toBe('defer')
      }
    }
  })

  test('never acts in an excluded round', () => {
    const { actedAt } = replay(certificate, fresh).at(budget)
    for (const [row, { rounds }] of readDebates(fresh).debates.entries()) {
      if (actedAt[row]! > 0) expect(exclusionOf(rounds[actedAt[row]! - 1]!)).toBeNull()
    }
  })

  test('a refused stop never acts in a later round', () => {
    const debates = readDebates(fresh).debates
    for (const debate of debates) {
      for (let round = 1; round <= 3; round++) {
        const look = certificate.assess(debate, round)
        if (look.kind !== 'step' || look.step.lower !== null) continue
        if (look.step.reason !== 'class-refused' && look.step.reason !== 'kind-unseen') continue
        expect(look.isFinal).toBe(true)
        for (let later = round + 1; later <= 3; later++) {
          expect(certificate.assess(debate, later)).toMatchObject({ isFinal: true, step: { reason: 'stopped-before' } })
        }
      }
    }
  })
})

test('the cases above act, refuse and go on', () => {
  for (const name of ['pac', 'average', 'selective', 'without a floor', 'several runs'] as const) {
    expect(CASES[name].canAct(), name).toBe(true)
  }
  const kinds = (certificate: TotalCertificate) => new Set(fresh.map((debate) => decide(certificate, debate).kind))
  expect(kinds(CASES.pac)).toEqual(new Set(['act', 'defer']))
})

test('scores that are no numbers never act', () => {
  const kinds = [0, 8, 16]
  const stops = [Number.NaN, Number.NaN, Number.NaN]
  expect(
    CASES['without a floor'].stopAt({ scores: stops, kinds, excluded: [0, 0, 0], answers: ['A', 'A', 'A'] }, null),
  ).toEqual({ kind: 'open' })
})

test('the order of the calibration rows does not matter to what is counted', () => {
  const rows = debates.map((_, row) => row)
  const lists = { pilot: rows.filter((row) => row % 3 === 0), neighbours: rows.filter((row) => row % 3 !== 0) }
  const shuffled = { pilot: lists.pilot, neighbours: lists.neighbours.toReversed() }
  const [one, other] = [lists, shuffled].map((split) => certificateOf(0.25, {}, { split }).outcomes)
  expect(other).toEqual(one)
})

describe('the selective target', () => {
  test('is refused where groups are deferred: what is acted on would no longer be what was tested', () => {
    const selective = () => certificateOf(0.2, { kind: 'selective' }, { deferredGroups: ['law'] })
    expect(selective).toThrow('certificate: deferredGroups must be empty beside the selective target')
    const budget = { beta: 0.2, delta: 0.05, epsilon: 0, total: { kind: 'selective' } } as const
    expect(() => CASES['deferred groups'].withBudget(budget)).toThrow('empty beside the selective target')
  })

  test('is refused where questions have several runs: rows are not independent', () => {
    const refusal = 'budget.total.kind must be "pac" or "average" where questions have several runs'
    expect(() => certificateOf(0.2, { kind: 'selective' }, {}, withRuns)).toThrow(refusal)
    const budget = { beta: 0.2, delta: 0.05, epsilon: 0, total: { kind: 'selective' } } as const
    expect(() => CASES['several runs'].withBudget(budget)).toThrow(refusal)
  })
})

test('a claim over all groups at once is refused rather than ignored', () => {
  expect(() => certificateOf(0.3, {}, { groupConditional: true, groupLevel: 'simultaneous' })).toThrow(
    'calibrate: groupLevel must be "ordinary" for total: for all groups at once, divide budget.total.delta by their number',
  )
})

describe('without a floor', () => {
  test('the printed share right among actions is smaller at a later attempt', () => {
    const limitAt = (attempt: number) => certificateOf(0.25, { floor: 'none', attempt }).limitOf(0, null)
    const [first, third] = [limitAt(1), limitAt(3)]
    expect(first.lower).toBeGreaterThan(0.5)
    if (third.rows === first.rows) expect(third.lower).toBeLessThan(first.lower)
    else expect(third.rows).toBeLessThan(first.rows)
  })

  test('the printed share right counts a question once if it has several runs', () => {
    const twice = [
      ...debates,
      ...debates.map((debate) => ({ ...debate, id: `${debate.id}-again`, question_of: debate.id })),
    ]
    const limitOf = (input: readonly Debate[]) => certificateOf(0.3, { floor: 'none' }, {}, input).limitOf(0, null)
    expect(limitOf(twice).lower).toBeLessThan(limitOf(debates).lower)
  })
})

describe('a group with an empty name', () => {
  const named = debates.map((debate, row) =>
    row % 2 === 0 && debate.group === null ? { ...debate, group: '' } : debate,
  )

  test('is one group with the debates that have none', () => {
    const certificate = certificateOf(0.35, {}, { groupConditional: true }, named)
    expect([...certificate.outcomes.keys()].toSorted()).toEqual(['', 'law', 'physics'])
    expect(certificate.outcomeOf('')).toBe(certificate.outcomeOf(null))
    const groupsCounted = certificate.toJSON().neighbourGroups!
    expect(certificate.outcomeOf('')!.questions).toBe(groupsCounted.filter((group) => group === '').length)
    const again = loadCertificate(JSON.stringify(certificate.toJSON())) as TotalCertificate
    expect([...again.outcomes]).toEqual([...certificate.outcomes])
  })

  test('is not mistaken for all questions', () => {
    expect(CASES['by group'].outcomes.has(null)).toBe(false)
    const certificate = certificateOf(0.35, {}, {}, named)
    expect([...certificate.outcomes.keys()]).toEqual([null])
    expect(certificate.outcomeOf('')).toBe(certificate.outcomeOf('law'))
    expect(certificate.outcomeOf('')!.questions).toBe(certificate.toJSON().neighbours.kinds.length / 3)
  })
})

describe('an attempt after the first', () => {
  test('tests at smaller levels and prints the confidence over all attempts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), (attempt) => {
        const [first, later] = [certificateOf(0.25), certificateOf(0.25, { attempt })]
        expect(later.levels.total).toBeCloseTo((0.03 * 6) / (Math.PI * attempt) ** 2, 12)
        expect(later.levels.floor).toBeCloseTo((0.02 * 6) / (Math.PI * attempt) ** 2, 12)
        expect(later.levels.total).toBeLessThan(first.levels.total)
        expect(later.levels.totalConfidence).toBeCloseTo(1 - 0.03 * (2 - 6 / Math.PI ** 2), 12)
        const passed = (certificate: TotalCertificate) =>
          certificate.outcomes.get(null)!.policies.filter((each) => each.hasPassed)
        expect(passed(later).length).toBeLessThanOrEqual(passed(first).length)
      }),
      { numRuns: 4 },
    )
  })

  test('of the average says that choosing among attempts is not covered', () => {
    const sentence = (attempt: number) => totalSentences(certificateOf(0.25, { kind: 'average', attempt }))[0]
    expect(sentence(1)).not.toContain('attempt')
    expect(sentence(2)).toContain('the average holds for each attempt by itself, not for one that was chosen')
  })
})

test('docs/guarantees.md quotes the claim as it is printed', () => {
  const promise = resolvePromise('certificate', { beta: 0.1, floor: 0.8 })
  const outcome = CASES.pac.outcomeOf(null)!
  const classes = [1, 2, 3].map(() => ({ ...outcome.classes[0]!, state: 'acts' as const }))
  const printed = totalSentences({
    kind: 'total',
    promise,
    levels: promiseLevels(promise),
    outcomes: new Map([[null, { ...outcome, questions: 2790, chosen: 0, classes }]]),
    groupConditional: false,
    deferredGroups: [],
  })
  const page = readFileSync(new URL('../../../../docs/guarantees.md', import.meta.url), 'utf8')
  expect(page.replaceAll(/\n> /g, ' ')).toContain(printed.join(' '))
})

describe('a file whose checksum was made to fit', () => {
  const changed = (change: (file: ReturnType<typeof parsed>) => void) => {
    const file = parsed()
    change(file)
    return () => loadCertificate({ ...file, checksum: checksumOf(file) })
  }
  const parsed = () => JSON.parse(JSON.stringify(CASES['several runs']))

  test('is read where nothing was changed', () => {
    expect(changed(() => {})().kind).toBe('total')
  })

  test.each<[string, string, (file: ReturnType<typeof parsed>) => void]>([
    [
      'fewer floor tests than could be asked',
      'file.design.tests must be',
      (file) => {
        file.design.tests = 1
      },
    ],
    [
      'a score below the floor',
      'file.design.least must be the floor',
      (file) => {
        file.design.least = 0
      },
    ],
    [
      'a vetoable kind of another class',
      'file.design.classes must be',
      (file) => {
        file.design.classes[0].vetoable = [23]
      },
    ],
    [
      'a class of nothing',
      'file.design.classes must be',
      (file) => {
        file.design.classes[0] = { kinds: [], vetoable: [] }
      },
    ],
    [
      'a label',
      'outcomes must be',
      (file) => {
        file.neighbours.right = '1'.repeat(file.neighbours.right.length)
      },
    ],
    [
      'counts',
      'outcomes must be',
      (file) => {
        file.outcomes[''].classes[0].right += 1
      },
    ],
    [
      'a question number beyond the rows',
      'file.neighbours.questions must be',
      (file) => {
        file.neighbours.questions[3] = 2e9
      },
    ],
    [
      'a row without a question',
      'file.neighbours.questions must be',
      (file) => {
        file.neighbours.questions[3] = -1
      },
    ],
    [
      'a kind of another round',
      'file.neighbours.kinds must be',
      (file) => {
        file.neighbours.kinds[0] = 9
      },
    ],
  ])('is refused with another %s', (_, expected, change) => {
    expect(changed(change)).toThrow(`loadCertificate: ${expected}`)
  })
})

describe('very few labels', () => {
  test.each([1, 2, 3, 5, 8, 12, 20])('%s debates make a certificate that acts on nothing', (count) => {
    const certificate = certificateOf(0.05, {}, { split: { seed: 7 } }, debates.slice(0, count))
    expect(certificate.canAct()).toBe(false)
    for (const debate of fresh.slice(0, 10)) expect(decide(certificate, debate).kind).not.toBe('act')
  })
})

test('the reasons of a certificate by group name the group, and none is missing', () => {
  const certificate = certificateOf(0.02, {}, { groupConditional: true, deferredGroups: ['physics'] })
  expect([...certificate.outcomes.keys()].toSorted()).toEqual(['', 'law', 'physics'])
  const reasonsOf = (group: string, name: string) =>
    silenceSentences(certificate, group).map((sentence) => `${name}: ${sentence}`)
  expect(silenceSentences(certificate).toSorted()).toEqual(
    [...reasonsOf('', 'no group'), ...reasonsOf('law', 'law')].toSorted(),
  )
  expect(silenceSentences(certificate, 'law')).not.toEqual([])
  expect(silenceSentences(CASES.pac, null)).toEqual(silenceSentences(CASES.pac))
})

test('a class in which no counted debate stopped is not reported to have failed a test', () => {
  const outcome = CASES.pac.outcomeOf(null)!
  const count = { ...outcome.classes[0]!, rows: 0, right: 0, state: 'refused' as const }
  const failed = { test: 'floor', rows: 0, wrong: 0, limit: 0.3, labels: null } as const
  const empty = { ...CASES.pac, failedTests: () => ({ total: null, classes: [{ count, failed }] }) }
  expect(silenceSentences(empty)[0]).toMatch(
    /does not pass the floor: under the chosen policy no counted debate stopped in it, so that nothing could be tested\.$/,
  )
})

test('a class of fewer than 30 debates is given no forecast', () => {
  const count = { ...CASES.pac.outcomeOf(null)!.classes[0]!, rows: 17, right: 11, state: 'refused' as const }
  for (const labels of [null, 900]) {
    const failed = { test: 'floor', rows: 17, wrong: 6, limit: 0.2, labels } as const
    const silent = { ...CASES.pac, failedTests: () => ({ total: null, classes: [{ count, failed }] }) }
    expect(silenceSentences(silent)[0]).toMatch(
      /11 of 17 were right .* 17 are too few to say what more labels would do\.$/,
    )
  }
})

test.each([
  ['refused', 100, /No number of labels would change that at this rate\.$/],
  ['refused', 141, /Even a hundred times these labels would not be enough at this rate\.$/],
  ['spoiled', 150, /A kind of debate in it was right less often, which refuses the class whatever its total\.$/],
] as const)('a class that is %s with %s of 200 right says what more labels would bring', (state, right, expected) => {
  const rows = 200
  const count = { ...CASES.pac.outcomeOf(null)!.classes[0]!, rows, right, state }
  const failed = { test: 'floor', rows, wrong: rows - right, limit: 0.3, labels: null } as const
  const silent = { ...CASES.pac, failedTests: () => ({ total: null, classes: [{ count, failed }] }) }
  expect(silenceSentences(silent)[0]).toMatch(expected)
})
