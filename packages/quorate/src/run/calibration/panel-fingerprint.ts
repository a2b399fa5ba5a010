import { type BeliefReading, canonicalJson, compareCodePoints, type Fingerprint, sha256 } from '@quorate/certificate'
import type { ConfiguredPanel } from '../../config/resolve-config.ts'
import { ELICITATIONS } from '../../debate/elicit/elicitations.ts'
import type { PanelPlan } from '../../debate/panel.ts'
import { READER_VERSION } from '../../debate/reader-version.ts'
import { type PanelSettings, settingsOf } from './panel-settings.ts'

/** What a guarantee about this panel depends on, for comparison with a certificate. */
export type PanelFingerprint = Pick<
  Fingerprint,
  'models' | 'prompts' | 'agents' | 'rounds' | 'endsEarly' | 'elicitation' | 'settings' | 'reader'
>

export function panelFingerprint(panel: ConfiguredPanel): PanelFingerprint {
  const names = panel.agents.map(({ name }) => name)
  return {
    models: modelsOf(panel),
    prompts: promptsDigest(panel),
    agents: Array.from({ length: panel.rounds }, (_, round) =>
      names.slice(0, panel.sizes?.[round] ?? names.length).toSorted(compareCodePoints),
    ),
    rounds: panel.rounds,
    // Every debate continues to its last round unless a decision or a failure ends it.
    endsEarly: false,
    elicitation: readingOf(panel.elicitation),
    settings: settingsOf(panel),
    reader: READER_VERSION,
  }
}

interface KnownPanel {
  readonly prompts: PanelPlan['prompts']
  readonly agents: readonly { readonly name: string; readonly model: string }[]
  readonly settings: PanelSettings | null
  readonly reader: number | null
}

/** Options of `calibrate` that are known from the panel of a run, but not from its debates. */
export function knownOf(panel: KnownPanel) {
  const { settings, reader } = panel
  return {
    models: modelsOf(panel),
    prompts: promptsDigest(panel),
    ...(settings === null ? {} : { settings }),
    ...(reader === null ? {} : { reader }),
  }
}

/** Models by agent. The answers of a replay are those of the model that it repeats. */
export function modelsOf({ agents }: Pick<KnownPanel, 'agents'>): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.map(({ name, model }) => [name, model.replace(/^replay\//, '')]))
}

function promptsDigest({ prompts }: Pick<PanelPlan, 'prompts'>): string {
  return sha256(canonicalJson(prompts))
}

/** How a certificate reads the turns of a panel with this elicitation. */
export function readingOf(elicitation: PanelPlan['elicitation']): BeliefReading {
  return ELICITATIONS[elicitation].reading
}
