import { describe, expect, test } from 'vitest'
import { type CertificateOptions, fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { CertificateError } from '../../src/certificate-error.ts'

const states = [[0.1], [0.2], [0.3], [0.4]]
const round = { states, correct: [0, 1, 0, 1] }
const good = { rounds: [round, round] }
const options = {
  profile: 'tight',
  budget: { beta: 0.15, delta: 0.03, epsilon: 0.02 },
  kFamily: [1],
  split: { pilot: [0, 1], neighbours: [2, 3] },
} as const

/** Values that a program without types, or a file, may pass. */
function fitting(input: unknown, chosen: unknown): () => unknown {
  return () => fitCertificate(input as typeof good, chosen as CertificateOptions)
}

function refusalOf(work: () => unknown): CertificateError {
  try {
    work()
  } catch (error) {
    if (error instanceof CertificateError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('the input that all cases below are made from is fine', () => {
  expect(fitCertificate(good, options).bound(1, [0.2]).lower).toBeTypeOf('number')
})

describe('calibration rows that are refused, and the place that is named', () => {
  const sparse = new Array(2)
  test.each<[string, unknown, string]>([
    ['no input', undefined, 'rounds'],
    ['null', null, 'rounds'],
    ['no rounds', { rounds: [] }, 'rounds'],
    ['rounds that are no list', { rounds: { 0: round } }, 'rounds'],
    ['holes for rounds', { rounds: sparse }, 'rounds[0]'],
    ['a round that is null', { rounds: [round, null] }, 'rounds[1]'],
    ['no states', { rounds: [{ correct: [] }] }, 'rounds[0].states'],
    ['no rows', { rounds: [{ states: [], correct: [] }] }, 'rounds[0].states'],
    ['rounds of unequal length', { rounds: [round, { states: states.slice(1), correct: [0, 1, 0] }] }, 'rounds[1]'],
    ['rows of unequal length', { rounds: [{ ...round, states: [[1], [1, 2], [1], [1]] }] }, 'rounds[0].states[1]'],
    ['rows without numbers', { rounds: [{ ...round, states: [[], [], [], []] }] }, 'rounds[0].states[0]'],
    ['a row that only has a length', { rounds: [{ ...round, states: [{ length: 1e12 }] }] }, 'rounds[0].states[0]'],
    ['a text for a row', { rounds: [{ ...round, states: ['a', 'b', 'c', 'd'] }] }, 'rounds[0].states[0]'],
    ['NaN', { rounds: [round, { ...round, states: [[1], [1], [Number.NaN], [1]] }] }, 'rounds[1].states[2][0]'],
    ['Infinity', { rounds: [{ ...round, states: [[1], [1], [1], [-Infinity]] }] }, 'rounds[0].states[3][0]'],
    ['a digit for a number', { rounds: [{ ...round, states: [['1'], [1], [1], [1]] }] }, 'rounds[0].states[0][0]'],
    [
      'a hole for a number',
      { rounds: [{ ...round, states: [new Array(1), [1], [1], [1]] }] },
      'rounds[0].states[0][0]',
    ],
    ['too few labels', { rounds: [{ ...round, correct: [0, 1] }] }, 'rounds[0].correct'],
    ['no labels', { rounds: [{ states }] }, 'rounds[0].correct'],
    ['a label of 2', { rounds: [{ ...round, correct: [0, 1, 2, 1] }] }, 'rounds[0].correct[2]'],
    ['a label of .5', { rounds: [{ ...round, correct: [0.5, 1, 0, 1] }] }, 'rounds[0].correct[0]'],
    ['a label of true', { rounds: [{ ...round, correct: [0, true, 0, 1] }] }, 'rounds[0].correct[1]'],
    ['a label of NaN', { rounds: [round, { ...round, correct: [0, 1, 0, Number.NaN] }] }, 'rounds[1].correct[3]'],
    ['a typed label of 7', { rounds: [{ ...round, correct: Uint8Array.of(0, 1, 7, 1) }] }, 'rounds[0].correct[2]'],
    ['too few groups', { ...good, groups: ['a'] }, 'groups'],
    ['a group that is no text', { ...good, groups: ['a', 'b', 3, 'd'] }, 'groups[2]'],
    ['groups that are no list', { ...good, groups: 'abcd' }, 'groups'],
    ['too few questions', { ...good, questions: ['a', 'b', 'c'] }, 'questions'],
    ['a question that is null', { ...good, questions: ['a', null, 'c', 'd'] }, 'questions[1]'],
  ])('%s', (_, input, place) => {
    const error = refusalOf(fitting(input, options))
    expect(error.parameter).toBe(place)
    expect(error.message).toMatch(/^fitCertificate: /)
  })

  test.each<[string, unknown, string]>([
    ['no dimension', { values: new Float64Array(4) }, 'rounds[0].states.dimension'],
    ['a dimension of 0', { values: new Float64Array(4), dimension: 0 }, 'rounds[0].states.dimension'],
    ['a broken dimension', { values: new Float64Array(4), dimension: 1.5 }, 'rounds[0].states.dimension'],
    ['a rest of numbers', { values: new Float64Array(5), dimension: 2 }, 'rounds[0].states.values'],
    ['NaN', { values: Float64Array.of(1, 2, Number.NaN, 4), dimension: 1 }, 'rounds[0].states.values[2]'],
    ['an ordinary array', { values: [1, 2, 3, 4], dimension: 1 }, 'rounds[0].states'],
  ])('flat states with %s', (_, flat, place) => {
    expect(refusalOf(fitting({ rounds: [{ ...round, states: flat }] }, options)).parameter).toBe(place)
  })
})

describe('options that are refused, and the name of the option', () => {
  const budget = (change: object) => ({ budget: { ...options.budget, ...change } })
  test.each<[string, object, string]>([
    ['no profile', { profile: undefined }, 'profile'],
    ['an unknown profile', { profile: 'loose' }, 'profile'],
    ['the profile of calibrate() only', { profile: 'cells' }, 'profile'],
    ['no budget', { budget: undefined }, 'budget'],
    ['a budget of null', { budget: null }, 'budget'],
    ['beta 0', budget({ beta: 0 }), 'budget.beta'],
    ['beta 1', budget({ beta: 1 }), 'budget.beta'],
    ['beta -1', budget({ beta: -1 }), 'budget.beta'],
    ['beta NaN', budget({ beta: Number.NaN }), 'budget.beta'],
    ['beta as text', budget({ beta: '0.15' }), 'budget.beta'],
    ['no beta', budget({ beta: undefined }), 'budget.beta'],
    ['delta 0', budget({ delta: 0 }), 'budget.delta'],
    ['delta 1', budget({ delta: 1 }), 'budget.delta'],
    ['delta as text', budget({ delta: '0.03' }), 'budget.delta'],
    ['epsilon -.1', budget({ epsilon: -0.1 }), 'budget.epsilon'],
    ['epsilon 1', budget({ epsilon: 1 }), 'budget.epsilon'],
    ['epsilon null', budget({ epsilon: null }), 'budget.epsilon'],
    ['no epsilon', budget({ epsilon: undefined }), 'budget.epsilon'],
    ['deltaOmega of all delta', budget({ deltaOmega: 0.03 }), 'budget.deltaOmega'],
    ['deltaOmega -.01', budget({ deltaOmega: -0.01 }), 'budget.deltaOmega'],
    ['deltaOmega null', budget({ deltaOmega: null }), 'budget.deltaOmega'],
    ['no sizes', { kFamily: [] }, 'kFamily'],
    ['a single size', { kFamily: 128 }, 'kFamily'],
    ['65 sizes', { kFamily: Array.from({ length: 65 }, (_, at) => at + 1) }, 'kFamily'],
    ['k = 0', { kFamily: [5, 0] }, 'kFamily[1]'],
    ['k = 1.5', { kFamily: [1.5] }, 'kFamily[0]'],
    ['k = NaN', { kFamily: [Number.NaN] }, 'kFamily[0]'],
    ['k twice', { kFamily: [3, 5, 3] }, 'kFamily[2]'],
    ['an unknown concentration', { concentration: 'chernoff' }, 'concentration'],
    ['an unknown envelope', { envelope: 'toString' }, 'envelope'],
    ['a number for an envelope', { envelope: 3 }, 'envelope'],
    ['true for an envelope', { envelope: true }, 'envelope'],
    ['null for an envelope', { envelope: null }, 'envelope'],
    ['an empty envelope', { envelope: {} }, 'envelope'],
    ['a negative Lipschitz constant', { envelope: { lipschitz: -1 } }, 'envelope.lipschitz'],
    ['an infinite Lipschitz constant', { envelope: { lipschitz: Infinity } }, 'envelope.lipschitz'],
    ['a negative Hoelder constant', { envelope: { holder: [-1, 0.5] } }, 'envelope.holder[0]'],
    ['a Hoelder exponent of 0', { envelope: { holder: [1, 0] } }, 'envelope.holder[1]'],
    ['a Hoelder exponent as text', { envelope: { holder: [1, '0.5'] } }, 'envelope.holder[1]'],
    ['half a Hoelder condition', { envelope: { holder: [1] } }, 'envelope'],
    ['an unknown smoother', { smoother: 'kernel' }, 'smoother'],
    ['rho below 1', { rho: 0.99 }, 'rho'],
    ['rho NaN', { rho: Number.NaN }, 'rho'],
    ['rho infinite', { rho: Infinity }, 'rho'],
    ['rho as text', { rho: '2' }, 'rho'],
    ['unknown ties', { ties: 'random' }, 'ties'],
    ['an unknown reading of the distribution', { cdf: 'linear' }, 'cdf'],
    ['an unknown reading of the table', { modulusTable: 'down' }, 'modulusTable'],
    ['unknown looks', { looks: 'all' }, 'looks'],
    ['an unknown group level', { groupLevel: 'both' }, 'groupLevel'],
    ['a number for a split', { split: 0.2 }, 'split'],
    ['a text for a split', { split: 'half' }, 'split'],
    ['a share of 1', { split: { pilotFraction: 1, seed: 7 } }, 'split.pilotFraction'],
    ['a share of -.1', { split: { pilotFraction: -0.1, seed: 7 } }, 'split.pilotFraction'],
    ['a share as text', { split: { pilotFraction: '0.2', seed: 7 } }, 'split.pilotFraction'],
    ['no seed', { split: { pilotFraction: 0.5 } }, 'split.seed'],
    ['a seed of -1', { split: { pilotFraction: 0.5, seed: -1 } }, 'split.seed'],
    ['a seed of .5', { split: { pilotFraction: 0.5, seed: 0.5 } }, 'split.seed'],
    ['a row beyond the last', { split: { pilot: [0, 4], neighbours: [1] } }, 'split.pilot[1]'],
    ['a row of -1', { split: { pilot: [0], neighbours: [-1] } }, 'split.neighbours[0]'],
    ['a row of .5', { split: { pilot: [0.5], neighbours: [1] } }, 'split.pilot[0]'],
    ['a row on both sides', { split: { pilot: [0, 1], neighbours: [2, 1] } }, 'split.neighbours[1]'],
    ['a row twice', { split: { pilot: [0, 0], neighbours: [1] } }, 'split.pilot[1]'],
    ['a side that is missing', { split: { pilot: [0] } }, 'split.neighbours'],
    ['a side that is no list', { split: { pilot: 'all', neighbours: [1] } }, 'split.pilot'],
  ])('%s', (_, change, parameter) => {
    const error = refusalOf(fitting(good, { ...options, ...change }))
    expect(error.parameter).toBe(parameter)
    expect(error.message).toMatch(/^fitCertificate: /)
  })

  test('no options at all', () => {
    expect(refusalOf(fitting(good, undefined)).parameter).toBe('options')
    expect(refusalOf(fitting(good, null)).parameter).toBe('options')
  })

  test('an option that is undefined is an option not given', () => {
    const open = { kFamily: undefined, rho: undefined, envelope: undefined, ties: undefined, split: undefined }
    const certificate = fitCertificate(good, { profile: 'paper', budget: options.budget, ...(open as object) })
    expect(certificate.options).toEqual(fitCertificate(good, { profile: 'paper', budget: options.budget }).options)
  })
})

describe('questions to a certificate that are refused', () => {
  const wide = fitCertificate({ rounds: [round, { ...round, states: states.map(([x]) => [x!, 1]) }] }, options)
  const asked = (name: 'bound' | 'bounds' | 'nearest', ...input: unknown[]) =>
    refusalOf(() => Reflect.apply(wide[name], wide, input)).message

  test.each([0, 3, -1, 1.5, Number.NaN, '1', undefined, null])('round %j', (number) => {
    expect(asked('bound', number, [0.1])).toMatch(/^bound: round must be an integer from 1 to 2, got /)
    expect(asked('bounds', number, [[0.1]])).toMatch(/^bounds: round must be an integer from 1 to 2, got /)
    expect(asked('nearest', number, [0.1], 1)).toMatch(/^nearest: round must be an integer from 1 to 2, got /)
  })

  test('a state of the wrong length, of another round, or none', () => {
    for (const state of [[], [0.1], [0.1, 0.2, 0.3], undefined, null, 0.1, 'abc', {}]) {
      expect(asked('bound', 2, state)).toMatch(/^bound: state must be 2 numbers, got /)
    }
    expect(asked('bounds', 1, [[0.1, 0.2]])).toBe('bounds: states must be states of 1 numbers, got 2')
    expect(asked('bounds', 2, [[0.1, 0.2], [0.1]])).toMatch(/^bounds: states\[1\] must be an array of 2 numbers/)
    expect(asked('bounds', 2, undefined)).toMatch(/^bounds: states must be rows/)
  })

  test('a state that is not finite', () => {
    expect(asked('bound', 2, [0.1, Number.NaN])).toMatch(/^bound: state\[1\] must be a finite number.*, got NaN$/)
    expect(asked('bound', 1, [Infinity])).toMatch(/^bound: state\[0\] must be a finite number.*, got Infinity$/)
    expect(asked('bounds', 1, [[0.1], [-Infinity]])).toMatch(/^bounds: states\[1\]\[0\] must be a finite number/)
    expect(asked('bound', 1, ['0.1'])).toMatch(/^bound: state\[0\] must be a finite number.*, got "0.1"$/)
  })

  test('a count of nearest rows that is no count', () => {
    for (const count of [-1, 1.5, Number.NaN, '3', undefined]) {
      expect(asked('nearest', 1, [0.1], count)).toMatch(/^nearest: count must be a whole number, got /)
    }
  })

  test('no states are no error', () => {
    expect(wide.bounds(2, [])).toEqual(new Float64Array(0))
  })
})
