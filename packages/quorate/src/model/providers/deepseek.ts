import { z } from 'zod'
import type { Adapter } from '../ai-sdk-model.ts'
import { firstKey } from './first-key.ts'

const Metadata = z.object({ deepseek: z.object({ logprobs: z.object({ content: z.unknown() }) }) })

export const DEEPSEEK: Adapter = {
  logprobs: {
    ask: (top) => ({ deepseek: { logprobs: true, topLogprobs: top } }),
    find: ({ providerMetadata }) => Metadata.safeParse(providerMetadata).data?.deepseek.logprobs.content,
  },
  load,
  async open({ name, url }, { keys, fetch }) {
    const { createDeepSeek } = await load()
    return createDeepSeek({ apiKey: firstKey(keys), baseURL: url.href, fetch })(name)
  },
}

function load() {
  return import('@ai-sdk/deepseek')
}
