import type { Random } from '@quorate/certificate'
import { integerBetween, pick } from '../draws.ts'
import { grouped, numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Conversions that go wrong by a power of ten or by counting in hundredths. */
export const UNITS: readonly [Template, ...Template[]] = [metresTravelled, decimalHours, squareCentimetres, tankFilled]

export const UNITS_READINGS: readonly Reading[] = [
  [
    /^A (.+) moves at a steady (\d+) km\/h\. How many metres does it cover in (\d+) seconds/,
    ([mover = '', speed, seconds]) => metresQuestion(Number(speed) / 18, Number(seconds), mover),
  ],
  [
    /^A (\w+) lasts (\d+)\.(\d) hours/,
    ([lasting = '', hours, tenths]) => hoursQuestion(Number(hours), Number(tenths), lasting),
  ],
  [
    /^A (\w+) measures (\d+) metres by (\d+) metres/,
    ([surface = '', length, width]) => areaQuestion(Number(length), Number(width), surface),
  ],
  [
    /^A pump moves (\d+) litres a minute\. .+ a tank of ([\d,.]+) cubic metres/,
    ([litresAMinute, cubicMetres = '']) => {
      const litres = Math.round(Number(cubicMetres.replaceAll(',', '')) * 1000)
      return tankQuestion(Number(litresAMinute), litres / Number(litresAMinute))
    },
  ],
]

const MOVERS = ['cyclist', 'tram', 'ferry', 'skater', 'drone', 'train', 'cable car', 'sledge'] as const
const LASTING = ['film', 'concert', 'flight', 'lecture', 'drive', 'hike', 'match', 'voyage', 'recording'] as const
const SURFACES = ['floor', 'wall', 'sail', 'poster', 'lawn', 'banner', 'roof', 'stage'] as const

function metresTravelled(random: Random): ComputedQuestion {
  const [fifths, seconds] = [integerBetween(random, 1, 6), integerBetween(random, 6, 90)]
  return metresQuestion(fifths, seconds, pick(random, MOVERS))
}

function metresQuestion(fifths: number, seconds: number, mover: string): ComputedQuestion {
  const kilometresAnHour = 18 * fifths
  const right = 5 * fifths * seconds
  return numericQuestion({
    question:
      `A ${mover} moves at a steady ${kilometresAnHour} km/h. How many metres does it cover in ` +
      `${seconds} seconds?`,
    right,
    mistakes: [kilometresAnHour * seconds, right * 10, right + 5 * fifths],
  })
}

function decimalHours(random: Random): ComputedQuestion {
  const [hours, tenths] = [integerBetween(random, 1, 14), integerBetween(random, 1, 9)]
  return hoursQuestion(hours, tenths, pick(random, LASTING))
}

function hoursQuestion(hours: number, tenths: number, lasting: string): ComputedQuestion {
  const right = 60 * hours + 6 * tenths
  return numericQuestion({
    question: `A ${lasting} lasts ${hours}.${tenths} hours. How many minutes is that?`,
    right,
    mistakes: [60 * hours + 10 * tenths, 60 * hours + tenths, 100 * hours + 10 * tenths],
  })
}

function squareCentimetres(random: Random): ComputedQuestion {
  const [length, width] = [integerBetween(random, 3, 40), integerBetween(random, 2, 25)]
  return areaQuestion(length, width, pick(random, SURFACES))
}

function areaQuestion(length: number, width: number, surface: string): ComputedQuestion {
  const squareMetres = length * width
  return numericQuestion({
    question: `A ${surface} measures ${length} metres by ${width} metres. What is its area in square centimetres?`,
    right: squareMetres * 10_000,
    mistakes: [squareMetres * 100, squareMetres * 1_000, squareMetres * 100_000],
  })
}

function tankFilled(random: Random): ComputedQuestion {
  const [litresAMinute, minutes] = [5 * integerBetween(random, 2, 40), 2 * integerBetween(random, 10, 250)]
  return tankQuestion(litresAMinute, minutes)
}

function tankQuestion(litresAMinute: number, minutes: number): ComputedQuestion {
  const litres = litresAMinute * minutes
  return numericQuestion({
    question:
      `A pump moves ${litresAMinute} litres a minute. How many minutes does it need to fill a tank of ` +
      `${cubicMetres(litres)} cubic metres?`,
    right: minutes,
    mistakes: [minutes / 10, minutes * 10, minutes + 10],
  })
}

/** 12.35 for 12,350 litres. */
function cubicMetres(litres: number): string {
  const [whole = '', fraction = ''] = (litres / 1000).toFixed(3).split('.')
  const shown = fraction.replace(/0+$/, '')
  return shown === '' ? grouped(Number(whole)) : `${grouped(Number(whole))}.${shown}`
}
