import type { Model, ModelReply, ModelRequest } from '../../src/model/model.ts'
import { ModelError } from '../../src/model/model-error.ts'

const EMPTY: ModelReply = Object.freeze({
  text: '',
  finish: 'stop',
  usage: null,
  servedModel: null,
  logprobs: null,
  warnings: [],
})

/** A reply, or only its text. A ModelError is thrown. */
export type ScriptLine = string | Partial<ModelReply> | ModelError

export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** Returns its lines in order. A call after the last line is an error. */
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
      return { ...EMPTY, ...(typeof line === 'string' ? { text: line } : line) }
    },
  }
}
