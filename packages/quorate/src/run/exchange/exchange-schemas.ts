import { METHOD_VERSION } from '@quorate/certificate'
import { z } from 'zod'

/**
 * The files that people exchange, as JSON Schemas: what a program of somebody else can check before it hands a file on.
 * Unknown fields are kept. The readers check more, such as that the right option is one of the options.
 */
export function exchangeJsonSchemas(): Readonly<Record<ExchangedFile, Readonly<Record<string, unknown>>>> {
  return {
    question: published(questionSchema, 'A line of a file of questions'),
    debate: published(debateSchema, 'A line of a file of debates'),
    certificate: published(certificateSchema, 'A certificate'),
    decision: published(decisionSchema, 'A line of a file of decisions'),
    bundle: published(bundleLineSchema, 'A line of a bundle: the first one, or a row of the chain'),
  }
}

export type ExchangedFile = 'question' | 'debate' | 'certificate' | 'decision' | 'bundle'

function published(schema: z.ZodType, title: string): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return { $schema, title, ...rest }
}

const version = z.literal(1).optional().describe('Version of the format; a file without it is read as version 1')
const longName = z.string().min(1).max(1000)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const share = z.number().min(0).max(1)
const time = z.number().int().describe('Milliseconds since 1970')

const questionSchema = z.looseObject({
  quorate: version,
  id: z.string().min(1),
  question: z.string().min(1),
  options: z
    .union([z.array(z.string().min(1)).min(2).max(64), z.record(z.string().min(1), z.string().min(1))])
    .describe('Names in their order, or name to text; then in code point order of the names'),
  gold: z.string().nullable().optional().describe('Name of the right option'),
  group: z.string().nullable().optional(),
})

const turnSchema = z.looseObject({
  agent: longName,
  answer: z.string().nullable().describe('Name of an option; null for an abstention'),
  beliefs: z
    .record(z.string(), z.number().min(0))
    .nullable()
    .optional()
    .describe('Probability by option; a missing one is 0; a sum within .01 of 1 is scaled to 1 and counted'),
  conf: z
    .looseObject({ verbal: share.nullable().optional() })
    .nullable()
    .optional()
    .describe('verbal: the probability that the agent stated for its answer; without it the turn is no stated belief'),
  samples: z.array(z.string().nullable()).min(1).max(1024).nullable().optional(),
})

const roundsSchema = z.array(z.array(turnSchema).min(1).max(64))

const debateSchema = z.looseObject({
  quorate: version,
  id: longName,
  question_of: longName
    .nullable()
    .optional()
    .describe('Key of the question that this debate is a run of: debates with one key count as one question'),
  group: z.string().max(1000).nullable().optional(),
  options: z.union([z.array(longName).min(1).max(64), z.record(z.string().min(1), z.string())]),
  gold: z.string().nullable().optional(),
  failure: z
    .looseObject({ agent: z.string().nullable().optional(), round: z.number().int().min(1).optional() })
    .nullable()
    .optional()
    .describe(
      'An object for a debate that broke off: the rounds it lacks are calibrated on as wrong, or as a deferral by profile total',
    ),
  ended: z
    .enum(['protocol', 'stopped'])
    .nullable()
    .optional()
    .describe(
      'Why a debate that did not break off is short: its protocol ended it (profile total only), or a decision stopped it (never calibrated on)',
    ),
  isDrawn: z
    .boolean()
    .optional()
    .describe('false: it was decided and not drawn for a spot check; it is not calibrated on'),
  rounds: roundsSchema.min(1).max(64),
})

const budgetSchema = z.looseObject({ beta: share, delta: share, epsilon: share.optional() })

