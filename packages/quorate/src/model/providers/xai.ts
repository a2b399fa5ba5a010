import { compatibleProvider } from './openai-compatible.ts'

/** Gives at most eight alternatives at a place, fewer than beliefs need: log-probabilities are not asked for. */
export const XAI = compatibleProvider({ url: 'https://api.x.ai/v1', variable: 'XAI_API_KEY', drops: ['logprobs'] })
