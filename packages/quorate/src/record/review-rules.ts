import { canonicalJson } from '@quorate/certificate'
import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import type { Question } from './question.ts'

/*
 * Questions that always go to a person, by what is known before the debate. Nobody is asked about them. A rule only takes
 * actions away, so that a promise about all questions holds with it.
 */

const name = (expected: string) => z.string({ error: expected }).min(1, { error: expected }).max(LIMITS.name)
const NUMBER = 'a number, such as 1000'
const VALUE = 'a text, a number, true or false'
const WHEN = 'a map such as { group: vip }, { field: amount, above: 1000 } or { field: country, is: CH }'

const BLANK = 'review or debate'
const groupSchema = z.strictObject({
  group: name('the name of a group').describe('Questions of this group, and those without a group.'),
  blank: z
    .enum(['review', 'debate'], { error: BLANK })
    .optional()
    .describe('What happens to a question without a group: it is reviewed too (default), or debated.'),
})
const fieldSchema = z
  .strictObject({
    field: name('the name of a column').describe('A column of the file, or one of the fields of a question over HTTP.'),
    above: z.number({ error: NUMBER }).optional().describe('Numbers above this, and values that are not numbers.'),
    below: z.number({ error: NUMBER }).optional().describe('Numbers below this, and values that are not numbers.'),
    is: z
      .union([z.string(), z.number(), z.boolean()], { error: VALUE })
      .optional()
      .describe('This value, and missing values.'),
  })
  .refine(({ above, below, is }) => [above, below, is].filter((each) => each !== undefined).length === 1, {
    error: 'a map with field and one of above, below and is',
  })

export const reviewRulesSchema = z
  .array(
    z.strictObject(
      { when: z.union([groupSchema, fieldSchema], { error: WHEN }) },
      { error: `a map with when, ${WHEN}` },
    ),
    { error: 'a list of rules, such as [{ when: { group: vip } }]' },
  )
  .max(100, { error: 'a list of at most 100 rules' })

export type ReviewRule = Immutable<z.output<typeof reviewRulesSchema>>[number]

/** Whether some rule sends the question to a person. Fail closed: so does one that cannot be applied. */
export function isAlwaysReviewed(
  rules: readonly ReviewRule[] | undefined,
  question: Pick<Question, 'group' | 'columns'>,
): boolean {
  return (rules ?? []).some(({ when }) => {
    if ('group' in when) {
      const group = plain(question.group ?? '')
      // Nobody knows of which group it is, unless the rule says that it is of none.
      return group === '' ? when.blank !== 'debate' : group === plain(when.group)
    }
    const value = question.columns?.find(([title]) => title === when.field)?.[1] ?? null
    if (value === null || plain(value) === '') return true
    if (typeof when.is === 'string') return plain(value) === plain(when.is)
    // Spreadsheets write TRUE and FALSE; of any other word nobody knows which it is.
    if (typeof when.is === 'boolean') return plain(value) === String(when.is) || !/^(?:true|false)$/u.test(plain(value))
    const numbers = numbersOf(value)
    return numbers.length === 0 || numbers.some((number) => isMeant(when, number))
  })
}

function isMeant(when: Exclude<ReviewRule['when'], { group: string }>, number: number): boolean {
  if (when.is !== undefined) return number === when.is
  return when.above === undefined ? number < (when.below ?? Number.NaN) : number > when.above
}

/**
 * Every number that the value may stand for: `1.000` is one to some and a thousand to others. None for what is no number, or is
 * written otherwise, such as 1.000,50 or 1,000.
 */
function numbersOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [value] : []
  const text = plain(value)
  const isGrouped = /^[+-]?\d{1,3}(?:\.\d{3})+$/u.test(text)
  return [Number(text), ...(isGrouped ? [Number(text.replaceAll('.', ''))] : [])].filter(Number.isFinite)
}

/** What people take for the same text: case, width, accents in one or two characters and kinds of space do not count. */
function plain(value: unknown): string {
  return String(value).normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}

/** The rules in words, each a line of canonical JSON: equal for equal rules in any order. */
export function reviewRulesWords(rules: readonly ReviewRule[]): string {
  return [...new Set(rules.map(({ when }) => canonicalJson(when)))].sort().join('\n')
}
