import { z } from 'zod'
import type { Adapter } from '../ai-sdk-model.ts'

const NAME = 'compatible'
const Body = z.object({ choices: z.tuple([z.object({ logprobs: z.object({ content: z.unknown() }) })], z.unknown()) })

/** vLLM, Ollama, llama.cpp, gateways. The SDK passes unknown options on and gives log-probabilities only in the body. */
export const OPENAI_COMPATIBLE: Adapter = {
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

function load() {
  return import('@ai-sdk/openai-compatible')
}
