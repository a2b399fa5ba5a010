import { canonicalJson, type Elicitation, type Fingerprint, sha256 } from '@quorate/certificate'
import type { PanelPlan } from '../debate/panel.ts'
import { compareCodePoints } from '../questions/code-points.ts'

/** What a guarantee about this panel depends on, for comparison with a certificate's. */
export type PanelFingerprint = Pick<Fingerprint, 'models' | 'prompts' | 'agents' | 'rounds' | 'elicitation'>

export function panelFingerprint(panel: PanelPlan): PanelFingerprint {
  const names = panel.agents.map(({ name }) => name)
  return {
    models: modelsOf(panel),
    prompts: promptsDigest(panel),
    agents: Array.from({ length: panel.rounds }, (_, round) =>
      names.slice(0, panel.sizes?.[round] ?? names.length).toSorted(compareCodePoints),
    ),
    rounds: panel.rounds,
    elicitation: readingOf(panel.elicitation),
  }
}

/** A replay's answers are those of the model that it repeats. */
export function modelsOf({
  agents,
}: {
  readonly agents: readonly { readonly name: string; readonly model: string }[]
}): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.map(({ name, model }) => [name, model.replace(/^replay\//, '')]))
}

export function promptsDigest({ prompts }: Pick<PanelPlan, 'prompts'>): string {
  return sha256(canonicalJson(prompts))
}

/** How a certificate reads what a panel with this elicitation said. */
export function readingOf(elicitation: PanelPlan['elicitation']): Elicitation {
  return elicitation === 'logprobs' ? 'given' : elicitation
}
