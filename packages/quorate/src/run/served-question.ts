import { z } from 'zod'
import type { Question } from '../questions/question.ts'
import { writeQuestion } from './stored-question.ts'

const intakeSchema = z.object({ decisionId: z.string(), requestKey: z.string().nullish() })

/** What was promised to whoever asked a question of a server. */
export type ServedIntake = z.infer<typeof intakeSchema>

/** The run keeps with the question what who goes on after a crash, or decides elsewhere, must know. */
export function writeIntake(question: Question, { decisionId, requestKey }: ServedIntake): string {
  const key = typeof requestKey === 'string' ? { requestKey } : {}
  return JSON.stringify({ ...JSON.parse(writeQuestion(question)), decisionId, ...key })
}

/** Null: its text was erased, or it was asked otherwise. */
export function readIntake(question: string | null): ServedIntake | null {
  const read = intakeSchema.safeParse(question === null ? null : JSON.parse(question))
  return read.success ? read.data : null
}

export function readDecisionId(question: string | null): string | null {
  return readIntake(question)?.decisionId ?? null
}
