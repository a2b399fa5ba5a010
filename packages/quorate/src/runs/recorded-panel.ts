import { z } from 'zod'
import type { PanelPlan } from '../debate/panel.ts'
import type { Run } from '../store/store.ts'

const panelSchema = z.object({
  elicitation: z.enum(['vote', 'stated', 'samples', 'logprobs']),
  rounds: z.number(),
  agents: z.array(z.looseObject({ name: z.string(), model: z.string() })),
  prompts: z.object({ firstRound: z.string(), laterRound: z.string(), reminder: z.string() }),
})

export type RecordedPanel = Pick<PanelPlan, 'elicitation' | 'rounds' | 'prompts'> & {
  readonly agents: readonly { readonly name: string; readonly model: string }[]
}

/** The panel that held a run; null for imported debates, of which nothing is known. */
export function recordedPanel({ config }: Pick<Run, 'config'>): RecordedPanel | null {
  const parsed = z.object({ panel: panelSchema }).safeParse(JSON.parse(config))
  return parsed.success ? parsed.data.panel : null
}
