import { z } from 'zod'
import type { Adapter } from '../ai-sdk-model.ts'
import { firstKey } from './first-key.ts'

const Metadata = z.object({ openai: z.object({ logprobs: z.unknown() }) })

/** Chat completions: the only interface of OpenAI's with both a seed and log-probabilities. */
export const OPENAI: Adapter = {
  logprobs: {
    ask: (top) => ({ openai: { logprobs: top } }),
    find: ({ providerMetadata }) => Metadata.safeParse(providerMetadata).data?.openai.logprobs,
  },
  load,
  async open({ name, url }, { keys, fetch }) {
    const { createOpenAI } = await load()
    return createOpenAI({ apiKey: firstKey(keys), baseURL: url.href, fetch }).chat(name)
  },
}

function load() {
  return import('@ai-sdk/openai')
}
