import type { Adapter } from '../ai-sdk-model.ts'
import { firstKey } from './first-key.ts'

/** No log-probabilities, no seed. */
export const ANTHROPIC: Adapter = {
  logprobs: null,
  async open({ name, url }, { keys, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey: firstKey(keys), baseURL: url.href, fetch })(name)
  },
}
