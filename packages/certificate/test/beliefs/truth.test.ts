import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Debate, Grade } from '../../src/beliefs/debate.ts'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { hasLabel, isRightAt } from '../../src/beliefs/truth.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { debateReader, readDebates } from '../../src/certificate/read-debates.ts'
import { tallyActions } from '../../src/evaluation/tally.ts'
import { conformalRows } from '../../src/policies/social-choice.ts'

const OPTIONS = ['A', 'B', 'C'] as const
type Letter = (typeof OPTIONS)[number]

/** Three agents that agree in every round, so the panel's answer is the letter. */
function debate(answers: readonly Letter[], label: Partial<Debate>, id = 'q'): Debate {
  const rounds = answers.map((answer) => ['x', 'y', 'z'].map((agent) => ({ agent, answer })))
  return { id, options: [...OPTIONS], rounds, ...label }
}

/** What is right, derived from the format without the parser. */
function slowRight({ gold, correct, grades }: Partial<Debate>, answers: readonly Letter[], round: number): boolean {
  const answer = answers[round - 1]!
  if (grades !== undefined && grades !== null && grades.length > 0) {
    const own = grades.filter((grade) => grade.round === round)
    return own.some(
      ({ right, answer: graded }) => right === true && (graded === undefined || graded === null || graded === answer),
    )
  }
  if (correct !== undefined && correct !== null) return correct.some((name) => name === answer)
  return gold === answer
}

const letter = fc.constantFrom(...OPTIONS)
const grade = (round: number): fc.Arbitrary<Grade> =>
  fc.record(
    {
      round: fc.constant(round),
      right: fc.constantFrom(true, false, null),
      by: fc.constantFrom('person:ann', null),
      answer: fc.option(letter),
    },
    { requiredKeys: ['round', 'right'] },
  )
const gradesOf = (rounds: number): fc.Arbitrary<Grade[]> =>
  fc
    .subarray(Array.from({ length: rounds }, (_, at) => at + 1))
    .chain((graded) => (graded.length === 0 ? fc.constant([]) : fc.tuple(...graded.map(grade))))

const labelled = fc.array(letter, { minLength: 1, maxLength: 4 }).chain((answers) =>
  fc.record({
    answers: fc.constant(answers),
    label: fc.oneof(
      fc.record({ gold: letter }),
      fc.record({ correct: fc.uniqueArray(letter) }),
      fc.uniqueArray(letter, { minLength: 1 }).map((correct) => ({ correct, gold: correct[0]! })),
      fc.record({ grades: gradesOf(answers.length) }),
      fc.record({ grades: gradesOf(answers.length), gold: letter }),
      fc.record({ verdict: fc.constantFrom('cannot-tell', 'bad-question') }),
    ),
  }),
)

describe('what is right', () => {
  test('agrees with the format written out, read whole and in columns', () => {
    fc.assert(
      fc.property(labelled, ({ answers, label }) => {
        const own = debate(answers, label)
        const reader = debateReader({}, 'test', { isCompact: true })
        for (const debate of [readDebates([own]).debates[0]!, reader.add(own, 'line 1')]) {
          for (const round of answers.keys()) {
            expect(isRightAt(debate, round + 1)).toBe(hasLabel(own) && slowRight(label, answers, round + 1))
          }
          expect(debate.record.truth !== null).toBe(hasLabel(own))
        }
      }),
    )
  })

  test('a grade that nobody could give, a missing one and one of another answer never count', () => {
    const answers = ['A', 'A', 'A', 'A'] as const
    const grades = [
      { round: 1, right: null },
      { round: 3, right: true, answer: 'B' },
      { round: 4, right: true, answer: 'A', by: 'person:ann' },
    ]
    const [read] = readDebates([debate(answers, { grades, gold: 'A' })]).debates
    expect(answers.map((_, at) => isRightAt(read!, at + 1))).toEqual([false, false, false, true])
    expect(isRightAt(read!, 5)).toBe(false)
  })

  test('no label says less than every label', () => {
    fc.assert(
      fc.property(labelled, ({ answers, label }) => {
        const [read] = readDebates([debate(answers, label)]).debates
        const doubtful = label as Partial<Debate>
        if (!doubtful.grades?.length) return
        const unsure = doubtful.grades.map((each) => ({ ...each, right: each.right === true ? null : each.right }))
        const [weaker] = readDebates([debate(answers, { ...label, grades: unsure })]).debates
        for (const at of answers.keys()) {
          expect(isRightAt(weaker!, at + 1)).toBe(false)
          expect(Number(isRightAt(weaker!, at + 1))).toBeLessThanOrEqual(Number(isRightAt(read!, at + 1)))
        }
      }),
    )
  })

  const bad: readonly [string, Partial<Debate> | object, RegExp][] = [
    ['a gold that is not among the right ones', { gold: 'A', correct: ['B'] }, /debate\.gold must be one of `correct`/],
    ['a right option that is none', { correct: ['A', 'Z'] }, /debate\.correct\[1\] must be one of "A"/],
    ['a list in place of an option', { correct: 'A' }, /debate\.correct must be null or an array/],
    [
      'round 0',
      { grades: [{ round: 0, right: true }] },
      /debate\.grades\[0\]\.round must be a round of the debate, from 1 to 2/,
    ],
    ['a round beyond the last', { grades: [{ round: 3, right: true }] }, /from 1 to 2, got 3/],
    [
      'two grades of a round',
      {
        grades: [
          { round: 1, right: true },
          { round: 1, right: false },
        ],
      },
      /grades\[1\]\.round must be a round that is not graded yet/,
    ],
    ['a grade in words', { grades: [{ round: 1, right: 'yes' }] }, /grades\[0\]\.right must be true, false, or null/],
    [
      'a grade of an unknown answer',
      { grades: [{ round: 1, right: true, answer: 'Z' }] },
      /grades\[0\]\.answer must be one of/,
    ],
    ['a grade without a verdict', { grades: [{ round: 1 }] }, /grades\[0\]\.right must be true, false, or null/],
    [
      'audits of nothing',
      { gold: 'A', audits: [{ round: 1, right: true }] },
      /debate\.audits must be null without `grades`/,
    ],
  ]
  test.each(bad)('%s is refused', (_, label, message) => {
    expect(() => parseDebate(debate(['A', 'B'], label as Partial<Debate>))).toThrow(message)
  })

  test('nothing graded is no label', () => {
    expect(parseDebate(debate(['A'], { grades: [] })).truth).toBeNull()
    expect(() =>
      calibrate([debate(['A'], { grades: [] })], { profile: 'total', budget: { beta: 0.1, delta: 0.05, epsilon: 0 } }),
    ).toThrow(/debates\[0\]\.gold must be the right option, or `correct` or `grades`/)
  })
})

