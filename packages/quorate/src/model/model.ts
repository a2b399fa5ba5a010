/** The only view of a language model that the rest of the package has; SDKs live behind it. */
export interface Model {
  /** `provider/name`, as in the config. */
  readonly id: string
  /** Whose limits and key it shares: `anthropic`, `openai`, ..., or the host of an OpenAI-compatible URL. */
  readonly provider: string
  /** Hosts it would talk to; none for simulated, scripted, replay and manual models, and for functions. */
  readonly hosts: readonly string[]
  /** What decides over its answers besides id and hosts, such as the digest of a script; part of the cache's key. */
  readonly variant?: string
  /** The model whose stored answers it gives: it has none of its own, and its `call` fails. */
  readonly replays?: Pick<Model, 'id' | 'hosts' | 'variant'>
  /** Loads the code that the first call needs, if any: not on the clock of that call. Reads no key, sends nothing. */
  load?(): Promise<void>
  /** One attempt: no retry, no cache. Throws ModelError and nothing else. */
  call(request: ModelRequest): Promise<ModelReply>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ModelSettings {
  readonly temperature: number | null
  readonly maxOutputTokens: number
  readonly seed: number | null
  /** Ask for the log-probabilities of this many tokens at each place; null: none. */
  readonly topLogprobs: number | null
  /** The JSON Schema that the reply must follow; null: any text. Only for models with structured output. */
  readonly schema: JsonSchema | null
}

/** As far as answers need it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly settings: ModelSettings
  readonly signal: AbortSignal
  /** Of the call in its run, the same in every process: a batch that was sent before is found by it. */
  readonly place?: string | undefined
}

export interface ModelReply {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'refusal' | 'other'
  /** Null where the provider did not say. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** The id that the provider returned; null where it returned none. */
  readonly servedModel: string | null
  /** Alternatives at each output token, the chosen one first; null where there are none. */
  readonly logprobs: readonly (readonly { readonly token: string; readonly logprob: number }[])[] | null
  /** Settings that the provider or the SDK dropped, in words. */
  readonly warnings: readonly string[]
}
