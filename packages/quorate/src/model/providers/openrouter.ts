import { compatibleProvider } from './openai-compatible.ts'

/** Forwards settings to whichever server it chooses, and does not report what that server drops. */
export const OPENROUTER = compatibleProvider({
  url: 'https://openrouter.ai/api/v1',
  variable: 'OPENROUTER_API_KEY',
})
