import { compatibleProvider } from './openai-compatible.ts'

/** Refuses requests that ask for log-probabilities. */
export const GROQ = compatibleProvider({
  url: 'https://api.groq.com/openai/v1',
  variable: 'GROQ_API_KEY',
  drops: ['logprobs'],
})
