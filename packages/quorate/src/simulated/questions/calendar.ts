import type { Random } from '@quorate/certificate'
import { integerBetween, pick, shuffled } from '../draws.ts'
import { numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Dates and weekdays: off by one, months of unequal length, leap years. */
export const CALENDAR: readonly [Template, ...Template[]] = [daysIncluded, weekdayLater, dateLater]

export const CALENDAR_READINGS: readonly Reading[] = [
  [
    /^(.+) runs from (\d+ \w+ \d+) to (\d+ \w+ \d+), both days included/,
    ([event = '', first = '', last = '']) => daysQuestion(dayOf(first), dayOf(last) - dayOf(first) + 1, event),
  ],
  [
    /^(\d+ \w+ \d+) is a \w+\. Which day of the week is (\d+ \w+ \d+)\?/,
    // The two options that are neither right nor the lure were random, so the text does not reveal them.
    ([first = '', last = '']) => weekdayQuestion(dayOf(first), dayOf(last), WEEKDAYS),
  ],
  [
    /^(.+) sent on (\d+ \w+ \d+) arrives (\d+) days later/,
    ([sent = '', first = '', later]) => dateQuestion(dayOf(first), Number(later), sent),
  ],
]

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const EVENTS = ['A course', 'An exhibition', 'A voyage', 'A lease', 'A festival', 'A study'] as const
const SENT = ['A parcel', 'A letter', 'An order', 'A crate'] as const

/** Days since 1 January 1970. */
type Day = number

function daysIncluded(random: Random): ComputedQuestion {
  const [first, length] = [drawDay(random), integerBetween(random, 12, 120)]
  return daysQuestion(first, length, pick(random, EVENTS))
}

function daysQuestion(first: Day, length: number, event: string): ComputedQuestion {
  return numericQuestion({
    question:
      `${event} runs from ${written(first)} to ${written(first + length - 1)}, both days included. ` +
      'How many days does it last?',
    right: length,
    mistakes: [length - 1, length + 1, length - 2],
  })
}

function weekdayLater(random: Random): ComputedQuestion {
  const [first, later] = [drawDay(random), integerBetween(random, 25, 300)]
  const [right, lure] = [weekday(first + later), weekday(first + later - 1)]
  const others = shuffled(
    random,
    WEEKDAYS.filter((day) => day !== right && day !== lure),
  )
  return weekdayQuestion(first, first + later, others)
}

function weekdayQuestion(first: Day, last: Day, others: readonly string[]): ComputedQuestion {
  const [right, lure] = [weekday(last), weekday(last - 1)]
  const [one = right, two = right] = others.filter((day) => day !== right && day !== lure)
  return {
    question: `${written(first)} is a ${weekday(first)}. Which day of the week is ${written(last)}?`,
    right,
    lure,
    others: [one, two],
  }
}

function dateLater(random: Random): ComputedQuestion {
  const [first, later] = [drawDay(random), integerBetween(random, 35, 150)]
  return dateQuestion(first, later, pick(random, SENT))
}

function dateQuestion(first: Day, later: number, sent: string): ComputedQuestion {
  const right = first + later
  // Counting the first day as day one is the usual slip.
  return {
    question: `${sent} sent on ${written(first)} arrives ${later} days later. On which date?`,
    right: written(right),
    lure: written(right - 1),
    others: [written(right + 1), written(right + 2)],
  }
}

/** A day of the years 2021 to 2032. */
function drawDay(random: Random): Day {
  return integerBetween(random, 18_628, 23_010)
}

function weekday(day: Day): string {
  return WEEKDAYS[(day + 4) % 7] ?? ''
}

/** NaN for a text that is no date. The question that is made from it then differs from the text that was read. */
function dayOf(written: string): Day {
  const [day, month = '', year] = written.split(' ')
  const monthIndex = MONTHS.indexOf(month)
  return monthIndex < 0 ? Number.NaN : Date.UTC(Number(year), monthIndex, Number(day)) / 86_400_000
}

/** 29 February 2028 */
function written(day: Day): string {
  const date = new Date(day * 86_400_000)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
