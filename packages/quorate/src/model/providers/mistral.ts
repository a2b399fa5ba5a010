import { compatibleProvider } from './openai-compatible.ts'

/** Calls the seed by another name and refuses fields that it does not know. No log-probabilities. */
export const MISTRAL = compatibleProvider({
  url: 'https://api.mistral.ai/v1',
  variable: 'MISTRAL_API_KEY',
  drops: ['logprobs'],
  seedField: 'random_seed',
})
