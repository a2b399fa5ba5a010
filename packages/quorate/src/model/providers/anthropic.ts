import { ANTHROPIC_BATCHES } from '../batch/anthropic-batches.ts'
import { firstKey, type Provider } from './provider.ts'

/** From Opus 4.7 and the fifth generation on, models choose their own temperature. */
export const CLAUDE_WITHOUT_TEMPERATURE = /claude-(opus-4-[78]|[a-z]+-[5-9])(-|$)/
const STRUCTURED = /^claude-(opus-4-[15-9]|(sonnet|haiku)-4-[5-9]|[a-z]+-[5-9])(-|$)/

/** Has no log-probabilities and no seed. */
export const ANTHROPIC: Provider = {
  standard: { url: 'https://api.anthropic.com/v1', variable: 'ANTHROPIC_API_KEY' },
  adapter: {
    logprobs: null,
    load,
    async open({ name, url }, { keys, fetch }) {
      const { createAnthropic } = await load()
      return createAnthropic({ apiKey: firstKey(keys), baseURL: url.href, fetch })(name)
    },
  },
  batch: ANTHROPIC_BATCHES,
  drops: (name) => [
    ...(CLAUDE_WITHOUT_TEMPERATURE.test(name) ? (['temperature'] as const) : []),
    ...(['seed', 'logprobs'] as const),
  ],
  hasStructuredOutput: (name) => STRUCTURED.test(name),
  prices: {
    'https://platform.claude.com/docs/en/about-claude/pricing': {
      'claude-haiku-4-5': [1, 5],
      'claude-sonnet-4-5': [3, 15],
      'claude-sonnet-4-6': [3, 15],
      'claude-opus-4-1': [15, 75],
      'claude-opus-4-5': [5, 25],
      'claude-opus-4-6': [5, 25],
    },
    'https://platform.claude.com/docs/about-claude/models/whats-new-opus-5': {
      'claude-sonnet-5': [2, 10],
      'claude-sonnet-5-5': [2, 10],
      'claude-opus-5': [5, 25],
      'claude-opus-5-5': [4, 20],
    },
  },
}

function load() {
  return import('@ai-sdk/anthropic')
}
