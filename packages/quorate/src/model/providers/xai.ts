import { compatibleProvider } from './openai-compatible.ts'

/** Returns at most eight alternatives at a place, fewer than beliefs need, so log-probabilities are not requested. */
export const XAI = compatibleProvider({ url: 'https://api.x.ai/v1', variable: 'XAI_API_KEY', drops: ['logprobs'] })
