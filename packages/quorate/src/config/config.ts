import { PROFILES } from '@quorate/certificate'
import { z } from 'zod'
import { FIELD_NAME } from '../questions/document-field.ts'
import { DAY_MS } from '../record/day.ts'
import { graderSchema } from '../record/judge-settings.ts'
import { LIMITS } from '../record/limits.ts'
import { trimmedText } from '../record/names.ts'
import { reviewRulesSchema } from '../record/review-rules.ts'
import { answersSchema, questionFieldsSchema, taskSchema } from '../record/task.ts'
import { between, share, whole, word } from './config-values.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'
import { LOCAL_SCHEMAS } from './local-options.ts'
import { PanelSchema } from './panel-schema.ts'
import { PUBLIC_URL_WORDS, publicOrigin } from './public-url.ts'
import { NoticeSchema, WebhookSchema } from './webhooks.ts'

export const CONFIG_NAMES = ['quorate.config.yaml', 'quorate.config.yml', 'quorate.config.json'] as const

const { budget, certificate, limits, review, server } = CONFIG_DEFAULTS

const GROUP = 'the name of a group'
const GROUPS = 'a list of groups, such as [law, medicine]'

const Budget = z
  .strictObject(
    {
      beta: share('above 0', '0.10')
        .optional()
        .describe('Largest share of all questions on which the panel may act wrongly.'),
      wrongOfActed: share('above 0', '0.05')
        .optional()
        .describe(
          'Instead of beta: the largest share of wrong answers among the questions acted on (promise: selective).',
        ),
      answers: z
        .record(z.string().min(1).max(LIMITS.name), share('above 0', '0.01'), {
          error: 'a map from answer to its budget, such as { approve: 0.01 }',
        })
        .optional()
        .describe(
          'Profile total, promise pac: for each named answer, the largest share of the questions with this answer that the panel may act on wrongly.',
        ),
      relative: z
        .union([z.literal('selected'), z.number().gt(0).max(1000)], {
          error: 'selected, or a number above 0, such as 1.5',
        })
        .optional()
        .describe(
          "Beta is this multiple of the panel's own error on the labels, at most the beta declared here. selected: the multiple that acts most while it uses at most a tenth of its budget.",
        ),
      delta: share('above 0', '0.05')
        .default(budget.delta)
        .describe(
          'Profile total: allowed probability that any promise fails, 0.05 by default. Others: probability that a bound is too high, 0.03 (30 % of a beta below 0.10) by default.',
        ),
      epsilon: share('from 0', '0.02')
        .default(budget.epsilon)
        .describe(
          'Profiles tight and paper: part of beta for the information that a state loses; 20 % of a beta below 0.10 by default.',
        ),
      deltaOmega: share('from 0', '0.01')
        .optional()
        .describe(
          'Profiles tight and paper: part of delta for an envelope that is too small. 0 by default: the envelope is assumed.',
        ),
      floor: z
        .union([share('above 0', '0.80'), z.literal('none'), z.null().transform(() => 'none' as const)], {
          error: 'a number above 0 and below 1, such as 0.80, or none',
        })
        .optional()
        .describe(
          'Profile total: smallest share right in every class acted on; 1 - 2 beta, at least 0.70, by default.',
        ),
      promise: word(['pac', 'average', 'selective'])
        .optional()
        .describe(
          'Profile total. pac: this certificate, with confidence. average: over calibration sets. selective: of the questions acted on.',
        ),
    },
    { error: 'a map with beta, such as { beta: 0.10 }' },
  )
  .transform(({ wrongOfActed, ...given }, context) => {
    const refuse = (path: string, message: string, input: unknown) =>
      context.addIssue({ code: 'custom', path: [path], message, input })
    const { beta, promise } = given
    if (wrongOfActed === undefined) {
      if (beta === undefined) refuse('beta', 'a number above 0 and below 1, such as 0.10', beta)
      return { ...given, beta: beta ?? Number.NaN }
    }
    if (beta !== undefined) refuse('beta', 'left out beside wrongOfActed: one of both is the target', beta)
    if (promise !== undefined && promise !== 'selective') {
      refuse('promise', 'left out beside wrongOfActed, which is promise: selective', promise)
    }
    return { ...given, beta: wrongOfActed, promise: 'selective' as const }
  })

const FIELD_NAME_FORM = 'a name of 1 to 64 letters, digits, _ and -'
const Field = z.strictObject(
  {
    question: trimmedText(
      'what is asked about every document, such as "What is the total?"',
      LIMITS.instruction,
    ).describe('The question above the text of every document.'),
    answers: answersSchema.describe('The possible answers.'),
    gold: trimmedText('the name of a column', LIMITS.name)
      .optional()
      .describe('Column with the right answer, if it is known; the name of the field by default.'),
    beta: share('above 0', '0.01')
      .optional()
      .describe('Share of budget.beta for this field. Critical fields without it share the rest equally.'),
    critical: z
      .boolean({ error: 'true or false' })
      .default(true)
      .describe('Whether a document is acted on only if this field is.'),
  },
  { error: 'a map with question and answers' },
)

const ProviderLimits = z.strictObject(
  {
    concurrency: whole(1, 4096).optional(),
    requestsPerMinute: whole(1, 10_000_000).optional(),
    tokensPerMinute: whole(1, 1_000_000_000).optional().describe('Input and output together.'),
  },
  { error: 'a map with requestsPerMinute, tokensPerMinute or concurrency' },
)

