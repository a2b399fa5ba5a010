import { compatibleProvider } from './openai-compatible.ts'

/** Through Google's compatible interface, which documents neither a seed nor log-probabilities. */
export const GEMINI = compatibleProvider({
  url: 'https://generativelanguage.googleapis.com/v1beta/openai',
  variable: 'GEMINI_API_KEY',
  drops: ['seed', 'logprobs'],
})
