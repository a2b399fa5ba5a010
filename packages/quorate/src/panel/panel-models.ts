import { insistProblem } from '../config/insist.ts'
import { everyModel, type ResolvedConfig } from '../config/resolve-config.ts'
import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import type { ModelOptions } from '../model/create-model.ts'
import type { ModelAddress } from '../model/keys.ts'
import { ModelSetupError } from '../model/model-setup-error.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'

export interface ModelSources extends Pick<ModelOptions, 'env' | 'now' | 'prompt' | 'functions' | 'batches'> {
  /** Whether a key may be sent to this host, which is not its provider's. */
  readonly isTrusted: (endpoint: ModelAddress) => boolean
  /** Called for each model on the network, after it was created and its key was found. */
  readonly onEndpoint?: (endpoint: ModelAddress) => Promise<void>
}

/** Creates the models of all agents, and checks their keys and where the keys may be sent. Throws before anything is asked. */
export async function createPanelModels(
  { panel, seed }: ResolvedConfig,
  { isTrusted, onEndpoint, ...sources }: ModelSources,
): Promise<ReadonlyMap<string, PaidModel>> {
  // Loaded here, so that commands that call no model need not load the SDKs.
  const { checkModelKey, createModel, modelEndpoint } = await import('../model/create-model.ts')
  for (const agent of everyModel(panel)) {
    const problem = insistProblem(agent, panel)
    if (problem !== null) throw new ModelSetupError(agent.model, problem)
  }
  const models = new Map<string, PaidModel>()
  const isSampled = ELICITATIONS[panel.elicitation].isRepeated
  for (const { name, model, baseURL, apiKeyEnv, insist, script } of everyModel(panel)) {
    const options = { ...sources, baseURL, apiKeyEnv, seed, isSampled, script }
    const endpoint = modelEndpoint(model, options)
    const trustConfig = endpoint !== null && isTrusted(endpoint)
    models.set(name, { model: createModel(model, { ...options, trustConfig }), insist })
    checkModelKey(model, options)
    if (endpoint !== null) await onEndpoint?.(endpoint)
  }
  return models
}
