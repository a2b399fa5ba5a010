import { canonicalJson, sha256 } from '@quorate/certificate'
import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { PLAIN_NAME, trimmedText } from './names.ts'
import { classNames, OPEN_ANSWER_SCHEMAS, type OpenAnswers } from './open-answers.ts'
import type { QuestionOption } from './question.ts'

/*
 * The parts of a config that apply to all questions: the task, the possible answers, and the columns of a file. Every
 * message ends the sentence "KEY must be ...".
 */

/** What the panel and the reviewers should do with every question. */
export const taskSchema = z.strictObject(
  {
    instruction: trimmedText('a text that says what to do with every question', LIMITS.instruction)
      .optional()
      .describe('The text above every question in the prompts, at the placeholder {instruction}.'),
    guideline: trimmedText('the path of a text file, from the folder of this file', 2000)
      .optional()
      .describe('A text file that reviewers see beside every item. Models do not see it.'),
  },
  { error: 'a map with instruction or guideline' },
)

const LABEL = `a name of 1 to ${LIMITS.name} characters on one line, without blanks around it`
const labelName = z
  .string({ error: LABEL })
  .min(1, { error: LABEL })
  .max(LIMITS.name, { error: LABEL })
  .refine((name) => name.trim() === name && PLAIN_NAME.test(name), { error: LABEL })

const LABELS = `a map of ${LIMITS.fewestOptions} to ${LIMITS.options} labels, each with a description, such as { refund: wants money back }`

/** One set of labels for all questions, so a question is only its text. */
export const labelsSchema = z.strictObject({
  kind: z.literal('labels'),
  labels: z
    .record(labelName, trimmedText('a description of the label', LIMITS.instruction), { error: LABELS })
    .refine(
      (labels) => Object.keys(labels).length >= LIMITS.fewestOptions && Object.keys(labels).length <= LIMITS.options,
      { error: LABELS },
    )
    .meta({ minProperties: LIMITS.fewestOptions, maxProperties: LIMITS.options })
    .describe('Name to description. A label for the rest, such as "other", is an answer that can be right.'),
  shuffle: z
    .boolean({ error: 'true or false' })
    .default(true)
    .describe('Whether every question has its own order of labels, derived from the seed and its id.'),
})

const ANSWER_SCHEMAS = [labelsSchema, ...OPEN_ANSWER_SCHEMAS] as const
const KINDS = ANSWER_SCHEMAS.map(({ shape }) => shape.kind.value).join(', ')

/** The possible answers, the same for every question. A new kind is a new member of `OPEN_ANSWER_SCHEMAS`. */
export const answersSchema = z.discriminatedUnion('kind', ANSWER_SCHEMAS, {
  error: (issue) => (issue.code === 'invalid_union' ? `one of the kinds ${KINDS}` : `a map with kind: ${KINDS}`),
})
export type Answers = Immutable<z.output<typeof answersSchema>>

/** The settings of open answers; null for labels, and if every question has its own options. */
export function openAnswers(answers: Answers | undefined): OpenAnswers | null {
  // as: only the lists of the schema are read-only here
  return answers === undefined || answers.kind === 'labels' ? null : (answers as OpenAnswers)
}

const COLUMN = 'the name of a column'

/**
 * The columns of a CSV file, or fields of a JSON line, that hold the parts of a question. Those that are left out have
 * their usual names.
 */
export const questionFieldsSchema = z.strictObject(
  {
    text: trimmedText(COLUMN, LIMITS.name).optional().describe('Column with the question, "question" by default.'),
    id: trimmedText(COLUMN, LIMITS.name)
      .optional()
      .describe('Column with the permanent id of the question, "id" by default.'),
    gold: trimmedText(COLUMN, LIMITS.name)
      .optional()
      .describe('Column with the right answer, if it is known, "gold" by default.'),
    group: trimmedText(COLUMN, LIMITS.name)
      .optional()
      .describe('Column with the group of the question, "group" by default.'),
  },
  { error: 'a map with text, id, gold or group' },
)
export type QuestionFields = Immutable<z.output<typeof questionFieldsSchema>>

/** The options of one question, in the order in which they are shown. The order follows from the seed and the id alone. */
export function answerOptions(
  answers: Answers,
  { seed, questionId }: { readonly seed: number; readonly questionId: string },
): readonly QuestionOption[] {
  if (answers.kind !== 'labels') return classNames(answers).map((name) => ({ name, text: name }))
  const options = Object.entries(answers.labels).map(([name, text]) => ({ name, text }))
  if (!answers.shuffle) return options
  return options
    .map((option) => ({ option, rank: sha256(canonicalJson(['option-order', seed, questionId, option.name])) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ option }) => option)
}

/** The answers in words, for the fingerprint of a panel: another set of labels is another panel. */
export function answersWords(answers: Answers): string {
  return `${answers.kind} ${sha256(canonicalJson(answers)).slice(0, 12)}`
}
