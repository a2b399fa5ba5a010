import type { Random } from '@quorate/certificate'
import { pick } from '../draws.ts'
import { ARITHMETIC } from './arithmetic.ts'
import { CALENDAR } from './calendar.ts'
import { COUNTING } from './counting.ts'
import { ORDERING } from './ordering.ts'
import { PUZZLES } from './puzzles.ts'
import type { ComputedQuestion, Template } from './question.ts'
import { UNITS } from './units.ts'

/** Kinds of question; the name is the group of the debate. */
export const FAMILIES = Object.freeze({
  arithmetic: ARITHMETIC,
  calendar: CALENDAR,
  counting: COUNTING,
  ordering: ORDERING,
  puzzles: PUZZLES,
  units: UNITS,
}) satisfies Readonly<Record<string, readonly [Template, ...Template[]]>>

export type Family = keyof typeof FAMILIES

/** Families to draw from, each as often as it is named. */
export type Mix = readonly [Family, ...Family[]]

export const USUAL_MIX = Object.freeze(['arithmetic', 'calendar', 'counting', 'ordering', 'units']) satisfies Mix

/** Four in five of these questions are of a family that no calibration has seen. */
export const SHIFTED_MIX = Object.freeze([
  ...USUAL_MIX,
  ...new Array<'puzzles'>(4 * USUAL_MIX.length).fill('puzzles'),
] as const) satisfies Mix

export function drawQuestion(random: Random, family: Family): ComputedQuestion {
  return pick(random, FAMILIES[family])(random)
}
