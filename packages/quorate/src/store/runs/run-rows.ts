import { z } from 'zod'
import { runQuestionSchema, runSchema, samplingKeySchema } from '../../record/run.ts'
import { StoreError } from '../../record/store-error.ts'
import { flagValue, jsonText } from '../row-schemas.ts'

/** A probability, stored as text. */
export const rateText = z.string().transform(Number).pipe(z.number().min(0).max(1))

export const samplingKeyRow = samplingKeySchema.describe('sampling key')
export const runRow = runSchema.extend({ config: jsonText, isShadow: flagValue }).describe('run')
export const runQuestionRow = runQuestionSchema
  .extend({ question: jsonText.nullable(), isSpotCheck: flagValue, samplingRate: rateText.nullable() })
  .describe('question')

export function missingQuestion(runId: string, questionId: string): StoreError {
  return new StoreError('missing', `store: run ${runId} has no question ${JSON.stringify(questionId)}`)
}
