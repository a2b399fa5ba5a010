/** Micro-dollars per million tokens: a dollar per million is 1,000,000. */
export interface Price {
  readonly inputMicroUsd: number
  readonly outputMicroUsd: number
}

/** By `provider/name`. */
export type PriceTable = Readonly<Record<string, Price>>

/**
 * When these list prices were looked up: standard tier, no cache, no batch, prompts of ordinary length; where the hour
 * counts, the dearer one. Providers change them without notice: check before a large run, and override what changed
 * (`prices` of the config).
 */
export const PRICES_AS_OF = '2026-11-15'

/** A row of the built-in table, with the page that it was read from. */
export interface ListedPrice extends Price {
  readonly source: string
}

type Rows = Readonly<Record<string, readonly [input: number, output: number]>>

/**
 * Dollars per million tokens, in and out, by the page that says so. A model that is not here has no known price, which is
 * never 0: names that a provider has retired (deepseek-chat and deepseek-reasoner in July 2026) are not here either.
 */
const USD_PER_MILLION: Readonly<Record<string, Rows>> = {
  'https://platform.claude.com/docs/en/about-claude/pricing': {
    'anthropic/claude-haiku-4-5': [1, 5],
    'anthropic/claude-sonnet-4-5': [3, 15],
    'anthropic/claude-sonnet-4-6': [3, 15],
    'anthropic/claude-opus-4-1': [15, 75],
    'anthropic/claude-opus-4-5': [5, 25],
    'anthropic/claude-opus-4-6': [5, 25],
  },
  'https://platform.claude.com/docs/about-claude/models/whats-new-opus-5': {
    'anthropic/claude-sonnet-5': [2, 10],
    'anthropic/claude-sonnet-5-5': [2, 10],
    'anthropic/claude-opus-5': [5, 25],
    'anthropic/claude-opus-5-5': [4, 20],
  },
  'https://developers.openai.com/api/docs/models/gpt-5-nano': { 'openai/gpt-5-nano': [0.05, 0.4] },
  'https://developers.openai.com/docs/models': {
    'openai/gpt-5.4': [2.5, 15],
    'openai/gpt-5.4-mini': [0.75, 4.5],
    'openai/gpt-5.5': [5, 30],
  },
  // Not OpenAI's own pages, which could not be read: they repeat its list, the second one that of March 2026.
  'https://github.com/github/docs/blob/main/data/tables/copilot/models-and-pricing.yml': {
    'openai/gpt-4.1': [2, 8],
    'openai/gpt-5-mini': [0.25, 2],
  },
  'https://deploybase.ai/articles/openai-pricing': {
    'openai/gpt-4.1-mini': [0.4, 1.6],
    'openai/gpt-4.1-nano': [0.1, 0.4],
    'openai/gpt-4o': [2.5, 10],
    'openai/gpt-4o-mini': [0.15, 0.6],
    'openai/gpt-5': [1.25, 10],
    'openai/o3': [2, 8],
    'openai/o4-mini': [1.1, 4.4],
  },
  // Of peak hours; half of it at others.
  'https://api-docs.deepseek.com/quick_start/pricing': {
    'deepseek/deepseek-flash': [0.3, 1.2],
    'deepseek/deepseek-v4-pro': [1.32, 3.96],
  },
  // In one region and geographic profiles; the global profile is cheaper by a tenth.
  'https://github.com/aws/agent-toolkit-for-aws/blob/main/plugins/aws-startup-advisor/skills/llm-to-bedrock/scripts/bedrock_pricing.py':
    {
      'bedrock/anthropic.claude-haiku-4-5': [1.1, 5.5],
      'bedrock/global.anthropic.claude-haiku-4-5': [1, 5],
      'bedrock/anthropic.claude-sonnet-4-6': [3.3, 16.5],
      'bedrock/global.anthropic.claude-sonnet-4-6': [3, 15],
      'bedrock/anthropic.claude-sonnet-5': [2.2, 11],
      'bedrock/global.anthropic.claude-sonnet-5': [2, 10],
    },
  'https://github.com/braintrustdata/braintrust-proxy/issues/629': { 'bedrock/qwen.qwen3-32b-v1:0': [0.15, 0.6] },
}

export const PRICE_TABLE: Readonly<Record<string, ListedPrice>> = Object.freeze(
  Object.fromEntries(
    Object.entries(USD_PER_MILLION).flatMap(([source, rows]) =>
      Object.entries(rows).map(([model, [input, output]]) => [
        model,
        { inputMicroUsd: Math.round(input * 1e6), outputMicroUsd: Math.round(output * 1e6), source },
      ]),
    ),
  ),
)
