import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerClasses, equivalenceOf } from '../../src/answers/equivalence.ts'
import { isSameMath, MATH_ENGINE } from '../../src/answers/math-engine.ts'
import { answersSchema, openAnswers } from '../../src/record/task.ts'

function rulesOf(answers: object) {
  const open = openAnswers(answersSchema.parse(answers))
  if (open === null) throw new Error('expected open answers')
  return equivalenceOf(open)
}

type Pair = readonly [one: string, other: string, isSame: boolean]

describe('numbers', () => {
  const pairs: readonly Pair[] = [
    ['42', '42.0', true],
    ['1,234.5', '1234.5', true],
    ['$1,200', '1200', true],
    ['3/4', '0.75', true],
    ['1.2e3', '1200', true],
    ['1.2 x 10^3', '1200', true],
    ['−5', '-5', true],
    ['45 %', '0.45', true],
    ['12.', '12', true],
    ['42', '43', false],
    ['0.1', '0.10000001', false],
  ]
  test.each(pairs)('%s and %s: %s', (one, other, isSame) => {
    expect(rulesOf({ kind: 'number' }).isSame(one, other)).toBe(isSame)
  })

  test.each([
    ['3.2 km', '3200', true],
    ['3200 m', '3.2 km', true],
    ['3.2 kg', '3200', false],
    ['3.2 parsecs', '3.2', false],
  ] as readonly Pair[])('in m: %s and %s: %s', (one, other, isSame) => {
    expect(rulesOf({ kind: 'number', unit: 'm' }).isSame(one, other)).toBe(isSame)
  })

  test.each(['about 3', '3 or 4', '1,23', '', 'x', '1 2', '--3', '3 m'])('%j is no number', (given) => {
    expect(rulesOf({ kind: 'number' }).isReadable(given)).toBe(false)
  })

  test('tolerances are those of the config, on either side', () => {
    const rules = rulesOf({ kind: 'number', absTol: 0.5, relTol: 0 })
    expect([rules.isSame('10', '10.5'), rules.isSame('10', '10.51')]).toEqual([true, false])
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }), (one, other) => {
        expect(rules.isSame(String(one), String(other))).toBe(Math.abs(one - other) <= 0.5)
        expect(rules.isSame(String(one), String(other))).toBe(rules.isSame(String(other), String(one)))
      }),
    )
  })
})

describe('texts and objects', () => {
  test('are the same if they differ only in what the config lists', () => {
    const usual = rulesOf({ kind: 'text' })
    expect(usual.isSame('The Beatles!', ' the  beatles')).toBe(true)
    expect(usual.isSame('The Beatles', 'Beatles')).toBe(false)
    expect(rulesOf({ kind: 'text', normalise: ['case', 'articles'] }).isSame('The Beatles', 'beatles')).toBe(true)
    expect(rulesOf({ kind: 'text', normalise: ['accents'] }).isSame('Zoë', 'Zoe')).toBe(true)
    expect(rulesOf({ kind: 'text', normalise: [] }).isSame('a', 'A')).toBe(false)
    expect(usual.isReadable(' ... ')).toBe(false)
  })

  test('objects are compared by their listed fields', () => {
    const rules = rulesOf({ kind: 'json', fields: { total: { kind: 'number', absTol: 0.01 }, who: { kind: 'text' } } })
    expect(rules.isSame('{"total": 10, "who": "Ann"}', '{"who": "ann", "total": "10.005", "more": 1}')).toBe(true)
    expect(rules.isSame('{"total": 10, "who": "Ann"}', '{"total": 11, "who": "Ann"}')).toBe(false)
    expect(rules.isReadable('{"total": 10}')).toBe(false)
    expect(rules.isReadable('{"total": 10, "who": null}')).toBe(false)
    expect(rules.isReadable('[1]')).toBe(false)
    expect(rules.isReadable('total: 10')).toBe(false)
  })
})

describe('mathematics', () => {
  const rules = rulesOf({ kind: 'math' })

  test('is compared by value and not by form', async () => {
    const pairs: readonly Pair[] = [
      ['\\frac{1}{2}', '0.5', true],
      ['$x^2-1$', '(x-1)(x+1)', true],
      ['\\boxed{2\\sqrt{2}}', '\\sqrt{8}', true],
      ['\\dfrac{x+2}{7}', '\\frac17 x+\\frac27', true],
      ['3', '4', false],
      ['x', 'y', false],
      ['\\frac{', '1', false],
    ]
    for (const [one, other, isSame] of pairs)
      expect([one, other, await rules.isSame(one, other)]).toEqual([one, other, isSame])
  })

  test('does not depend on what was compared before', async () => {
    await rules.isSame('x:=3', 'A\\cup B')
    expect(await rules.isSame('2x', '6')).toBe(false)
    expect(await rules.isSame('A+B', 'B+A')).toBe(true)
  })

  test('names the version of the engine that is installed', () => {
    const main = createRequire(import.meta.url).resolve('@cortex-js/compute-engine')
    const { name, version } = JSON.parse(readFileSync(join(dirname(main), '..', 'package.json'), 'utf8'))
    expect(MATH_ENGINE).toBe(`${name} ${version}`)
  })

  test('expressions of any length are answered', async () => {
    expect(await isSameMath('1'.repeat(5000), '2')).toBe(false)
  })
})

/** Patterns that try every way to split white space would never end here. */
test.each([
  ['number', { kind: 'number' }, `1${'\n'.repeat(200_000)}x`],
  ['json', { kind: 'json', fields: { a: { kind: 'text' } } }, `\`\`\`json${'\n'.repeat(200_000)}`],
  ['text', { kind: 'text' }, `a${' '.repeat(200_000)}b`],
])('a %s with any amount of white space is read in one pass', (kind, answers, text) => {
  expect(rulesOf(answers).isReadable(text)).toBe(kind === 'text')
})

describe('classes', () => {
  test('are named by first appearance, and an answer is compared with the first of its class alone', async () => {
    const rules = rulesOf({ kind: 'number', absTol: 1, relTol: 0 })
    const classes = answerClasses(rules, 3)
    const placed: (string | null)[] = []
    // 1.8 is within 1 of both 1 and 2.5; 2.5 is not within 1 of 1.
    for (const given of ['1', '2.5', '1.8', '9', '1.5', '20']) placed.push(await classes.place(given))
    expect(placed).toEqual(['1', '2', '1', '3', '1', null])
    expect(await classes.sameAs('1.9')).toEqual(['1', '2'])
    expect(await classes.sameAs('100')).toEqual([])
  })

  test('reveal nothing but the order in which answers arrived', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }), async (given) => {
        const classes = answerClasses(rulesOf({ kind: 'number' }), 12)
        const placed = []
        for (const each of given) placed.push(await classes.place(String(each)))
        const firsts = [...new Set(given)]
        expect(placed).toEqual(given.map((each) => String(firsts.indexOf(each) + 1)))
      }),
      { numRuns: 50 },
    )
  })
})
