import type { Experimental_DecisionModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { PanelSettings } from './ask-panel.ts'
import { panelDecisionModel } from './decision-model.ts'
import { panelLanguageModel } from './language-model.ts'

export { DeferredError, type PanelSettings, type QuorateDecision } from './ask-panel.ts'

export interface QuorateProvider {
  /** The panel as a language model. */
  (name: string): LanguageModelV4
  languageModel(name: string): LanguageModelV4
  /** The panel for `experimental_decide`. This contract of the AI SDK is experimental. */
  decisionModel(name: string): Experimental_DecisionModelV4
}

/** Creates a provider for the AI SDK that asks a running `quorate serve`. */
export function createQuorate(settings: PanelSettings = {}): QuorateProvider {
  const languageModel = (name: string) => panelLanguageModel(name, settings)
  return Object.assign((name: string) => panelLanguageModel(name, settings), {
    languageModel,
    decisionModel: (name: string) => panelDecisionModel(name, settings),
  })
}

/** The provider with address and token from the environment (QUORATE_URL, QUORATE_TOKEN). */
export const quorate: QuorateProvider = createQuorate()
