import type { Adapter } from '../ai-sdk-model.ts'
import { firstKey } from './first-key.ts'

/** No log-probabilities, no seed. */
export const ANTHROPIC: Adapter = {
  logprobs: null,
  load,
  async open({ name, url }, { keys, fetch }) {
    const { createAnthropic } = await load()
    return createAnthropic({ apiKey: firstKey(keys), baseURL: url.href, fetch })(name)
  },
}

function load() {
  return import('@ai-sdk/anthropic')
}
