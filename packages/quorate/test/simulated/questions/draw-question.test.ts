import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../../src/simulated/panel.ts'
import { drawQuestion, FAMILIES, type Family } from '../../../src/simulated/questions/draw-question.ts'
import { PEOPLE } from '../../../src/simulated/questions/names.ts'
import { solve } from './solve.ts'

describe.each(Object.keys(FAMILIES) as Family[])('questions on %s', (family) => {
  test.each(FAMILIES[family].map((template) => [template.name, template] as const))(
    '%s: the right option is what another way of working it out gives',
    (_, template) => {
      const random = seededRandom(20260101)
      for (let draw = 0; draw < 400; draw++) {
        const { question, right } = template(random)
        expect({ question, right }).toEqual({ question, right: solve(question) })
      }
    },
  )

  test('four options differ and none is empty', () => {
    const random = seededRandom(3)
    for (let draw = 0; draw < 2000; draw++) {
      const { question, right, lure, others } = drawQuestion(random, family)
      const options = [right, lure, ...others]
      expect(new Set(options).size, `${question} ${options.join(' | ')}`).toBe(4)
      expect(options.every((option) => /^[\w][\w, ]*$/.test(option))).toBe(true)
    }
  })
})

test('nobody in a question has the name of an agent', () => {
  const people = PEOPLE.map((name) => name.toLowerCase())
  expect(AGENTS.filter(({ name }) => people.includes(name))).toEqual([])
})

test('the solver finds a wrong answer wrong', () => {
  expect(solve('Ada sells the tickets numbered 3 to 5, both included. How many tickets is that?')).not.toBe('2')
})
