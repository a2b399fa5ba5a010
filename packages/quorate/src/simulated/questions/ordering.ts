import type { Random } from '@quorate/certificate'
import { integerBetween, pick, shuffled } from '../draws.ts'
import { PEOPLE } from './names.ts'
import { numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Orders that follow from comparisons of two. */
export const ORDERING: readonly [Template, ...Template[]] = [placeInRace, ageDifference]

export const ORDERING_READINGS: readonly Reading[] = [
  [
    /^Four friends enter (.+?)\. (.+\.) Who finished (\w+)\?/,
    ([race = '', clues = '', place = '']) => {
      const [asked, order] = [PLACES.indexOf(place), orderOf(clues)]
      return asked < 0 || new Set(order).size !== PLACES.length ? null : raceQuestion(order, asked, clues, race)
    },
  ],
  [
    /^(\w+) is (\d+) years older than (\w+)\. \w+ is (\d+) years younger than (\w+)\. \w+ is (\d+) years older than (\w+)\./,
    ([a = '', first, b = '', second, c = '', third, d = '']) =>
      agesQuestion([a, b, c, d], [Number(first), Number(second), Number(third)]),
  ],
]

const PLACES: readonly string[] = ['first', 'second', 'third', 'last']
const RACES = ['a race', 'a regatta', 'a quiz', 'a chess cup', 'a ski run'] as const

function placeInRace(random: Random): ComputedQuestion {
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
  return raceQuestion(order, asked, clues.join(' '), pick(random, RACES))
}

function raceQuestion(order: readonly string[], asked: number, clues: string, race: string): ComputedQuestion {
  const [right = '', lure = '', one = '', two = ''] = [...order].sort(
    (a, b) => Math.abs(order.indexOf(a) - asked) - Math.abs(order.indexOf(b) - asked),
  )
  return {
    question: `Four friends enter ${race}. ${clues} Who finished ${PLACES[asked]}?`,
    right,
    lure,
    others: [one, two],
  }
}

function ageDifference(random: Random): ComputedQuestion {
  const [a = '', b = '', c = '', d = ''] = shuffled(random, PEOPLE)
  const [first, second] = [integerBetween(random, 2, 9), integerBetween(random, 2, 9)]
  const third = integerBetween(random, 2, 9) + Math.max(0, second - first)
  return agesQuestion([a, b, c, d], [first, second, third])
}

function agesQuestion(
  [a, b, c, d]: readonly [string, string, string, string],
  [first, second, third]: readonly [number, number, number],
): ComputedQuestion {
  return numericQuestion({
    question:
      `${a} is ${first} years older than ${b}. ${b} is ${second} years younger than ${c}. ${c} is ${third} years ` +
      `older than ${d}. How many years older is ${a} than ${d}?`,
    right: first - second + third,
    mistakes: [first + second + third, first + third, Math.abs(first + second - third)],
  })
}

/** The order that the clues give, beginning with the one whom nobody finished ahead of. */
function orderOf(clues: string): readonly string[] {
  const pairs = [...clues.matchAll(/\b(\w+) finished (ahead of|behind) (\w+)/g)].map(
    ([, one = '', relation, other = '']) => (relation === 'behind' ? ([other, one] as const) : ([one, other] as const)),
  )
  const after = new Map(pairs)
  const behind = new Set(after.values())
  const order = pairs.map(([ahead]) => ahead).filter((name) => !behind.has(name))
  while (order.length <= pairs.length) order.push(after.get(order.at(-1) ?? '') ?? '')
  return order
}
