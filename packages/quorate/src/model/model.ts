/** The only view of a language model that the rest of the package has. SDKs are hidden behind it. */
export interface Model {
  /** `provider/name`, as in the config. */
  readonly id: string
  /** The provider whose limits and key it shares: `anthropic`, `openai`, ..., or the host of an OpenAI-compatible URL. */
  readonly provider: string
  /** Hosts that it sends requests to; none for simulated, scripted, replay and manual models, and for functions. */
  readonly hosts: readonly string[]
  /** What else its answers depend on, such as the digest of a script. It is part of the cache key. */
  readonly variant?: string
  /** The model whose stored answers it replays. It has no answers of its own, and its `call` fails. */
  readonly replays?: Pick<Model, 'id' | 'hosts' | 'variant'>
  /**
   * Loads the code that the first call needs, so that the time of that call does not include it. Reads no key and sends
   * nothing.
   */
  load?(): Promise<void>
  /** One attempt: no retry, no cache. Throws only ModelError. */
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
  /** Number of tokens at each place whose log-probabilities are requested; null: none. */
  readonly topLogprobs: number | null
  /** The JSON Schema that the reply must follow; null: any text. Only for models with structured output. */
  readonly schema: JsonSchema | null
}

/** The part of JSON Schema that answers need. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly settings: ModelSettings
  readonly signal: AbortSignal
  /** Identifies the call in its run, the same in every process. A batch that was sent earlier is found by it. */
  readonly place?: string | undefined
}

export interface ModelReply {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'refusal' | 'other'
  /** Null if the provider did not report it. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** The id that the provider returned; null if it returned none. */
  readonly servedModel: string | null
  /** Alternatives at each output token, the chosen one first; null if there are none. */
  readonly logprobs: readonly (readonly { readonly token: string; readonly logprob: number }[])[] | null
  /** Settings that the provider or the SDK dropped, in words. */
  readonly warnings: readonly string[]
}