const certificateSchema = z.looseObject({
  quorate: z.literal(1),
  kind: z.literal('certificate'),
  methodVersion: z.literal(METHOD_VERSION),
  method: z.enum(['cells', 'knn', 'total']),
  budget: budgetSchema,
  fingerprint: z.looseObject({
    models: z.record(z.string(), z.string()).nullable(),
    prompts: z.string().nullable(),
    agents: z.array(z.array(z.string())).nullable(),
    rounds: z.number().int().min(1),
    endsEarly: z.boolean().nullable(),
    elicitation: z.enum(['given', 'samples', 'stated', 'vote']).nullable(),
    turns: z
      .looseObject({ answered: z.number().int().min(0), missing: z.number().int().min(0) })
      .nullable()
      .describe('Of the answered calibration turns those that lacked what the elicitation reads'),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .optional()
      .describe('Temperature, output limit and address by agent, samples and protocol, in words; null: not known'),
    reader: z.number().int().nullable().optional().describe('Version of what read the answers out of replies'),
    served: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Ids under which the models answered, by agent'),
    mixed: z
      .record(z.string(), z.record(z.string(), z.number().int()))
      .optional()
      .describe('Agents that several models answered for: in how many debates each'),
    state: z.string(),
    methodVersion: z.literal(METHOD_VERSION),
    rows: z.string().describe('SHA-256 of the calibration rows'),
  }),
  contents: z
    .union([
      z.looseObject({
        whole: z.array(hash).describe('Of text and options'),
        asked: z.array(hash).describe('Of text and number of options, of the same questions'),
        bare: z.array(hash).describe('Of text and number of options, where the options were only letters or numbers'),
      }),
      z.array(hash).describe('As older files have it'),
    ])
    .optional()
    .describe('Hashes of the calibration questions whose text was known'),
  checksum: hash.describe('SHA-256 of the RFC 8785 JSON of all other fields'),
})

const stepSchema = z.looseObject({
  round: z.number().int().min(1),
  answer: z.string(),
  threshold: z.number(),
  lower: z.number().nullable().describe('mean - envelope - slack; null for a round without a bound'),
  neighbours: z.number().int().optional(),
  successes: z.number().int().optional(),
  mean: share.optional(),
  envelope: z.number().min(0).optional(),
  slack: z.number().min(0).optional(),
})

const decisionSchema = z.looseObject({
  quorate: z.literal(1),
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  certificateId: hash,
  at: time,
  kind: z.enum(['act', 'defer']),
  answer: z.string().nullable(),
  reason: z.string().nullable().describe('Why it was deferred'),
  round: z.number().int().min(0),
  bound: z.number().nullable().describe('The bound that acted'),
  path: z.array(stepSchema),
  isDrawn: z.boolean(),
  sampling: z
    .strictObject({ key: z.number().int().min(1), rate: share })
    .nullable()
    .describe('What the coin of a spot check was tossed with: number of the sampling key of the run, and probability'),
  isShadow: z.boolean(),
  isSeen: z.boolean(),
  mismatch: z.array(z.string()),
  debate: z.looseObject({ id: z.string(), options: z.array(z.string()), rounds: roundsSchema }),
})

const bundleLineSchema = z.union([
  z.strictObject({
    quorate: z.literal(1),
    kind: z.literal('bundle'),
    runId: z.string(),
    head: hash.describe('Hash of the last row'),
    rows: z.number().int().min(0),
    certificate: certificateSchema.nullable(),
    sampling: z
      .array(z.strictObject({ commitment: hash.describe('SHA-256 of the key'), key: hash.nullable() }))
      .describe('Secrets that spot checks are drawn with; null: not disclosed while questions are drawn with it'),
  }),
  z.strictObject({
    hash: hash.describe('SHA-256 of the RFC 8785 JSON of line'),
    line: z.looseObject({
      sequence: z.number().int().min(1),
      runId: z.string(),
      kind: z.string(),
      at: time,
      previous: hash,
      code: z
        .strictObject({ version: z.string(), methodVersion: z.number().int() })
        .describe('The version of quorate and of the method that wrote the row'),
      body: z.record(z.string(), z.unknown()),
    }),
  }),
])
