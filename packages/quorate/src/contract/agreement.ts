import { z } from 'zod'

/** How often two raters agree on the items that both rated. */
export const agreementSchema = z.object({
  items: z.int(),
  agreed: z.int(),
  /** Null: both raters gave every item the same answer, so agreement beyond chance is undefined. */
  kappa: z.object({ value: z.number(), lower: z.number(), upper: z.number(), byChance: z.number() }).nullable(),
})
export type AgreementFigures = z.infer<typeof agreementSchema>

/** GET /v1/agreement: people with each other, and agents with people. Raters without a common item are not listed. */
export const agreementViewSchema = z.object({
  confidence: z.number(),
  /** Over items that several people read. Open answers count only if acted on, rated by whether the action was right. */
  people: z.array(agreementSchema.extend({ reviewers: z.tuple([z.string(), z.string()]) })),
  /** Each agent's answer in the last round against the label. Only spot checks count: other labels are no random sample. */
  agents: z.array(agreementSchema.extend({ agent: z.string() })),
  /** Items that at least two people read. */
  readTwice: z.int(),
  /** Those of them on which the first two readers disagreed. */
  disagreed: z.int(),
})
export type AgreementView = z.infer<typeof agreementViewSchema>
