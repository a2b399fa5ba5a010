import type { Random } from '@quorate/certificate'
import { pick } from '../draws.ts'
import { ARITHMETIC } from './arithmetic.ts'
import { CALENDAR } from './calendar.ts'
import { COUNTING } from './counting.ts'
import { ORDERING } from './ordering.ts'
import type { Question, Template } from './question.ts'
import { UNITS } from './units.ts'

/** Kinds of question; the name is the group of the debate. */
export const FAMILIES = Object.freeze({
  arithmetic: ARITHMETIC,
  calendar: CALENDAR,
  counting: COUNTING,
  ordering: ORDERING,
  units: UNITS,
}) satisfies Readonly<Record<string, readonly [Template, ...Template[]]>>

export type Family = keyof typeof FAMILIES

export const FAMILY_NAMES = ['arithmetic', 'calendar', 'counting', 'ordering', 'units'] as const satisfies Family[]

export function drawQuestion(random: Random, family: Family): Question {
  return pick(random, FAMILIES[family])(random)
}
