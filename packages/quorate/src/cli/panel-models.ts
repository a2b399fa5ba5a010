import type { PaidModel } from '../calls/pay-for-call.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isTrusted, pairingFile, readPairings, rememberPairings } from '../config/trusted-pairings.ts'
import type { Flags } from './parse-flags.ts'
import { personPrompt } from './person-prompt.ts'

/** The models of all agents, with their keys in place. A key goes only where it may. */
export async function panelModels(
  { config, env }: LoadedConfig,
  flags: Flags,
): Promise<ReadonlyMap<string, PaidModel>> {
  // Loaded here, so that --help need not wait for the SDKs.
  const { checkModelKey, createModel, modelEndpoint } = await import('../model/create-model.ts')
  const trusted = await readPairings(pairingFile(process.env))
  const isTold = flags.has('trust-config')
  const models = new Map<string, PaidModel>()
  for (const { name, model, baseURL, apiKeyEnv, insist } of config.panel.agents) {
    const options = { env, now: Date.now, baseURL, apiKeyEnv, seed: config.seed, prompt: personPrompt }
    const endpoint = modelEndpoint(model, options)
    const trustConfig = isTold || (endpoint !== null && isTrusted(endpoint, trusted))
    models.set(name, { model: createModel(model, { ...options, trustConfig }), insist })
    checkModelKey(model, options)
    if (isTold && endpoint !== null) await rememberPairings(pairingFile(process.env), [endpoint])
  }
  return models
}
