import { z } from 'zod'
import { firstKey, type Provider } from './provider.ts'

const Metadata = z.object({ deepseek: z.object({ logprobs: z.object({ content: z.unknown() }) }) })
/** Reasoning models, which choose their own temperature. */
const WITHOUT_TEMPERATURE = /^deepseek-(reasoner|v4|flash|pro)/

/** Has no seed, and JSON only without a schema. */
export const DEEPSEEK: Provider = {
  standard: { url: 'https://api.deepseek.com', variable: 'DEEPSEEK_API_KEY' },
  adapter: {
    logprobs: {
      ask: (top) => ({ deepseek: { logprobs: true, topLogprobs: top } }),
      find: ({ providerMetadata }) => Metadata.safeParse(providerMetadata).data?.deepseek.logprobs.content,
    },
    load,
    async open({ name, url }, { keys, fetch }) {
      const { createDeepSeek } = await load()
      return createDeepSeek({ apiKey: firstKey(keys), baseURL: url.href, fetch })(name)
    },
  },
  drops: (name) => (WITHOUT_TEMPERATURE.test(name) ? ['temperature', 'seed'] : ['seed']),
  hasStructuredOutput: () => false,
  prices: {
    // For peak hours. At other hours it is half of this.
    'https://api-docs.deepseek.com/quick_start/pricing': {
      'deepseek-flash': [0.3, 1.2],
      'deepseek-v4-pro': [1.32, 3.96],
    },
  },
}

function load() {
  return import('@ai-sdk/deepseek')
}
