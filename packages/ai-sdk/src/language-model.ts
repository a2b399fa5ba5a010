import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Message,
  type LanguageModelV4StreamPart,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { z } from 'zod'
import { askPanel, type PanelSettings } from './ask-panel.ts'

/** `providerOptions: { quorate: { id, group } }`. With an id, a repeated call does not ask the panel again. */
const optionsSchema = z.object({ id: z.string().optional(), group: z.string().optional() })

/** The panel as a language model. Its answer arrives at once, so a stream has a single delta. */
export function panelLanguageModel(modelId: string, settings: PanelSettings): LanguageModelV4 {
  const generate = (options: LanguageModelV4CallOptions) => generateAnswer(modelId, settings, options)
  return {
    specificationVersion: 'v4',
    provider: 'quorate',
    modelId,
    supportedUrls: {},
    doGenerate: generate,
    async doStream(options) {
      const { content, finishReason, usage, warnings, providerMetadata } = await generate(options)
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings },
        { type: 'text-start', id: 'answer' },
        { type: 'text-delta', id: 'answer', delta: text },
        { type: 'text-end', id: 'answer' },
        { type: 'finish', finishReason, usage, ...(providerMetadata === undefined ? {} : { providerMetadata }) },
      ]
      return { stream: streamOf(parts) }
    },
  }
}

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

async function generateAnswer(
  modelId: string,
  settings: PanelSettings,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const { prompt, responseFormat, tools, providerOptions, headers, abortSignal } = options
  if (tools !== undefined && tools.length > 0) throw new UnsupportedFunctionalityError({ functionality: 'tools' })
  const { id, group } = optionsSchema.parse(providerOptions?.['quorate'] ?? {})
  const { content, refusal, quorate } = await askPanel(settings, {
    model: modelId,
    messages: prompt.map(messageOf),
    schema: responseFormat?.type === 'json' ? (responseFormat.schema ?? null) : null,
    id,
    group,
    headers,
    signal: abortSignal,
  })
  return {
    // The text of a refusal contains none of the options.
    content: [{ type: 'text', text: content ?? refusal ?? '' }],
    finishReason: content === null ? { unified: 'content-filter', raw: quorate.kind } : { unified: 'stop', raw: 'act' },
    usage: UNKNOWN_USAGE,
    warnings: [],
    providerMetadata: { quorate: { ...quorate } },
  }
}

const UNKNOWN_USAGE: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function messageOf(message: LanguageModelV4Message) {
  const { role, content } = message
  if (role === 'tool') throw new UnsupportedFunctionalityError({ functionality: 'messages of tools' })
  if (typeof content === 'string') return { role, content }
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text
    throw new UnsupportedFunctionalityError({ functionality: `parts of the type ${part.type}` })
  })
  return { role, content: texts.join('\n') }
}
