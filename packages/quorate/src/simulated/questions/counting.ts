import type { Random } from '@quorate/certificate'
import { integerBetween, pick } from '../draws.ts'
import { PEOPLE } from './names.ts'
import { numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Things counted once too often or once too little. */
export const COUNTING: readonly [Template, ...Template[]] = [posts, everyPair, outfits, tickets]

export const COUNTING_READINGS: readonly Reading[] = [
  [
    /^A straight (.+) is (\d+) metres long\. Its (\w+) stand (\d+) metres apart/,
    ([line = '', length, post = '', gap]) => postsQuestion(Number(gap), Number(length) / Number(gap), line, post),
  ],
  [/^(|At a meeting of |In a league of )(\d+) (people|teams|towns|friends) /, meetingReading],
  [
    /^(\w+) has (\d+) shirts, (\d+) pairs of trousers and (\d+) hats/,
    ([person = '', shirts, trousers, hats]) => outfitsQuestion(Number(shirts), Number(trousers), Number(hats), person),
  ],
  [
    /^(\w+) sells the tickets numbered (\d+) to (\d+), both/,
    ([person = '', first, last]) => ticketsQuestion(Number(first), Number(last) - Number(first) + 1, person),
  ],
]

const LINES = ['fence', 'garden path', 'pier', 'avenue', 'platform', 'race track straight'] as const
const POSTS = ['posts', 'lamps', 'flags', 'markers'] as const
const MEETINGS = [
  'At a meeting of # people everyone shakes hands once with everyone else. How many handshakes are there?',
  'In a league of # teams every team plays every other team once. How many matches are there?',
  '# towns are joined by direct roads, one between every two of them. How many roads are there?',
  '# friends each take one photograph together with each of the others, one for every two. How many photographs?',
] as const

function posts(random: Random): ComputedQuestion {
  const [gapMetres, gaps] = [integerBetween(random, 2, 12), integerBetween(random, 8, 80)]
  return postsQuestion(gapMetres, gaps, pick(random, LINES), pick(random, POSTS))
}

function postsQuestion(gapMetres: number, gaps: number, line: string, post: string): ComputedQuestion {
  return numericQuestion({
    question:
      `A straight ${line} is ${gapMetres * gaps} metres long. Its ${post} stand ${gapMetres} metres apart, one at ` +
      `each end. How many ${post} are there?`,
    right: gaps + 1,
    mistakes: [gaps, gaps - 1, gaps + 2],
  })
}

function everyPair(random: Random): ComputedQuestion {
  const count = integerBetween(random, 5, 60)
  return pairsQuestion(count, pick(random, MEETINGS))
}

function pairsQuestion(count: number, meeting: string): ComputedQuestion {
  const pairs = (count * (count - 1)) / 2
  return numericQuestion({
    question: meeting.replace('#', String(count)),
    right: pairs,
    mistakes: [2 * pairs, pairs + count, count * count],
  })
}

function meetingReading([before, count, who]: readonly string[]): ComputedQuestion | null {
  const meeting = MEETINGS.find((text) => text.startsWith(`${before}# ${who}`))
  return meeting === undefined ? null : pairsQuestion(Number(count), meeting)
}

function outfits(random: Random): ComputedQuestion {
  const [shirts, trousers, hats] = [
    integerBetween(random, 3, 12),
    integerBetween(random, 2, 9),
    integerBetween(random, 2, 7),
  ]
  return outfitsQuestion(shirts, trousers, hats, pick(random, PEOPLE))
}

function outfitsQuestion(shirts: number, trousers: number, hats: number, person: string): ComputedQuestion {
  return numericQuestion({
    question:
      `${person} has ${shirts} shirts, ${trousers} pairs of trousers and ${hats} hats, and wears one ` +
      'shirt, one pair of trousers and either one hat or none. How many different outfits are there?',
    right: shirts * trousers * (hats + 1),
    mistakes: [shirts * trousers * hats, shirts * trousers + hats, shirts * trousers * (hats + 2)],
  })
}

function tickets(random: Random): ComputedQuestion {
  const [first, count] = [integerBetween(random, 18, 900), integerBetween(random, 30, 400)]
  return ticketsQuestion(first, count, pick(random, PEOPLE))
}

function ticketsQuestion(first: number, count: number, person: string): ComputedQuestion {
  return numericQuestion({
    question:
      `${person} sells the tickets numbered ${first} to ${first + count - 1}, both included. How many ` +
      'tickets is that?',
    right: count,
    mistakes: [count - 1, count + 1, count - 2],
  })
}
