import { z } from 'zod'
import { judgeFields } from './judge-settings.ts'
import { LIMITS } from './limits.ts'

/*
 * Open answers: a number, a text, mathematics, a JSON object, or free text that a model compares. Answers that mean the
 * same form one class. Classes are named 1, 2, ... by first appearance, so every question has the same options, and
 * their names reveal nothing.
 */

const tolerance = (usual: number) => {
  const error = 'a number of at least 0, such as 0.01'
  return z.number({ error }).min(0, { error }).default(usual)
}

const NORMALISE = ['case', 'space', 'punctuation', 'accents', 'articles'] as const
const normalise = z
  .array(z.enum(NORMALISE, { error: `one of ${NORMALISE.join(', ')}` }), { error: `a list of ${NORMALISE.join(', ')}` })
  .default(['case', 'space', 'punctuation'])
  .describe('Differences that are ignored when two texts are compared.')

const MOST_CLASSES = 60
const classes = z
  .int({ error: `a whole number from 2 to ${MOST_CLASSES}` })
  .min(2, { error: `a whole number from 2 to ${MOST_CLASSES}` })
  .max(MOST_CLASSES, { error: `a whole number from 2 to ${MOST_CLASSES}` })
  .default(12)
  .describe('The largest number of different answers in one debate. Further ones count as abstentions.')

const numberFields = {
  absTol: tolerance(0).describe('Two numbers that differ by at most this are the same answer.'),
  relTol: tolerance(1e-9).describe(
    'Two numbers that differ by at most this share of the larger one are the same answer.',
  ),
  unit: z
    .string({ error: 'the unit of the answer, such as kg' })
    .min(1, { error: 'the unit of the answer, such as kg' })
    .max(LIMITS.name, { error: 'the unit of the answer, such as kg' })
    .optional()
    .describe('Answers in another unit of the same quantity are converted. A number without a unit is in this unit.'),
}

const numberAnswersSchema = z.strictObject({ kind: z.literal('number'), ...numberFields, classes })
const textAnswersSchema = z.strictObject({ kind: z.literal('text'), normalise, classes })
const mathAnswersSchema = z.strictObject({ kind: z.literal('math'), classes })

const field = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('number'), ...numberFields }),
    z.strictObject({ kind: z.literal('text'), normalise }),
  ],
  { error: 'a map with kind: number or kind: text' },
)
export type JsonField = z.output<typeof field>

const FIELDS = 'a map of 1 to 50 fields, such as { total: { kind: number } }'
const jsonAnswersSchema = z.strictObject({
  kind: z.literal('json'),
  fields: z
    .record(z.string().min(1).max(LIMITS.name), field, { error: FIELDS })
    .refine((fields) => Object.keys(fields).length >= 1 && Object.keys(fields).length <= 50, { error: FIELDS })
    .describe(
      'The fields of the object that are compared. Two answers are the same if all of these fields are. Other fields are ignored.',
    ),
  classes,
})

const judgedAnswersSchema = z.strictObject({ kind: z.literal('judged'), ...judgeFields, classes })

/** One schema for each kind of open answer. A new kind is a new member of this list. */
export const OPEN_ANSWER_SCHEMAS = [
  numberAnswersSchema,
  textAnswersSchema,
  mathAnswersSchema,
  jsonAnswersSchema,
  judgedAnswersSchema,
] as const
export type OpenAnswers = z.output<(typeof OPEN_ANSWER_SCHEMAS)[number]>

/** The option of every answer without a class. It can never be right. */
export const OTHER = 'other'

/** The options of every question with open answers: the classes, then `other`. */
export function classNames({ classes: count }: { readonly classes: number }): readonly string[] {
  return [...Array.from({ length: count }, (_, at) => String(at + 1)), OTHER]
}

/** Whether these are the options of a question with open answers. */
export function areClasses(options: readonly { readonly name: string }[]): boolean {
  const last = options.length - 1
  return last > 0 && options.every(({ name }, at) => name === (at === last ? OTHER : String(at + 1)))
}

/** An open answer with its class. */
interface OpenTurn {
  readonly answer: string | null
  readonly answer_text?: string | null | undefined
}

/** The representative of each class: the first answer placed in it, in order of rounds and agents. */
export function representatives(rounds: readonly (readonly OpenTurn[])[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { answer, answer_text: text } of rounds.flat()) {
    if (answer !== null && typeof text === 'string' && !found.has(answer)) found.set(answer, text)
  }
  return found
}

/** Each class with its distinct answers, in order of appearance. */
export function membersOf(rounds: readonly (readonly OpenTurn[])[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>()
  for (const { answer, answer_text: text } of rounds.flat()) {
    if (answer === null || typeof text !== 'string') continue
    const own = members.get(answer) ?? []
    members.set(answer, own)
    if (!own.includes(text)) own.push(text)
  }
  return members
}
