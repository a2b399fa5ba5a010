import { canonicalJson } from '@quorate/certificate'
import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import type { Question } from './question.ts'

/*
 * Rules that send questions to a person, by what is known before the debate. No model is asked about such a question. A
 * rule can only prevent actions, so a promise about all questions still holds.
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

/** Whether a rule sends the question to a person. It fails closed: a rule that cannot be applied does so too. */
export function isAlwaysReviewed(
  rules: readonly ReviewRule[] | undefined,
  question: Pick<Question, 'group' | 'columns'>,
): boolean {
  return (rules ?? []).some(({ when }) => {
    if ('group' in when) {
      const group = plain(question.group ?? '')
      // Its group is unknown, unless the rule says that a blank means no group.
      return group === '' ? when.blank !== 'debate' : group === plain(when.group)
    }
    const value = question.columns?.find(([title]) => title === when.field)?.[1] ?? null
    // A list or an object could mean anything.
    if (value === null || typeof value === 'object' || plain(value) === '') return true
    if (typeof when.is === 'string') return plain(value) === plain(when.is)
    // Spreadsheets write TRUE and FALSE. Any other word could mean either, so the rule applies.
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
 * Every number that the value may mean: `1.000` is one in some countries and a thousand in others. Empty for a value
 * that is not a number or is written in another way, such as 1.000,50 or 1,000.
 */
function numbersOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [value] : []
  const text = plain(value)
  const isGrouped = /^[+-]?\d{1,3}(?:\.\d{3})+$/u.test(text)
  return [Number(text), ...(isGrouped ? [Number(text.replaceAll('.', ''))] : [])].filter(Number.isFinite)
}

/** Normalises a text: case, width, composed or decomposed accents and kinds of space do not matter. */
function plain(value: unknown): string {
  return String(value).normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}

/** The rules as lines of canonical JSON, the same for equal rules in any order. */
export function reviewRulesWords(rules: readonly ReviewRule[]): string {
  return [...new Set(rules.map(({ when }) => canonicalJson(when)))].sort().join('\n')
}
