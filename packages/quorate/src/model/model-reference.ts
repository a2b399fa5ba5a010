import { REMOTE_PROVIDERS } from './keys.ts'
import { ModelSetupError } from './model-setup-error.ts'

/** A model as the config names it: `provider/name`. */
export interface ModelReference {
  readonly id: string
  readonly provider: Provider
  readonly name: string
}

export const PROVIDERS = [...REMOTE_PROVIDERS, 'simulated', 'scripted', 'manual', 'replay'] as const

export type Provider = (typeof PROVIDERS)[number]

/** Throws ModelSetupError. */
export function parseModelReference(id: string): ModelReference {
  const slash = id.indexOf('/')
  const [before, name] = [id.slice(0, Math.max(0, slash)), id.slice(slash + 1)]
  const provider = PROVIDERS.find((known) => known === before)
  if (slash < 1 || name === '') throw new ModelSetupError(id, 'a model is written provider/name')
  if (provider === undefined) throw new ModelSetupError(id, `unknown provider; known are ${PROVIDERS.join(', ')}`)
  return { id, provider, name }
}
