import { BELIEF_READINGS, METHOD_VERSION } from '@quorate/certificate'
import { z } from 'zod'
import { hashSchema, shareSchema } from './names.ts'

/** How beta follows from the panel's own error. */
export const relativeSchema = z.object({
  lambda: z.number().positive(),
  isSelected: z.boolean().describe('Whether the multiple was selected on labels too'),
  error: shareSchema.describe('Share of debates whose last answer was wrong'),
  labels: z.int().min(1).describe('Labelled debates that it was taken from: for profile total its pilot'),
  atMost: shareSchema.describe('The declared beta, which the selected one could not exceed'),
})
export type RelativeRecord = z.infer<typeof relativeSchema>

const hashesSchema = z.array(hashSchema)

/** The fields of a certificate file that this package reads and publishes. `@quorate/certificate` reads the rest. */
export const certificateSchema = z.looseObject({
  quorate: z.literal(1),
  kind: z.literal('certificate'),
  methodVersion: z.literal(METHOD_VERSION),
  method: z.enum(['cells', 'knn', 'total']),
  profile: z.string(),
  budget: z.looseObject({
    beta: shareSchema,
    delta: shareSchema,
    epsilon: shareSchema.optional(),
    deltaOmega: z.number().optional(),
    selectedUpTo: z.number().optional(),
    total: z
      .looseObject({
        kind: z.enum(['pac', 'average', 'selective']).optional(),
        delta: z.number().optional(),
        floor: z.union([z.number(), z.literal('none')]).optional(),
        answers: z.record(z.string(), z.number()).optional(),
        attempt: z.int().optional(),
      })
      .optional()
      .describe('Profile total: what is promised'),
  }),
  fingerprint: z.looseObject({
    models: z.record(z.string(), z.string()).nullable(),
    prompts: z.string().nullable(),
    agents: z.array(z.array(z.string())).nullable(),
    rounds: z.int().min(1),
    endsEarly: z.boolean().nullable(),
    elicitation: z.enum(BELIEF_READINGS).nullable(),
    turns: z
      .looseObject({
        answered: z.int().min(0),
        missing: z.int().min(0),
        questions: z.int().min(0).describe('With an answer in round 1, one run of each'),
        firstMissing: z.number().min(0).describe('Sum over these questions of the share that lacked it in round 1'),
      })
      .nullable()
      .describe('Answered calibration turns that lacked the value that the elicitation reads'),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .optional()
      .describe('Temperature, output limit and address by agent, samples and protocol, in words; null: not known'),
    reader: z.int().nullable().optional().describe('Version of the reader of answers'),
    served: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Ids under which the models answered, by agent'),
    mixed: z
      .record(z.string(), z.record(z.string(), z.int()))
      .optional()
      .describe('Agents for which several models answered: the number of debates of each model'),
    state: z.string(),
    methodVersion: z.literal(METHOD_VERSION),
    rows: z.string().describe('SHA-256 of the calibration rows'),
  }),
  ids: z.array(z.string()).nullable().describe('Of the calibration rows'),
  groupConditional: z.boolean().optional(),
  contents: z
    .looseObject({
      whole: hashesSchema.describe('Of text and options'),
      asked: hashesSchema.describe('Of text and number of options, of the same questions'),
      bare: hashesSchema.describe('Of text and number of options, where the options were only letters or numbers'),
    })
    .optional()
    .describe('Hashes of the calibration questions whose text was known'),
  relative: relativeSchema.optional(),
  checksum: hashSchema.describe('SHA-256 of the RFC 8785 JSON of all other fields'),
})
