import { z } from 'zod'
import type { Adapter } from '../ai-sdk-model.ts'
import type { SettingName } from '../dropped-settings.ts'
import type { Provider } from './provider.ts'

const NAME = 'compatible'
const Body = z.object({ choices: z.tuple([z.object({ logprobs: z.object({ content: z.unknown() }) })], z.unknown()) })

/** What a hosted server does differently from OpenAI's chat format. */
export interface CompatibleServer {
  readonly url: string
  readonly variable: string
  /** Settings that the server does not support. They are not sent, and a warning says so. */
  readonly drops?: readonly Extract<SettingName, 'seed' | 'logprobs'>[]
  /** The server's own name for the field `seed`. */
  readonly seedField?: string
}

/** A provider whose server speaks the chat format of OpenAI. Prices come from the config. */
export function compatibleProvider({ url, variable, drops = [], seedField = 'seed' }: CompatibleServer): Provider {
  return {
    standard: { url, variable },
    adapter: compatibleAdapter(drops, seedField),
    drops: () => drops,
    // Some servers of this kind refuse a schema and some ignore it.
    hasStructuredOutput: () => false,
    prices: {},
  }
}

/** vLLM, Ollama, llama.cpp and gateways, at the address in the config. No key is sent unless the config names one. */
export const OPENAI_COMPATIBLE: Provider = {
  standard: null,
  adapter: compatibleAdapter([], 'seed'),
  drops: () => [],
  hasStructuredOutput: () => false,
  prices: {},
}

/** The SDK passes unknown options through and returns log-probabilities only in the body. */
function compatibleAdapter(drops: readonly SettingName[], seedField: string): Adapter {
  return {
    logprobs: drops.includes('logprobs')
      ? null
      : {
          ask: (top) => ({ [NAME]: { logprobs: true, top_logprobs: top } }),
          find: ({ body }) => Body.safeParse(body).data?.choices[0].logprobs.content,
        },
    load,
    async open({ name, url }, { keys, fetch }) {
      const { createOpenAICompatible } = await load()
      const [apiKey] = keys.values()
      return createOpenAICompatible({
        name: NAME,
        baseURL: url.href,
        fetch,
        ...(apiKey === undefined ? {} : { apiKey }),
        transformRequestBody({ seed, ...body }, warnings) {
          if (seed === undefined) return body
          if (!drops.includes('seed')) return { ...body, [seedField]: seed }
          warnings?.push({ type: 'unsupported', feature: 'seed' })
          return body
        },
      })(name)
    },
  }
}

function load() {
  return import('@ai-sdk/openai-compatible')
}
