import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { nameSchema, textSchema, versionSchema } from './names.ts'

/** A question as it is asked and stored. Its options are in order, each with a name (what agents answer) and a text. */
export const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** The text equals the name if only names were given. */
  options: z.array(z.object({ name: z.string(), text: z.string() })).min(1),
  /** Name of the right option; null if unknown. */
  gold: z.string().nullable(),
  /** Open answers: the right answer in words, since no option names it. */
  goldText: z.string().optional(),
  group: z.string().nullable(),
  /** Columns of its CSV row, or fields of its JSON line, in order; absent unless the caller asked to keep them. */
  columns: z.array(z.tuple([z.string(), z.unknown()])).optional(),
})
/** Names and values, in order. Values from CSV are strings, values from JSONL any JSON. */
export type QuestionColumns = readonly (readonly [string, unknown])[]
export type Question = Omit<Immutable<z.infer<typeof questionSchema>>, 'columns'> & {
  readonly columns?: QuestionColumns | undefined
}
export type QuestionOption = Question['options'][number]

/** Whether the right answer is known, as an option or in words. */
export function isLabelled({ gold, goldText }: Question): boolean {
  return gold !== null || goldText !== undefined
}

/** A list of names in order, or a map from name to text. */
export function optionsSchema(fewest: number, text: z.ZodType<string, string>) {
  const expected = `expected ${fewest} to ${LIMITS.options} options`
  return z.union([
    z.array(nameSchema).min(fewest).max(LIMITS.options),
    z
      .record(nameSchema, text)
      .refine((options) => isCount(options, fewest), expected)
      .meta({ minProperties: fewest, maxProperties: LIMITS.options }),
  ])
}

function isCount(options: object, fewest: number): boolean {
  const { length } = Object.keys(options)
  return length >= fewest && length <= LIMITS.options
}

/** A line of a question file. The file reader checks more, and keeps an option named `__proto__`. */
export const questionLineSchema = z.looseObject({
  quorate: versionSchema,
  id: nameSchema,
  question: textSchema.min(1),
  options: optionsSchema(LIMITS.fewestOptions, textSchema.min(1))
    .optional()
    .describe(
      'A list of names in their order, or an object of name to text, in code point order of the names. Left out if the config has answers',
    ),
  gold: z.string().nullable().optional().describe('Name of the right option'),
  group: z.string().max(LIMITS.name).nullable().optional(),
})

/** What else is known about a question before it is asked. */
export const fieldsSchema = z
  .record(nameSchema, z.union([textSchema, z.number(), z.boolean(), z.null()]))
  .refine((fields) => Object.keys(fields).length <= 100, 'expected at most 100 fields')
  .meta({ maxProperties: 100 })
  .optional()
  .describe('Name to value, for rules of the config such as alwaysReview: [{ when: { field: amount, above: 1000 } }]')

/** Over HTTP, values are texts, numbers, booleans and null. The columns of a file may have any JSON. */
export type FieldValues = Readonly<Record<string, unknown>>

/** The question with these fields as its columns. */
export function withFields(question: Question, fields: FieldValues | undefined): Question {
  return fields === undefined ? question : { ...question, columns: Object.entries(fields) }
}

/** The key of a question. Ids of questions are unique only within their run. */
export type QuestionKey = { readonly runId: string; readonly questionId: string }
