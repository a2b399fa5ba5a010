import type { Model } from './model.ts'
import { ModelError } from './model-error.ts'
import { ModelSetupError } from './model-setup-error.ts'

/**
 * Answers what `original` answered before, and nothing else: no call leaves the machine. Answers are found by the key of
 * the cache, so whoever pays for calls looks there under the original's name; what is not there cannot be asked.
 */
export function replayModel(id: string, { id: name, hosts, variant, replays }: Model): Model {
  if (replays !== undefined) throw new ModelSetupError(id, 'write replay/ once, before the model that answered')
  return {
    id,
    provider: 'replay',
    hosts: [],
    replays: { id: name, hosts, ...(variant === undefined ? {} : { variant }) },
    async call() {
      throw new ModelError('exhausted', `${id}: no such answer is stored`, { charged: 'no' })
    },
  }
}