describe('estimators', () => {
  test('count by grades', () => {
    const all = [
      debate(
        ['A', 'B'],
        {
          grades: [
            { round: 1, right: true },
            { round: 2, right: false },
          ],
        },
        'one',
      ),
      debate(['A', 'B'], { correct: ['A', 'B'] }, 'two'),
      debate(['A', 'B'], { correct: [] }, 'three'),
      debate(['A', 'B'], { gold: 'B' }, 'four'),
    ]
    const { debates } = readDebates(all)
    const first = tallyActions(debates, [1, 1, 1, 1], { protocol: 'debate' })
    const second = tallyActions(debates, [2, 2, 2, 2], { protocol: 'debate' })
    expect([first.right, second.right]).toEqual([
      [2, 0],
      [0, 2],
    ])
  })

  test('one option as gold, as the list of right ones or as grades makes the same certificate', () => {
    const budget = { beta: 0.2, delta: 0.05, epsilon: 0 }
    const answersOf = (row: number): Letter[] => [row % 3 === 0 ? 'B' : 'A', row % 7 === 0 ? 'C' : 'A']
    const rows = Array.from({ length: 300 }, (_, row) => ({
      id: `q${row}`,
      answers: answersOf(row),
      gold: row % 11 === 0 ? 'B' : 'A',
    }))
    const made = [
      (gold: string) => ({ gold }),
      (gold: string) => ({ correct: [gold] }),
      (gold: string, answers: readonly Letter[]) => ({
        grades: answers.map((answer, at) => ({ round: at + 1, right: answer === gold })),
      }),
    ].map((label) =>
      JSON.stringify(
        calibrate(
          rows.map(({ id, answers, gold }) => debate(answers, label(gold, answers), id)),
          { profile: 'total', budget },
        ),
      ),
    )
    expect(new Set(made).size).toBe(1)
  })

  test('conformal sets are judged by the likeliest right option, and by nothing where the answer is graded wrong', () => {
    const split: Debate = {
      ...debate(['A'], {}),
      rounds: [
        [
          { agent: 'x', answer: 'A' },
          { agent: 'y', answer: 'A' },
          { agent: 'z', answer: 'B' },
        ],
      ],
    }
    const scoreOf = (label: Partial<Debate>) => conformalRows(readDebates([{ ...split, ...label }]).debates, 1)[0]
    expect(scoreOf({ correct: ['B', 'C'] })).toBeCloseTo(1 / 3, 9)
    expect(scoreOf({ correct: ['A', 'B'] })).toBeCloseTo(2 / 3, 9)
    expect(scoreOf({ correct: [] })).toBe(0)
    expect(scoreOf({ grades: [{ round: 1, right: true }] })).toBeCloseTo(2 / 3, 9)
    expect(scoreOf({ grades: [{ round: 1, right: false }] })).toBe(0)
    expect(scoreOf({ grades: [{ round: 1, right: null }] })).toBe(0)
  })
})

describe('a reviewer who names no option', () => {
  const words = ['cannot-tell', 'bad-question']

  test.each(words)('%s is a label, and no answer is right', (verdict) => {
    const unjudged = debate(['A', 'B'], { verdict })
    expect(hasLabel(unjudged)).toBe(true)
    for (const { debates } of [readDebates([unjudged]), compactOf(unjudged)]) {
      expect(debates[0]!.record.truth).toEqual({ kind: 'unjudged' })
      expect([1, 2].map((round) => isRightAt(debates[0]!, round))).toEqual([false, false])
      expect([...conformalRows(debates, 2)]).toEqual([0])
    }
  })

  test.each([{ gold: 'A' }, { correct: [] }, { grades: [{ round: 1, right: true }] }])('contradicts %o', (label) => {
    expect(() => parseDebate(debate(['A'], { ...label, verdict: 'cannot-tell' }))).toThrow('verdict')
  })

  test('other words are not ours, and are no label', () => {
    expect(hasLabel(debate(['A'], { verdict: 'plaintiff' }))).toBe(false)
    expect(parseDebate(debate(['A'], { verdict: 'plaintiff', gold: 'A' })).truth).toEqual({
      kind: 'options',
      options: [0],
    })
  })

  function compactOf(one: Debate) {
    const reader = debateReader({}, 'test', { isCompact: true })
    reader.add(one, 'line 1')
    return reader.debates()
  }
})
