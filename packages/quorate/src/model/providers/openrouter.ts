import { compatibleProvider } from './openai-compatible.ts'

/** Passes settings on to whichever server it chooses: what that server drops, nobody says. */
export const OPENROUTER = compatibleProvider({
  url: 'https://openrouter.ai/api/v1',
  variable: 'OPENROUTER_API_KEY',
})
