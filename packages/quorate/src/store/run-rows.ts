import { z } from 'zod'
import { flagValue, integer, jsonText } from './row-schemas.ts'
import { StoreError } from './store-error.ts'

export const statusSchema = z.enum(['pending', 'done', 'agent-failure', 'time-out', 'error'])

export const runSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['debate', 'decide']),
    createdAt: integer,
    configHash: z.string(),
    questionsHash: z.string(),
    config: jsonText,
    certificateId: z.string().nullable(),
    isShadow: flagValue,
    seed: integer,
    status: z.enum(['open', 'done']),
  })
  .describe('run')

export const questionSchema = z
  .object({
    runId: z.string(),
    position: integer,
    questionId: z.string(),
    question: jsonText.nullable(),
    isDrawn: flagValue,
    status: statusSchema,
  })
  .describe('question')

export function missingQuestion(runId: string, questionId: string): StoreError {
  return new StoreError('missing', `store: run ${runId} has no question ${JSON.stringify(questionId)}`)
}
