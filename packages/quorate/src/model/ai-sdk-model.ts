import type { GenerateTextResult, LanguageModel, ModelMessage } from 'ai'
import { z } from 'zod'
import { abortedError } from './aborted-error.ts'
import { PLACE_HEADER } from './batch/batch-fetch.ts'
import { type ModelAddress, readKeys } from './keys.ts'
import type { JsonSchema, Model, ModelReply, ModelRequest, ModelSettings } from './model.ts'
import { ModelError } from './model-error.ts'
import { type Environment, keyForms, withoutKeys } from './redact-secrets.ts'
import { turnToRead } from './reply-turns.ts'

/** What differs between providers. Everything else is in this file. */
export interface Adapter {
  /** Loads the provider's SDK. */
  load(): Promise<unknown>
  /** Creates the provider's model. */
  open(endpoint: ModelAddress, access: Access): Promise<LanguageModel>
  /** How log-probabilities are requested; null if the provider has none. */
  readonly logprobs: LogprobsAccess | null
}

export interface Access {
  readonly keys: ReadonlyMap<string, string>
  readonly env: Environment
  readonly fetch: typeof fetch
}

export interface LogprobsAccess {
  readonly ask: (top: number) => Readonly<Record<string, Readonly<Record<string, number | boolean>>>>
  /** Where they are returned: in the metadata of the SDK, or only in the body. */
  readonly find: (result: { readonly providerMetadata: unknown; readonly body: unknown }) => unknown
}

export interface AdapterOptions {
  readonly env: Environment
  readonly now: () => number
  readonly fetch?: typeof fetch | undefined
  /** Collects requests into batches. Used in place of `fetch`, with the place of each call. */
  readonly batches?: typeof fetch | undefined
}

/** A model behind AI SDK 7. Each call is one attempt without a retry of the SDK, and results and errors have our types. */
export function aiSdkModel(endpoint: ModelAddress, adapter: Adapter, options: AdapterOptions): Model {
  const { env, now } = options
  const secretNames = endpoint.keyVariables.flat()
  const secrets = keyForms(env, secretNames)
  let opened: Promise<LanguageModel> | null = null
  let loaded: Promise<Sdk> | null = null
  // Even a repeated import costs a tenth of a whole call.
  const load = (): Promise<Sdk> => {
    loaded ??= loadSdk(adapter)
    return loaded
  }
  const open = (): Promise<LanguageModel> => {
    const keys = readKeys(endpoint, env)
    opened ??= adapter.open(endpoint, { keys, env, fetch: guardedFetch(options.batches ?? options.fetch ?? fetch) })
    return opened
  }
  return {
    id: endpoint.model,
    provider: endpoint.provider === 'openai-compatible' ? endpoint.url.host : endpoint.provider,
    hosts: [endpoint.url.host],
    // The same host may serve other models, or other versions of them, under other paths.
    variant: endpoint.url.href.replace(/(?<!\/)\/+$/, ''),
    async load() {
      await load()
    },
    async call(request) {
      if (request.signal.aborted) throw abortedError(endpoint.model, request.signal, 'no')
      try {
        const sdk = await load()
        // Dropped settings are stored with the call. The SDK would also print them.
        globalThis.AI_SDK_LOG_WARNINGS = false
        const result = await sdk.generateText({
          ...textRequest(await open(), adapter, sdk, request),
          ...(options.batches === undefined ? {} : { headers: placeHeader(request) }),
        })
        return withoutKeys(replyOf(result, adapter, request.settings), secrets)
      } catch (error) {
        if (error instanceof EmptyText)
          throw new ModelError('empty', `${endpoint.model}: no text`, { charged: 'unknown' })
        const { modelErrorOf } = await load()
        throw modelErrorOf(error, { model: endpoint.model, env, secretNames, signal: request.signal, now })
      }
    },
  }
}

/** The reply had no text although the model ended by itself. */
class EmptyText extends Error {}

type Sdk = Pick<typeof import('ai'), 'generateText' | 'Output' | 'jsonSchema'> & typeof import('./ai-sdk-errors.ts')

async function loadSdk(adapter: Adapter): Promise<Sdk> {
  const [sdk, errors] = await Promise.all([import('ai'), import('./ai-sdk-errors.ts'), adapter.load()])
  const { generateText, Output, jsonSchema } = sdk
  return { generateText, Output, jsonSchema, ...errors }
}

