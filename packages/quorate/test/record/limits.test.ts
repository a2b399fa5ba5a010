import { parseDebate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readCalibrationRows } from '../../../certificate/src/knn/calibration-rows.ts'
import { resolvePromise } from '../../../certificate/src/total/promise.ts'
import { ConfigSchema } from '../../src/config/config.ts'
import { certifyInputSchema, questionInputSchema } from '../../src/contract/decisions.ts'
import { readQuestion } from '../../src/questions/read-question.ts'
import { LIMITS } from '../../src/record/limits.ts'
import { exchangeJsonSchemas } from '../../src/run/exchange/exchange-schemas.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `o${String(index).padStart(4, '0')}`)
const texts = (count: number) => Object.fromEntries(names(count).map((name) => [name, `text of ${name}`]))

interface Shape {
  readonly options?: unknown
  readonly agents?: number
  readonly rounds?: number
  readonly samples?: number
  readonly name?: string
}

const debate = ({ options = names(2), agents = 1, rounds = 1, samples = 1, name = 'agent' }: Shape, about = {}) => {
  const turn = { answer: null, samples: Array.from({ length: samples }, () => null) }
  const turns = Array.from({ length: agents }, (_, seat) => ({ agent: seat === 0 ? name : `agent ${seat}`, ...turn }))
  return { id: 'q', options, rounds: Array.from({ length: rounds }, () => turns), ...about }
}

const accepts = {
  certificate: (value: unknown) => passes(() => parseDebate(value, { elicitation: 'vote' })),
  certify: (value: unknown) => certifyInputSchema.safeParse(value).success,
  published: (value: unknown) => published('debate').safeParse(value).success,
}

const asked = {
  file: (value: object) => passes(() => readQuestion({ id: 'q', question: 'Which?', ...value }, 'here')),
  http: (value: object) => questionInputSchema.safeParse({ question: 'Which?', ...value }).success,
  published: (value: object) => published('question').safeParse({ id: 'q', question: 'Which?', ...value }).success,
}

function published(file: 'debate' | 'question'): z.ZodType {
  return z.fromJSONSchema(exchangeJsonSchemas()[file])
}

