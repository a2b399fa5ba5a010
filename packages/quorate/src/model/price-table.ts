/** Micro-dollars per million tokens: a dollar per million is 1,000,000. */
export interface Price {
  readonly inputMicroUsd: number
  readonly outputMicroUsd: number
}

/** By `provider/name`. */
export type PriceTable = Readonly<Record<string, Price>>

/**
 * When these list prices were true: standard tier, no cache, no batch, prompts of ordinary length. Providers change
 * them without notice: check before a large run, and override what changed (`prices` of the config).
 */
export const PRICES_AS_OF = '2025-12-01'

/** Dollars per million tokens, in and out. A model that is not here has no known price, which is never 0. */
const USD_PER_MILLION: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'anthropic/claude-haiku-4-5': [1, 5],
  'anthropic/claude-sonnet-4-5': [3, 15],
  'anthropic/claude-opus-4-5': [5, 25],
  'anthropic/claude-opus-4-1': [15, 75],
  'anthropic/claude-sonnet-4': [3, 15],
  'anthropic/claude-opus-4': [15, 75],
  'anthropic/claude-3-7-sonnet': [3, 15],
  'anthropic/claude-3-5-haiku': [0.8, 4],
  'openai/gpt-5': [1.25, 10],
  'openai/gpt-5-mini': [0.25, 2],
  'openai/gpt-5-nano': [0.05, 0.4],
  'openai/gpt-4.1': [2, 8],
  'openai/gpt-4.1-mini': [0.4, 1.6],
  'openai/gpt-4.1-nano': [0.1, 0.4],
  'openai/gpt-4o': [2.5, 10],
  'openai/gpt-4o-mini': [0.15, 0.6],
  'openai/o3': [2, 8],
  'openai/o4-mini': [1.1, 4.4],
  'deepseek/deepseek-chat': [0.28, 0.42],
  'deepseek/deepseek-reasoner': [0.28, 0.42],
  'bedrock/anthropic.claude-haiku-4-5': [1.1, 5.5],
  'bedrock/anthropic.claude-sonnet-4-5': [3.3, 16.5],
  'bedrock/deepseek.r1-v1:0': [1.35, 5.4],
  'bedrock/qwen.qwen3-32b-v1:0': [0.15, 0.6],
}

export const PRICE_TABLE: PriceTable = Object.freeze(
  Object.fromEntries(
    Object.entries(USD_PER_MILLION).map(([model, [input, output]]) => [
      model,
      { inputMicroUsd: Math.round(input * 1e6), outputMicroUsd: Math.round(output * 1e6) },
    ]),
  ),
)