function textRequest(model: LanguageModel, adapter: Adapter, sdk: Sdk, { messages, settings, signal }: ModelRequest) {
  const top = settings.topLogprobs
  return {
    model,
    messages: messages.map(({ role, content }): ModelMessage => ({ role, content })),
    allowSystemInMessages: true,
    maxOutputTokens: settings.maxOutputTokens,
    ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
    ...(settings.seed === null ? {} : { seed: settings.seed }),
    ...(top === null || adapter.logprobs === null ? {} : { providerOptions: mutable(adapter.logprobs.ask(top)) }),
    ...(settings.schema === null ? {} : { output: rawOutput(sdk, settings.schema) }),
    maxRetries: 0,
    abortSignal: signal,
    include: { responseBody: top !== null },
  }
}

function placeHeader({ place = '' }: ModelRequest): Record<string, string> {
  return { [PLACE_HEADER]: Buffer.from(place).toString('base64') }
}

/** The schema is sent with the request. The reply is kept verbatim, even if it does not fit. */
function rawOutput({ Output, jsonSchema }: Sdk, schema: JsonSchema) {
  return { ...Output.object({ schema: jsonSchema({ ...schema }) }), parseCompleteOutput: async () => null }
}

type Result = Pick<
  GenerateTextResult<never, never, never>,
  'text' | 'finishReason' | 'usage' | 'warnings' | 'providerMetadata' | 'response'
>

function replyOf(result: Result, { logprobs }: Adapter, settings: ModelSettings): ModelReply {
  const finish = finishOf(result.finishReason)
  const read = settings.topLogprobs === null ? null : readLogprobs(result, logprobs)
  // A refusal and an exhausted token limit may leave no text, and another attempt would pay for the same again. Blanks
  // with their log-probabilities are the model's reply, and the same seed would give them again.
  const mayBeBlank = finish === 'refusal' || finish === 'length' || read !== null
  if (result.text.trim() === '' && !mayBeBlank) throw new EmptyText()
  return {
    text: result.text,
    finish,
    usage: usageOf(result.usage),
    servedModel: result.response.modelId || null,
    logprobs: read,
    warnings: [
      ...(result.warnings ?? []).map(warningText),
      ...(settings.topLogprobs !== null && read === null ? ['topLogprobs: no log-probabilities came back'] : []),
    ],
  }
}

/** More than any call can use. A count above it is wrong, and then the usage is unknown. */
const MOST_TOKENS = 1e9

/** The usage that a server reports decides about money. Anything but whole numbers is not trusted, and the reserve stays. */
function usageOf({ inputTokens, outputTokens }: Result['usage']): ModelReply['usage'] {
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS
}

function finishOf(reason: Result['finishReason']): ModelReply['finish'] {
  if (reason === 'stop' || reason === 'length') return reason
  return reason === 'content-filter' ? 'refusal' : 'other'
}

const Token = z.object({ token: z.string(), logprob: z.number() })
const Logprobs = z.array(z.object({ ...Token.shape, top_logprobs: z.array(Token).nullish() })).min(1)

function readLogprobs(result: Result, access: LogprobsAccess | null): ModelReply['logprobs'] {
  const found = access?.find({ providerMetadata: result.providerMetadata, body: result.response.body })
  const parsed = Logprobs.safeParse(found)
  if (!parsed.success) return null
  return parsed.data.map(({ token, logprob, top_logprobs: others }) => [
    { token, logprob },
    ...(others ?? []).filter((other) => other.token !== token),
  ])
}

function warningText(warning: NonNullable<Result['warnings']>[number]): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return `${warning.feature}: ${warning.details ?? 'not supported by this model, dropped'}`
    case 'deprecated':
      return `${warning.setting}: ${warning.message}`
    default:
      return warning.message
  }
}

function mutable(options: ReturnType<LogprobsAccess['ask']>): Record<string, Record<string, number | boolean>> {
  return Object.fromEntries(Object.entries(options).map(([name, values]) => [name, { ...values }]))
}

/** No reply of a few thousand tokens comes near this, compressed or not. */
const MOST_BYTES = 16 * 1024 * 1024

/** Guards against the server: no redirect, which would carry the key to another host, and no endless body. */
function guardedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' })
    await turnToRead()
    return bounded(response)
  }
}

/** The same response, whose body fails as soon as it is longer, after decompression, than a reply can be. */
function bounded(response: Response): Response {
  if (response.body === null || isKnownSmall(response.headers)) return response
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) controller.error(new TypeError(`the reply is larger than ${MOST_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}

/** Counting costs time. An uncompressed body with a known length cannot be longer than that. */
function isKnownSmall(headers: Headers): boolean {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  return headers.get('content-encoding') === null && length <= MOST_BYTES
}
