import { type DeferReason as CertificateReason, OPEN_REASONS } from '@quorate/certificate'
import { z } from 'zod'
import { roundsSchema } from './answer.ts'
import type { Immutable } from './immutable.ts'
import { nameSchema, shareSchema, timeSchema } from './names.ts'

/** Why the certificate leaves a question to a person. */
export const CERTIFICATE_REASONS = [
  'bound-low',
  'too-few-labels',
  'uncalibrated',
  'budget-infeasible',
  'class-refused',
  'group-deferred',
] as const satisfies readonly CertificateReason[]

/**
 * All reasons to defer. Those that the certificate does not give say nothing about the answer: the debate ended early, the
 * policy is suspended or in shadow mode, or a rule of the user applies.
 */
export const DEFER_REASONS = [
  ...CERTIFICATE_REASONS,
  'agent-failure',
  'time-out',
  'spend-cap',
  'suspended',
  'shadow',
  'always-review',
] as const
export const deferReasonSchema = z.enum(DEFER_REASONS)
export type DeferReason = z.infer<typeof deferReasonSchema>

/**
 * Why the policy may not act, whatever the certificate says. In shadow mode a question is still debated and decided. Shadow
 * mode belongs to the policy of a server. A shadow run (`isShadow`) belongs to a command, and its actions stay actions.
 */
export type ActingBar = Extract<DeferReason, 'suspended' | 'shadow'>

/**
 * Whether a question was deferred because the policy may not act. Spot checks from such a time count neither for nor
 * against the certificate.
 */
export function isBarred(reason: string | null | undefined): boolean {
  return reason === 'suspended' || reason === 'shadow'
}

/** Whether a question was deferred because its debate failed or ran out of time or money, whatever its answers. */
export function isFailedDebate(reason: string | null | undefined): boolean {
  return reason === 'agent-failure' || reason === 'time-out' || reason === 'spend-cap'
}

/** One round of a decision: its lower bound (mean - envelope - slack) and its threshold. */
export const stepSchema = z.object({
  round: z.int().min(1),
  answer: z.string(),
  threshold: z.number(),
  lower: z
    .number()
    .nullable()
    .describe('mean - envelope - slack; null for a round without a bound, for the reason given'),
  reason: z.enum(OPEN_REASONS).optional(),
  neighbours: z.int().optional(),
  successes: z.int().optional(),
  mean: shareSchema.optional(),
  envelope: z.number().min(0).optional(),
  slack: z.number().min(0).optional(),
  k: z.int().optional(),
  radius: z.number().optional(),
  state: z.array(z.number()).optional(),
  score: z.number().optional(),
  cell: z.string().optional(),
  cut: z.number().optional().describe('Profile total: the score that this round needs'),
  kind: z.int().optional().describe('Profile total: the kind of the debate'),
  kindRows: z.int().optional().describe('Profile total: counted debates of that kind'),
  kindRight: z.int().optional().describe('Profile total: those of them that were right'),
})
export type StepRecord = z.infer<typeof stepSchema>

export const samplingSchema = z.strictObject({ key: z.int().min(1), rate: shareSchema })
export type Sampling = Immutable<z.infer<typeof samplingSchema>>

/**
 * Who asked a server for a decision. A field that is added here is stored with the question, the decision and the ledger row.
 * The decision and the ledger row outlive a redaction, so it must not contain free text.
 */
export const callerSchema = z.object({ name: z.string().describe('Name of the token that asked') })
export type Caller = Immutable<z.infer<typeof callerSchema>>

/** The debate that was decided: its rounds up to the decision, without any text. */
const bareDebateSchema = z.looseObject({
  id: z.string(),
  group: z.string().nullable(),
  options: z.array(nameSchema),
  rounds: roundsSchema,
})

/**
 * What was found about a debate: the fields of a record that follow from its verdict. An API shows them for the rounds so far too,
 * so a field that is added here gets its value in `foundFields` of `run/decision-record.ts` and is hidden with the others.
 */
export const foundSchema = z.object({
  kind: z.enum(['act', 'defer']),
  answer: z.string().nullable(),
  reason: deferReasonSchema.nullable().describe('Why it was deferred'),
  round: z.int().min(0).describe('The round of the action; for a deferral, the last round that was assessed'),
  bound: z.number().nullable().describe('The bound of the action; null for a deferral'),
  path: z.array(stepSchema).describe('The arithmetic, round by round'),
})

export type Found = Immutable<z.infer<typeof foundSchema>>

/** A decision as it is stored, exported and appended to the ledger. It has everything needed to recompute it from the certificate. */
export const decisionSchema = z.object({
  quorate: z.literal(1),
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  certificateId: z.string(),
  at: timeSchema.describe('Milliseconds since 1970'),
  ...foundSchema.shape,
  isSpotCheck: z.boolean().describe('Chosen for a spot check'),
  sampling: samplingSchema
    .nullable()
    .describe('How the spot check was sampled: the number of the sampling key of the run, and the probability'),
  isShadow: z
    .boolean()
    .describe(
      'Decided in a shadow run, which makes no review items and no messages. Deferrals of a policy in shadow mode have the reason shadow instead',
    ),
  isSeen: z.boolean().describe('The question is one of the calibration rows, and was decided anyway'),
  mismatch: z.array(z.string()).describe('Fields in which the panel is not the calibrated one'),
  caller: callerSchema.nullable().describe('Who asked a server; null for a question of a command'),
  debate: bareDebateSchema,
})

export type DecisionRecord = Immutable<z.infer<typeof decisionSchema>>
export type BareDebate = DecisionRecord['debate']
