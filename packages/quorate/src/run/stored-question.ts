import { z } from 'zod'
import { findStored, parseStored } from '../record/parse-stored.ts'
import { type Question, questionSchema } from '../record/question.ts'

const intakeSchema = z.object({
  decisionId: z.string(),
  requestKey: z.string().nullish(),
  /** Name of the token that asked, for the ledger. */
  askedBy: z.string().optional(),
  /** It is debated only while a client waits for it. */
  isAttended: z.boolean().optional(),
})

/** What was promised to whoever asked a question of a server. */
export type ServedIntake = z.infer<typeof intakeSchema>

/** The run keeps with the question what who goes on after a crash, or decides elsewhere, must know. */
export function writeIntake(question: Question, { requestKey, isAttended, ...intake }: ServedIntake): string {
  const key = typeof requestKey === 'string' ? { requestKey } : {}
  const attended = isAttended === true ? { isAttended } : {}
  return JSON.stringify({ ...storedFields(question), ...intake, ...key, ...attended })
}

/** Null: its text was erased, or it was asked otherwise. */
export function readIntake(question: string | null): ServedIntake | null {
  return findStored(intakeSchema, question)
}

export function readDecisionId(question: string | null): string | null {
  return readIntake(question)?.decisionId ?? null
}

export function writeQuestion(question: Question): string {
  return JSON.stringify(storedFields(question))
}

function storedFields({ id, question, options, gold, goldText, group, columns }: Question) {
  const right = goldText === undefined ? { gold } : { gold, goldText }
  return { id, question, options, ...right, group, ...(columns === undefined ? {} : { columns }) }
}

export function readStoredQuestion(json: string): Question {
  return parseStored(questionSchema, json, 'a question of the run')
}
