import { expect, test } from 'vitest'
import { sidesOf } from '../../../src/pages/debates/answer-sides.ts'

const turn = (agent: string, answer: string | null) => ({ agent, answer, beliefs: null, confidence: null, text: null })

test('turns are grouped by answer, the most common first and no answer last', () => {
  const sides = sidesOf([turn('a', null), turn('b', null), turn('c', 'A'), turn('d', 'B'), turn('e', 'B')])
  expect(sides.map(({ answer, turns }) => [answer, turns.map(({ agent }) => agent)])).toEqual([
    ['B', ['d', 'e']],
    ['A', ['c']],
    [null, ['a', 'b']],
  ])
})

test('an option with the name of an object property is an answer like any other', () => {
  expect(sidesOf([turn('a', '__proto__'), turn('b', 'constructor')]).map(({ answer }) => answer)).toEqual([
    '__proto__',
    'constructor',
  ])
})
