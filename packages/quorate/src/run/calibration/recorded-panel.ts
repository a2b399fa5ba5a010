import { z } from 'zod'
import { ELICITATION_NAMES } from '../../debate/elicit/elicitations.ts'
import type { PanelPlan } from '../../debate/panel.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import { reviewRulesSchema } from '../../record/review-rules.ts'
import { type Answers, answersSchema } from '../../record/task.ts'
import { type PanelSettings, settingsOf } from './panel-settings.ts'

const panelSchema = z.object({
  elicitation: z.enum(ELICITATION_NAMES),
  rounds: z.number(),
  agents: z.array(z.looseObject({ name: z.string(), model: z.string() })),
  prompts: z.object({
    firstRound: z.string(),
    laterRound: z.string(),
    reminder: z.string(),
    instruction: z.string().optional(),
  }),
})

const askedSchema = z.looseObject({
  name: z.string(),
  temperature: z.number().nullable(),
  maxOutputTokens: z.number(),
  baseURL: z.string().nullable(),
})

const settingsSchema = z.object({
  protocol: z.enum(['debate', 'growing-panel']),
  samples: z.number(),
  sizes: z.array(z.number()).nullable(),
  answers: answersSchema.optional(),
  alwaysReview: reviewRulesSchema.optional(),
  agents: z.array(askedSchema),
  judge: askedSchema.extend({ model: z.string(), prompt: z.string() }).optional(),
})

export type RecordedPanel = Pick<PanelPlan, 'elicitation' | 'rounds' | 'prompts'> & {
  readonly agents: readonly { readonly name: string; readonly model: string }[]
  /** Null if the run does not say. */
  readonly settings: PanelSettings | null
  /** Which answers there are; null if every question has its own, or the run does not say. */
  readonly answers: Answers | null
  /** Version of the reader of answers at that time; null if the run does not say. */
  readonly reader: number | null
}

/** The panel of a run; null for imported debates, whose panel is unknown. */
export function recordedPanel({ config }: { readonly config: string }): RecordedPanel | null {
  const value = jsonOf(config)
  const parsed = z.object({ panel: panelSchema, reader: z.number().optional() }).safeParse(value)
  if (!parsed.success) return null
  const { panel, reader = null } = parsed.data
  const settings = z.object({ panel: settingsSchema }).safeParse(value)
  const known = settings.success ? settings.data.panel : null
  return { ...panel, reader, settings: known === null ? null : settingsOf(known), answers: known?.answers ?? null }
}
