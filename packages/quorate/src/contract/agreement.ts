import { z } from 'zod'

/** How far two raters agree on the items that both rated. */
export const agreementSchema = z.object({
  items: z.int(),
  agreed: z.int(),
  /** Null: nothing can be said beyond chance, as both gave one and the same answer to all. */
  kappa: z.object({ value: z.number(), lower: z.number(), upper: z.number(), byChance: z.number() }).nullable(),
})
export type AgreementFigures = z.infer<typeof agreementSchema>

/** GET /v1/agreement: people with each other, and agents with people. Nobody who agreed on nothing is listed. */
export const agreementViewSchema = z.object({
  confidence: z.number(),
  /** Of items that several people read; of open answers those that were acted on, by whether the action was right. */
  people: z.array(agreementSchema.extend({ reviewers: z.tuple([z.string(), z.string()]) })),
  /** The answer of an agent in the last round beside the label, of spot checks: other labels are no random sample. */
  agents: z.array(agreementSchema.extend({ agent: z.string() })),
  /** Items that two people read, and those on which the first two disagreed. */
  readTwice: z.int(),
  disagreed: z.int(),
})
export type AgreementView = z.infer<typeof agreementViewSchema>
