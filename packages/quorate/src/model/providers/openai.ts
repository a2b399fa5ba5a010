import { z } from 'zod'
import { OPENAI_BATCHES } from '../batch/openai-batches.ts'
import { firstKey, type Provider } from './provider.ts'

const Metadata = z.object({ openai: z.object({ logprobs: z.unknown() }) })
/** Reasoning models, which choose their own temperature. */
const WITHOUT_TEMPERATURE = /^(o\d|gpt-5(-mini|-nano)?(-\d{4}|$))/
const STRUCTURED = /^(gpt-4o(?!-2024-05-13)|gpt-4\.1|gpt-[5-9]|o[3-9])/

/** Chat completions, the only interface of OpenAI with both a seed and log-probabilities. */
export const OPENAI: Provider = {
  standard: { url: 'https://api.openai.com/v1', variable: 'OPENAI_API_KEY' },
  adapter: {
    logprobs: {
      ask: (top) => ({ openai: { logprobs: top } }),
      find: ({ providerMetadata }) => Metadata.safeParse(providerMetadata).data?.openai.logprobs,
    },
    load,
    async open({ name, url }, { keys, fetch }) {
      const { createOpenAI } = await load()
      return createOpenAI({ apiKey: firstKey(keys), baseURL: url.href, fetch }).chat(name)
    },
  },
  batch: OPENAI_BATCHES,
  drops: (name) => (WITHOUT_TEMPERATURE.test(name) ? ['temperature'] : []),
  hasStructuredOutput: (name) => STRUCTURED.test(name),
  prices: {
    'https://developers.openai.com/api/docs/models/gpt-5-nano': { 'gpt-5-nano': [0.05, 0.4] },
    'https://developers.openai.com/docs/models': {
      'gpt-5.4': [2.5, 15],
      'gpt-5.4-mini': [0.75, 4.5],
      'gpt-5.5': [5, 30],
    },
    // Not from OpenAI's own pages, which could not be read. These two repeat its list, the second as of March 2026.
    'https://github.com/github/docs/blob/main/data/tables/copilot/models-and-pricing.yml': {
      'gpt-4.1': [2, 8],
      'gpt-5-mini': [0.25, 2],
    },
    'https://deploybase.ai/articles/openai-pricing': {
      'gpt-4.1-mini': [0.4, 1.6],
      'gpt-4.1-nano': [0.1, 0.4],
      'gpt-4o': [2.5, 10],
      'gpt-4o-mini': [0.15, 0.6],
      'gpt-5': [1.25, 10],
      o3: [2, 8],
      'o4-mini': [1.1, 4.4],
    },
  },
}

function load() {
  return import('@ai-sdk/openai')
}
