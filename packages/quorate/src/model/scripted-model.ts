import type { Model, ModelReply, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'

/** A reply, or only its text; an error is thrown. */
export type ScriptLine = string | Partial<ModelReply> | ModelError

export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** Says its lines in order, for tests and examples; asked once more than it has lines, it says so loudly. */
export function scriptedModel(name: string, lines: readonly ScriptLine[]): ScriptedModel {
  const id = `scripted/${name}`
  const requests: ModelRequest[] = []
  return {
    id,
    provider: 'scripted',
    hosts: [],
    requests,
    async call(request) {
      requests.push(request)
      const line = lines[requests.length - 1]
      if (line === undefined) {
        const message = `${id}: call ${requests.length}, but the script has ${lines.length} lines`
        throw new ModelError('exhausted', message, { charged: 'no' })
      }
      if (line instanceof ModelError) throw line
      return typeof line === 'string' ? plainReply(line) : { ...plainReply(''), ...line }
    },
  }
}

function plainReply(text: string): ModelReply {
  return { text, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] }
}