function passes(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const all = (readers: object, expected: boolean) =>
  Object.fromEntries(Object.keys(readers).map((name) => [name, expected]))

describe.each([
  ['options as a list', LIMITS.options, (count: number) => debate({ options: names(count) })],
  ['options with texts', LIMITS.options, (count: number) => debate({ options: texts(count) })],
  ['agents', LIMITS.agents, (count: number) => debate({ agents: count })],
  ['rounds', LIMITS.rounds, (count: number) => debate({ rounds: count })],
  ['samples', LIMITS.samples, (count: number) => debate({ samples: count })],
])('every reader of a debate has one limit of %s', (_, most, made) => {
  const read = (count: number) =>
    Object.fromEntries(Object.entries(accepts).map(([name, accept]) => [name, accept(made(count))]))

  test('and takes as many', () => expect(read(most)).toEqual(all(accepts, true)))
  test('and no more', () => expect(read(most + 1)).toEqual(all(accepts, false)))
})

describe.each([
  ['an id', (text: string) => debate({}, { id: text })],
  ['the key of a question', (text: string) => debate({}, { question_of: text })],
  ['a group', (text: string) => debate({}, { group: text })],
  ['the name of an agent', (text: string) => debate({ name: text })],
  ['the name of an option', (text: string) => debate({ options: [text, 'other'] })],
  ['the name of an option with a text', (text: string) => debate({ options: { [text]: 'this', other: 'that' } })],
])('every reader of a debate has one limit of the length of %s', (_, made) => {
  const read = (length: number) =>
    Object.fromEntries(Object.entries(accepts).map(([name, accept]) => [name, accept(made('x'.repeat(length)))]))

  test('and takes as many characters', () => expect(read(LIMITS.name)).toEqual(all(accepts, true)))
  test('and no more', () => expect(read(LIMITS.name + 1)).toEqual(all(accepts, false)))
})

describe('the certificate', () => {
  test('has one limit of rounds for debates and for bare states', () => {
    const rows = { states: [[0.5], [0.6]], correct: [1, 0] }
    const calibration = (rounds: number) => () =>
      readCalibrationRows('limits', { rounds: Array.from({ length: rounds }, () => rows) })
    expect([passes(calibration(LIMITS.rounds)), passes(calibration(LIMITS.rounds + 1))]).toEqual([true, false])
  })

  test('has one limit of answers with budgets and of options', () => {
    const budgets = (count: number) => () =>
      resolvePromise('limits', { beta: 0.1, answers: Object.fromEntries(names(count).map((name) => [name, 0.1])) })
    expect([passes(budgets(LIMITS.options)), passes(budgets(LIMITS.options + 1))]).toEqual([true, false])
  })

  test('reads as many beliefs of a debate as the record allows', () => {
    const options = names(LIMITS.beliefs / (LIMITS.agents * 16))
    const read = (more: Shape) => accepts.certificate(debate({ options, agents: LIMITS.agents, rounds: 16, ...more }))
    expect([read({}), read({ rounds: 17 })]).toEqual([true, false])
  })
})

describe.each([
  ['a list', names],
  ['texts', texts],
])('every reader of a question has one limit of options as %s', (_, made) => {
  const read = (count: number) =>
    Object.fromEntries(Object.entries(asked).map(([name, accept]) => [name, accept({ options: made(count) })]))

  test('and takes as many', () => expect(read(LIMITS.options)).toEqual(all(asked, true)))
  test('and no more', () => expect(read(LIMITS.options + 1)).toEqual(all(asked, false)))
  test('and needs two', () => expect([read(2), read(1)]).toEqual([all(asked, true), all(asked, false)]))
})

describe.each([
  ['an id', LIMITS.name, (text: string) => ({ id: text, options: names(2) })],
  ['a group', LIMITS.name, (text: string) => ({ group: text, options: names(2) })],
  ['the name of an option', LIMITS.name, (text: string) => ({ options: [text, 'other'] })],
  [
    'the name of an option with a text',
    LIMITS.name,
    (text: string) => ({ options: { [text]: 'this', other: 'that' } }),
  ],
  ['the text of an option', LIMITS.text, (text: string) => ({ options: { this: text, other: 'that' } })],
  ['the question', LIMITS.text, (text: string) => ({ question: text, options: names(2) })],
])('every reader of a question has one limit of the length of %s', (_, most, made) => {
  const read = (length: number) =>
    Object.fromEntries(Object.entries(asked).map(([name, accept]) => [name, accept(made('x'.repeat(length)))]))

  test('and takes as many characters', () => expect(read(most)).toEqual(all(asked, true)))
  test('and no more', () => expect(read(most + 1)).toEqual(all(asked, false)))
})

describe('a panel of the config', () => {
  const agents = (count: number) =>
    Array.from({ length: count }, (_, seat) => ({ name: `a${seat}`, model: 'simulated/a' }))
  const takes = (panel: object) =>
    ConfigSchema.safeParse({ panel: { agents: agents(1), ...panel }, budget: { beta: 0.2 } }).success

  test.each([
    ['agents', (count: number) => ({ agents: agents(count) }), LIMITS.agents],
    ['rounds', (count: number) => ({ rounds: count }), LIMITS.rounds],
    ['samples', (count: number) => ({ samples: count }), LIMITS.samples],
    [
      'sizes',
      (count: number) => ({ protocol: 'growing-panel', sizes: Array.from({ length: count }, (_, size) => size + 1) }),
      LIMITS.rounds,
    ],
  ])('has as many %s as its debates may have', (_, panel, most) => {
    expect([takes(panel(most)), takes(panel(most + 1))]).toEqual([true, false])
  })
})
