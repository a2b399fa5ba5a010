import { expect, test } from 'vitest'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { summariseRounds } from '../../src/beliefs/summarise-rounds.ts'
import { namedState, type StateName } from '../../src/states/named-states.ts'

const given = (agent: string, beliefs: object) => ({ agent, answer: null, beliefs })
const debate = parseDebate({
  id: 'q',
  options: ['A', 'B', 'C'],
  rounds: [
    [given('x', { A: 0.2, B: 0.5, C: 0.3 }), given('y', { A: 0.2, B: 0.5, C: 0.3 })],
    [given('x', { A: 0.5, B: 0.25, C: 0.25 }), given('y', { A: 0.5, B: 0.25, C: 0.25 })],
  ],
})
const rounds = summariseRounds(debate)

test.each<[StateName, number[], number[]]>([
  ['paper', [0.5, 0.2], [0.5, 0.25]],
  ['paper-1d', [0.5], [0.5]],
  ['paper-3d', [0.5, 0.2, 0.3], [0.5, 0.25, 0.25]],
  ['paper-4d', [0.5, 0.2, 0.3, 1.029653014065], [0.5, 0.25, 0.25, 1.03972077084]],
  ['support-path', [0.5, 0.5], [0.5, 0.35]],
])('%s has its coordinates at each round', (name, first, second) => {
  const state = namedState(name)
  expect(state(rounds.slice(0, 1), debate)).toEqual(first)
  expect(state(rounds, debate)).toEqual(second)
})

test('the paper state forgets how the panel got here, the support path does not', () => {
  const vote = (answer: string) => [{ agent: 'x', answer }]
  const panel = (...answers: readonly string[]) =>
    summariseRounds(parseDebate({ id: 'q', options: ['A', 'B'], rounds: answers.map(vote) }))
  expect(namedState('paper')(panel('A', 'A'), debate)).toEqual(namedState('paper')(panel('B', 'A'), debate))
  expect(namedState('support-path')(panel('A', 'A'), debate)).toEqual([1, 1])
  expect(namedState('support-path')(panel('B', 'A'), debate)).toEqual([1, 0.5])
})

test('an unknown name and an empty prefix are refused', () => {
  const name = 'toString' as StateName // what a file may hold
  expect(() => namedState(name)).toThrow(
    'namedState: name must be one of paper, paper-1d, paper-3d, paper-4d, support-path, got "toString"',
  )
  expect(() => namedState('paper')([], debate)).toThrow('namedState: prefix must be one round or more')
})
