import { type Random, seededRandom } from '@quorate/certificate'
import type { Runtime, Tensor } from './runtime.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface GenerationRequest {
  readonly messages: readonly ChatMessage[]
  readonly temperature: number
  readonly maxTokens: number
  readonly seed: number
  readonly stop: readonly string[]
}

export interface Generation {
  readonly text: string
  readonly finish: 'stop' | 'length'
  readonly promptTokens: number
  /** All that were computed, an end mark included. */
  readonly completionTokens: number
  /** Of the text, without an end mark. */
  readonly steps: readonly Step[]
}

/** One token that was drawn, and the logits it was drawn from. */
export interface Step {
  readonly id: number
  readonly logits: Float32Array
}

// Of minimind2-small: its config.json and special_tokens_map.json.
const LAYERS = 8
const HEADS = 2
const HEAD_SIZE = 64
const END_MARKS: ReadonlySet<number> = new Set([0, 2])

export async function generate(runtime: Runtime, request: GenerationRequest): Promise<Generation> {
  const random = seededRandom(request.seed)
  const prompt = runtime.encode(chatText(request.messages))
  const steps: Step[] = []
  let memory = emptyMemory(runtime)
  let fed = prompt
  let length = 0
  const given = () => runtime.decode(steps.map(({ id }) => id))
  const end = (text: string, finish: Generation['finish'], marks = 0): Generation => {
    return { text, finish, promptTokens: prompt.length, completionTokens: steps.length + marks, steps }
  }
  for (;;) {
    const outcome = await runtime.session.run({ ...inputs(runtime, fed, length), ...memory })
    length += fed.length
    memory = memoryOf(outcome)
    const logits = lastLogits(outcome['logits'], fed.length)
    // A reply that ends before it says anything is an error to its reader, who would ask the same again.
    const id = draw(isBlank(given()) ? withoutEndMarks(logits) : logits, request.temperature, random)
    if (END_MARKS.has(id)) return end(given(), 'stop', 1)
    steps.push({ id, logits })
    const text = given()
    const cut = Math.min(...request.stop.map((word) => text.indexOf(word)).filter((place) => place >= 0))
    if (cut < Infinity) return end(text.slice(0, cut), 'stop')
    if (steps.length >= request.maxTokens) return end(text, 'length')
    fed = [id]
  }
}

/** The chat template of the package's tokenizer_config.json, for messages without tools. */
export function chatText(messages: readonly ChatMessage[]): string {
  const [first] = messages
  const system: readonly ChatMessage[] =
    first?.role === 'system' ? [] : [{ role: 'system', content: 'You are a helpful assistant' }]
  const given = [...system, ...messages].map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`)
  return `${given.join('')}<|im_start|>assistant\n`
}

/** Natural logarithms, at temperature 1 whatever the tokens are drawn at, as OpenAI and vLLM give them. */
export function logProbabilities(logits: Float32Array): Float64Array {
  const most = largest(logits)
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - most)
  const shift = most + Math.log(sum)
  return Float64Array.from(logits, (logit) => logit - shift)
}

export function mostLikely(values: Float32Array, count: number): readonly number[] {
  const ids = Array.from(values.keys())
  return ids.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, count)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** A copy: what is reported stays as the model gave it. */
function withoutEndMarks(logits: Float32Array): Float32Array {
  return logits.map((logit, id) => (END_MARKS.has(id) ? -Infinity : logit))
}

function draw(logits: Float32Array, temperature: number, random: Random): number {
  const most = largest(logits)
  const best = logits.indexOf(most)
  if (temperature === 0) return best
  const weights = Float64Array.from(logits, (logit) => Math.exp((logit - most) / temperature))
  let left = random() * weights.reduce((a, b) => a + b, 0)
  for (const [id, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return id
  }
  return best
}

function largest(values: Float32Array): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity)
}

type Memory = Readonly<Record<string, Tensor>>

function emptyMemory({ tensor }: Runtime): Memory {
  const names = Array.from({ length: LAYERS }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat()
  const none = () => tensor(new Float32Array(0), [1, HEADS, 0, HEAD_SIZE])
  return Object.fromEntries(names.map((name) => [`past_key_values.${name}`, none()]))
}

function memoryOf(outcome: Memory): Memory {
  const kept = Object.entries(outcome).filter(([name]) => name.startsWith('present.'))
  return Object.fromEntries(kept.map(([name, value]) => [name.replace('present', 'past_key_values'), value]))
}

function inputs({ tensor }: Runtime, ids: readonly number[], from: number): Memory {
  const row = (values: readonly number[]) => tensor(BigInt64Array.from(values, BigInt), [1, values.length])
  return {
    input_ids: row(ids),
    attention_mask: row(Array.from({ length: from + ids.length }, () => 1)),
    position_ids: row(ids.map((_, index) => from + index)),
  }
}

function lastLogits(logits: Tensor | undefined, places: number): Float32Array {
  if (logits === undefined) throw new Error('the model gave no logits')
  return logits.data.slice(logits.data.length - logits.data.length / places)
}
