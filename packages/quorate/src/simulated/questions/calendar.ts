import type { Random } from '@quorate/certificate'
import { integerBetween, pick, shuffled } from '../draws.ts'
import { numericQuestion } from './numeric-question.ts'
import type { Question, Template } from './question.ts'

/** Dates and weekdays: off by one, months of unequal length, leap years. */
export const CALENDAR: readonly [Template, ...Template[]] = [daysIncluded, weekdayLater, dateLater]

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = [
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
] as const
const EVENTS = ['A course', 'An exhibition', 'A voyage', 'A lease', 'A festival', 'A study'] as const
const SENT = ['A parcel', 'A letter', 'An order', 'A crate'] as const

/** Days since 1 January 1970. */
type Day = number

function daysIncluded(random: Random): Question {
  const [first, length] = [drawDay(random), integerBetween(random, 12, 120)]
  return numericQuestion({
    question:
      `${pick(random, EVENTS)} runs from ${written(first)} to ${written(first + length - 1)}, both days included. ` +
      'How many days does it last?',
    right: length,
    mistakes: [length - 1, length + 1, length - 2],
  })
}

function weekdayLater(random: Random): Question {
  const [first, later] = [drawDay(random), integerBetween(random, 25, 300)]
  const right = weekday(first + later)
  const lure = weekday(first + later - 1)
  const [one = right, two = right] = shuffled(
    random,
    WEEKDAYS.filter((day) => day !== right && day !== lure),
  )
  return {
    question: `${written(first)} is a ${weekday(first)}. Which day of the week is ${written(first + later)}?`,
    right,
    lure,
    others: [one, two],
  }
}

function dateLater(random: Random): Question {
  const [first, later] = [drawDay(random), integerBetween(random, 35, 150)]
  const right = first + later
  // Counting the first day as day one is the usual slip.
  return {
    question: `${pick(random, SENT)} sent on ${written(first)} arrives ${later} days later. On which date?`,
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

/** 29 February 2028 */
function written(day: Day): string {
  const date = new Date(day * 86_400_000)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
