import type { Random } from '@quorate/certificate'
import { integerBetween, pick } from '../draws.ts'
import { PEOPLE } from './names.ts'
import { numericQuestion } from './numeric-question.ts'
import type { Question, Template } from './question.ts'

/** Things counted once too often or once too little. */
export const COUNTING: readonly [Template, ...Template[]] = [posts, everyPair, outfits, tickets]

const LINES = ['fence', 'garden path', 'pier', 'avenue', 'platform', 'race track straight'] as const
const POSTS = ['posts', 'lamps', 'flags', 'markers'] as const
const MEETINGS = [
  'At a meeting of # people everyone shakes hands once with everyone else. How many handshakes are there?',
  'In a league of # teams every team plays every other team once. How many matches are there?',
  '# towns are joined by direct roads, one between every two of them. How many roads are there?',
  '# friends each take one photograph together with each of the others, one for every two. How many photographs?',
] as const

function posts(random: Random): Question {
  const [gapMetres, gaps] = [integerBetween(random, 2, 12), integerBetween(random, 8, 80)]
  const [line, post] = [pick(random, LINES), pick(random, POSTS)]
  return numericQuestion({
    question:
      `A straight ${line} is ${gapMetres * gaps} metres long. Its ${post} stand ${gapMetres} metres apart, one at ` +
      `each end. How many ${post} are there?`,
    right: gaps + 1,
    mistakes: [gaps, gaps - 1, gaps + 2],
  })
}

function everyPair(random: Random): Question {
  const count = integerBetween(random, 5, 60)
  const pairs = (count * (count - 1)) / 2
  return numericQuestion({
    question: pick(random, MEETINGS).replace('#', String(count)),
    right: pairs,
    mistakes: [2 * pairs, pairs + count, count * count],
  })
}

function outfits(random: Random): Question {
  const [shirts, trousers, hats] = [
    integerBetween(random, 3, 12),
    integerBetween(random, 2, 9),
    integerBetween(random, 2, 7),
  ]
  return numericQuestion({
    question:
      `${pick(random, PEOPLE)} has ${shirts} shirts, ${trousers} pairs of trousers and ${hats} hats, and wears one ` +
      'shirt, one pair of trousers and either one hat or none. How many different outfits are there?',
    right: shirts * trousers * (hats + 1),
    mistakes: [shirts * trousers * hats, shirts * trousers + hats, shirts * trousers * (hats + 2)],
  })
}

function tickets(random: Random): Question {
  const [first, count] = [integerBetween(random, 18, 900), integerBetween(random, 30, 400)]
  return numericQuestion({
    question:
      `${pick(random, PEOPLE)} sells the tickets numbered ${first} to ${first + count - 1}, both included. How many ` +
      'tickets is that?',
    right: count,
    mistakes: [count - 1, count + 1, count - 2],
  })
}
