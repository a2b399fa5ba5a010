import { z } from 'zod'
import { flagValue, integer, jsonText } from './row-schemas.ts'
import { StoreError } from './store-error.ts'

export const statusSchema = z.enum(['pending', 'done', 'agent-failure', 'time-out', 'error'])

/** A probability as the store keeps it. */
export const rateText = z.string().transform(Number).pipe(z.number().min(0).max(1))

export const samplingKeySchema = z
  .object({ runId: z.string(), number: integer, key: z.string().regex(/^[0-9a-f]{64}$/), createdAt: integer })
  .describe('sampling key')

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
    samplingKey: integer.nullable(),
    samplingRate: rateText.nullable(),
    status: statusSchema,
  })
  .describe('question')

export function missingQuestion(runId: string, questionId: string): StoreError {
  return new StoreError('missing', `store: run ${runId} has no question ${JSON.stringify(questionId)}`)
}
