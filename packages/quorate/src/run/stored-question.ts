import { z } from 'zod'
import type { Question } from '../questions/question.ts'
import { StoreError } from '../store/store-error.ts'

const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  options: z.array(z.object({ name: z.string(), text: z.string() })).min(1),
  gold: z.string().nullable(),
  group: z.string().nullable(),
})

export function writeQuestion({ id, question, options, gold, group }: Question): string {
  return JSON.stringify({ id, question, options, gold, group })
}

export function readStoredQuestion(json: string): Question {
  const parsed = questionSchema.safeParse(JSON.parse(json))
  if (parsed.success) return parsed.data
  const message = 'store: a question of the run cannot be read: it was changed from outside, restore a backup'
  throw new StoreError('damaged', message, { cause: parsed.error })
}
