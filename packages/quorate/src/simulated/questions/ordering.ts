import type { Random } from '@quorate/certificate'
import { integerBetween, pick, shuffled } from '../draws.ts'
import { PEOPLE } from './names.ts'
import { numericQuestion } from './numeric-question.ts'
import type { Question, Template } from './question.ts'

/** Orders to be put together from comparisons of two. */
export const ORDERING: readonly [Template, ...Template[]] = [placeInRace, ageDifference]

const PLACES = ['first', 'second', 'third', 'last'] as const
const RACES = ['a race', 'a regatta', 'a quiz', 'a chess cup', 'a ski run'] as const

function placeInRace(random: Random): Question {
  const order = shuffled(random, PEOPLE).slice(0, PLACES.length)
  const [first = '', second = '', third = '', last = ''] = order
  const pairs = [
    [first, second],
    [second, third],
    [third, last],
  ] as const
  const clues = shuffled(random, pairs).map(([before, after]) =>
    random() < 0.5 ? `${before} finished ahead of ${after}.` : `${after} finished behind ${before}.`,
  )
  const asked = integerBetween(random, 0, PLACES.length - 1)
  const [right = '', lure = '', one = '', two = ''] = [...order].sort(
    (a, b) => Math.abs(order.indexOf(a) - asked) - Math.abs(order.indexOf(b) - asked),
  )
  return {
    question: `Four friends enter ${pick(random, RACES)}. ${clues.join(' ')} Who finished ${PLACES[asked]}?`,
    right,
    lure,
    others: [one, two],
  }
}

function ageDifference(random: Random): Question {
  const [a = '', b = '', c = '', d = ''] = shuffled(random, PEOPLE)
  const [first, second] = [integerBetween(random, 2, 9), integerBetween(random, 2, 9)]
  const third = integerBetween(random, 2, 9) + Math.max(0, second - first)
  return numericQuestion({
    question:
      `${a} is ${first} years older than ${b}. ${b} is ${second} years younger than ${c}. ${c} is ${third} years ` +
      `older than ${d}. How many years older is ${a} than ${d}?`,
    right: first - second + third,
    mistakes: [first + second + third, first + third, Math.abs(first + second - third)],
  })
}
