import type { Random } from '@quorate/certificate'
import { integerBetween, pick } from '../draws.ts'
import { PEOPLE } from './names.ts'
import { grouped, numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Word problems with a well-known wrong turn. */
export const ARITHMETIC: readonly [Template, ...Template[]] = [packedBoxes, priceUpAndDown, twoPrices, returnTrip]

export const ARITHMETIC_READINGS: readonly Reading[] = [
  [
    /^(\w+) packs (\d+) boxes of (\d+) (\w+) each and then takes (\d+) /,
    ([person = '', boxes, each, goods = '', out]) =>
      boxesQuestion(Number(boxes), Number(each), Number(out), goods, person),
  ],
  [
    /^A (\w+) costs ([\d,]+) euros\. The price rises by (\d+) % and later falls by (\d+) %/,
    ([article = '', price = '', rise, fall]) =>
      priceQuestion(Number(price.replaceAll(',', '')), Number(rise), Number(fall), article),
  ],
  [
    /^A (\w+) and a (\w+) together cost (\d+) euros\. The \w+ costs (\d+) euros more/,
    ([large = '', small = '', both, more]) =>
      pairQuestion((Number(both) - Number(more)) / 2, Number(more), large, small),
  ],
  [
    /^(\w+) travels to (.+) at (\d+) km\/h and returns on the same road at (\d+) km\/h/,
    ([person = '', place = '', there, back]) => tripQuestion(Number(there), Number(back), person, place),
  ],
]

const GOODS = ['pencils', 'apples', 'screws', 'candles', 'tiles', 'notebooks', 'bulbs', 'jars'] as const
const ARTICLES = ['coat', 'bicycle', 'lamp', 'tent', 'camera', 'printer', 'rug', 'kayak', 'desk', 'radio'] as const
const PAIRS = [
  ['racket', 'ball'],
  ['cup', 'saucer'],
  ['kettle', 'spoon'],
  ['book', 'pen'],
  ['lamp', 'bulb'],
  ['bag', 'belt'],
] as const
const PLACES = ['a lake', 'the next town', 'a castle', 'the coast', 'a market', 'a farm'] as const
/** Speeds there and back whose harmonic mean is whole. */
const SPEEDS = [
  [6, 12],
  [10, 15],
  [12, 24],
  [12, 36],
  [14, 35],
  [15, 30],
  [18, 36],
  [20, 30],
  [20, 60],
  [24, 40],
  [30, 60],
  [30, 70],
  [40, 60],
  [45, 90],
  [60, 90],
] as const

function packedBoxes(random: Random): ComputedQuestion {
  const [boxes, each, out] = [
    integerBetween(random, 12, 48),
    integerBetween(random, 13, 36),
    integerBetween(random, 21, 99),
  ]
  const goods = pick(random, GOODS)
  return boxesQuestion(boxes, each, out, goods, pick(random, PEOPLE))
}

function boxesQuestion(boxes: number, each: number, out: number, goods: string, person: string): ComputedQuestion {
  const right = boxes * each - out
  return numericQuestion({
    question:
      `${person} packs ${boxes} boxes of ${each} ${goods} each and then takes ${out} ${goods} out ` +
      `again. How many ${goods} are left in the boxes?`,
    right,
    mistakes: [right + 10, boxes * each + out, right - 10],
  })
}

function priceUpAndDown(random: Random): ComputedQuestion {
  const price = 100 * integerBetween(random, 2, 30)
  const [rise, fall] = [10 * integerBetween(random, 1, 5), 10 * integerBetween(random, 1, 5)]
  return priceQuestion(price, rise, fall, pick(random, ARTICLES))
}

function priceQuestion(price: number, rise: number, fall: number, article: string): ComputedQuestion {
  const right = (price * (100 + rise) * (100 - fall)) / 10_000
  return numericQuestion({
    question:
      `A ${article} costs ${grouped(price)} euros. The price rises by ${rise} % and later falls by ` +
      `${fall} %. What does it cost then, in euros?`,
    right,
    mistakes: [(price * (100 + rise - fall)) / 100, (price * (100 - fall)) / 100, right + price / 10],
  })
}

function twoPrices(random: Random): ComputedQuestion {
  const [cheap, more] = [integerBetween(random, 2, 45), integerBetween(random, 10, 120)]
  const [large, small] = pick(random, PAIRS)
  return pairQuestion(cheap, more, large, small)
}

function pairQuestion(cheap: number, more: number, large: string, small: string): ComputedQuestion {
  return numericQuestion({
    question:
      `A ${large} and a ${small} together cost ${2 * cheap + more} euros. The ${large} costs ${more} euros more than ` +
      `the ${small}. What does the ${small} cost, in euros?`,
    right: cheap,
    mistakes: [2 * cheap, cheap + more, more],
  })
}

function returnTrip(random: Random): ComputedQuestion {
  const speeds = pick(random, SPEEDS)
  const [there, back] = random() < 0.5 ? speeds : [speeds[1], speeds[0]]
  return tripQuestion(there, back, pick(random, PEOPLE), pick(random, PLACES))
}

function tripQuestion(there: number, back: number, person: string, place: string): ComputedQuestion {
  const right = (2 * there * back) / (there + back)
  return numericQuestion({
    question:
      `${person} travels to ${place} at ${there} km/h and returns on the same road at ` +
      `${back} km/h. What is the average speed of the whole trip, in km/h?`,
    right,
    mistakes: [Math.ceil((there + back) / 2), Math.max(there, back), right - 2],
  })
}