const Limits = z.strictObject(
  {
    maxCostUsd: between(0, 1_000_000, '20')
      .nullable()
      .default(limits.maxCostUsd)
      .describe('Spend cap of a run; null: none.'),
    concurrency: whole(1, 4096).default(limits.concurrency).describe('Calls in flight.'),
    attempts: whole(1, 100).default(limits.attempts).describe('For one answer.'),
    timeoutMs: whole(1, DAY_MS).default(limits.timeoutMs).describe('For one attempt.'),
    debateTimeoutMs: whole(1, 7 * DAY_MS)
      .default(limits.debateTimeoutMs)
      .describe('For a debate.'),
    perProvider: z
      .record(z.string(), ProviderLimits, { error: 'a map from provider to its limits' })
      .optional()
      .describe('By provider: anthropic, openai, ..., or the host of an openai-compatible server.'),
  },
  { error: 'a map of limits' },
)

const Price = z.strictObject(
  { inputUsdPerMillion: between(0, 100_000, '0.5'), outputUsdPerMillion: between(0, 100_000, '1.5') },
  { error: 'a map with inputUsdPerMillion and outputUsdPerMillion' },
)

const Server = z.strictObject(
  {
    publicUrl: z
      .string({ error: PUBLIC_URL_WORDS })
      .max(2000, { error: PUBLIC_URL_WORDS })
      .refine((url) => publicOrigin(url) !== null, { error: PUBLIC_URL_WORDS })
      .optional()
      .describe('The https address of the proxy in front of quorate serve. Everybody then needs a token.'),
    connectionsPerAddress: whole(1, 3000)
      .default(server.connectionsPerAddress)
      .describe('Open connections of one client address to quorate serve.'),
  },
  { error: 'a map with publicUrl or connectionsPerAddress' },
)

/** The keys of a config file. check-config.ts checks how they fit together. */
export const ConfigSchema = z.strictObject(
  {
    task: taskSchema.optional().describe('The task for every question.'),
    answers: answersSchema
      .optional()
      .describe('The possible answers, the same for every question. Without it every question has its own options.'),
    grader: graderSchema
      .optional()
      .describe(
        'Who grades the answers of labelled questions that have no options. The error of a model is measured and added to the promise.',
      ),
    fields: z
      .record(z.string().regex(FIELD_NAME, { error: FIELD_NAME_FORM }), Field, {
        error:
          'a map from field to what is asked, such as { total: { question: What is the total?, answers: { kind: number } } }',
      })
      .refine((fields) => Object.keys(fields).length >= 1 && Object.keys(fields).length <= 50, {
        error: 'a map of 1 to 50 fields',
      })
      .optional()
      .describe('Several questions about every row, which is a document: quorate run answers all of them.'),
    alwaysReview: reviewRulesSchema
      .optional()
      .describe('Rules that send questions to a person without a call, by data that is known before the debate.'),
    questions: questionFieldsSchema.optional().describe('Names of the columns of a question file.'),
    panel: PanelSchema,
    budget: Budget,
    certificate: z
      .strictObject(
        {
          profile: word(PROFILES).default(certificate.profile),
          deferGroups: z
            .array(trimmedText(GROUP, 1000), { error: GROUPS })
            .max(1000, { error: 'a list of at most 1000 groups' })
            .optional()
            .describe(
              'Profile total: questions of these groups always go to a person. calibrate writes the list into the certificate.',
            ),
          ...LOCAL_SCHEMAS,
        },
        { error: 'a map with profile, such as { profile: total }' },
      )
      .prefault({}),
    limits: Limits.prefault({}),
    server: Server.prefault({}),
    review: z
      .strictObject(
        {
          spotCheckRate: between(0, 1, '0.05')
            .default(review.spotCheckRate)
            .describe('Share of questions sampled at random for labelling, whatever the decision was.'),
          maxClaims: whole(1, 1000)
            .default(review.maxClaims)
            .describe('Items of the review queue that one person may claim at once.'),
          second: between(0, 1, '0.1')
            .default(review.second)
            .describe('Share of reviewed items that a second person answers too, without knowing the first answer.'),
        },
        { error: 'a map with spotCheckRate, maxClaims and second' },
      )
      .prefault({}),
    webhooks: z
      .array(WebhookSchema, { error: 'a list of webhooks, each with url and secretEnv' })
      .max(20, { error: 'a list of at most 20 webhooks' })
      .default([])
      .describe('Webhooks that receive decisions and reviews from quorate serve.'),
    notices: z
      .array(NoticeSchema, { error: 'a list of chats, each with to and urlEnv' })
      .max(20, { error: 'a list of at most 20 chats' })
      .default([])
      .describe('Chats that receive the number of waiting questions and suspensions of the policy from quorate serve.'),
    telemetry: z
      .strictObject(
        {
          spans: z
            .boolean({ error: 'true or false' })
            .default(false)
            .describe('Create OpenTelemetry spans for debates, agents and calls. The program provides the SDK.'),
          includeText: z
            .boolean({ error: 'true or false' })
            .default(false)
            .describe('Put questions, prompts and replies into the spans.'),
        },
        { error: 'a map with spans or includeText' },
      )
      .prefault({}),
    store: trimmedText('sqlite:PATH, or postgres://USER@HOST/DATABASE', 2000)
      .default(CONFIG_DEFAULTS.store)
      .describe('sqlite:PATH from the folder of this file. A password belongs in QUORATE_STORE.'),
    prices: z
      .record(z.string(), Price, { error: 'a map from provider/name to its price' })
      .optional()
      .describe('Prices by provider/name. They override the built-in table.'),
    seed: whole(0, 2 ** 32 - 1)
      .default(CONFIG_DEFAULTS.seed)
      .describe('Seed of everything that is sampled.'),
  },
  { error: 'a map with panel and budget' },
)

export type Config = z.output<typeof ConfigSchema>

/** The published JSON Schema, which editors use to complete a config. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(ConfigSchema, { io: 'input' })
  return { $schema, title: 'quorate.config.yaml', ...schema }
}
