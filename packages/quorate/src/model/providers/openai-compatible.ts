import { z } from 'zod'
import type { Adapter } from '../ai-sdk-model.ts'
import type { Provider } from './provider.ts'

const NAME = 'compatible'
const Body = z.object({ choices: z.tuple([z.object({ logprobs: z.object({ content: z.unknown() }) })], z.unknown()) })

/** The chat format of OpenAI. The SDK passes unknown options on and gives log-probabilities only in the body. */
export const COMPATIBLE_ADAPTER: Adapter = {
  logprobs: {
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
    })(name)
  },
}

/** vLLM, Ollama, llama.cpp, gateways: the config says where. No key is sent unless it names one. */
export const OPENAI_COMPATIBLE: Provider = {
  standard: null,
  adapter: COMPATIBLE_ADAPTER,
  drops: () => [],
  // Some servers of this kind refuse a schema and some ignore it.
  hasStructuredOutput: () => false,
  prices: {},
}

function load() {
  return import('@ai-sdk/openai-compatible')
}
