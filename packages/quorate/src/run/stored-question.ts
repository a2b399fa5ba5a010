import { canonicalJson, compareCodePoints } from '@quorate/certificate'
import { z } from 'zod'
import { callerSchema } from '../record/decision.ts'
import { findStored, jsonOf, parseStored } from '../record/parse-stored.ts'
import { type Question, type QuestionColumns, questionSchema } from '../record/question.ts'
import type { Store } from '../store/store.ts'
import { questionRows } from './pages.ts'

const intakeSchema = z.object({
  decisionId: z.string(),
  requestKey: z.string().nullish(),
  /** Optional, because a question without it must still get the promised id. Its decision then names no caller. */
  caller: callerSchema.optional(),
  /** True: the question is debated only while a client waits for it. */
  isAttended: z.boolean().optional(),
})

/** What was promised to the caller of a server. */
export type ServedIntake = z.infer<typeof intakeSchema>

/** Stored with the question, for the process that continues after a crash or decides elsewhere. */
export function writeIntake(question: Question, { requestKey, isAttended, ...intake }: ServedIntake): string {
  const key = typeof requestKey === 'string' ? { requestKey } : {}
  const attended = isAttended === true ? { isAttended } : {}
  return JSON.stringify({ ...storedFields(question), ...intake, ...key, ...attended })
}

/** Null: the text was erased, or the question did not come from a server. */
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

/** The fields as a text to compare. It does not depend on their order, and no fields equal an empty object. */
export function fieldsText(columns: QuestionColumns = []): string {
  const sorted = columns.toSorted(([left], [right]) => compareCodePoints(left, right))
  // As they are stored: JSON has no undefined, and no -0.
  return canonicalJson(jsonOf(JSON.stringify(sorted)))
}

/** The questions of a run in order, without those whose text was erased. */
export async function* questionsOfRun(store: Store, runId: string): AsyncGenerator<Question> {
  for await (const { question } of questionRows(store, runId)) {
    if (question !== null) yield readStoredQuestion(question)
  }
}

export function readStoredQuestion(json: string): Question {
  return parseStored(questionSchema, json, 'a question of the run')
}
