import { canonicalJson, sha256 } from '@quorate/certificate'
import { readAskedForm } from './asked-question.ts'
import type { Message, Model, ModelReply, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'

/** A reply, or only its text. A ModelError is thrown. */
export type ScriptLine = string | Partial<ModelReply> | ModelError

export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** Returns its lines in order, for tests and examples. A call after the last line is an error. */
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
      return typeof line === 'string' ? plainReply(withCode(line, request.messages)) : { ...plainReply(''), ...line }
    },
  }
}

/**
 * The reply `say` to a prompt that contains the words `when`; without `when`, to every prompt. `{code}` is replaced by
 * the code that the prompt asks for: `<answer-{code}>A</answer-{code}>`.
 */
export interface ScriptRule {
  readonly when?: string | undefined
  readonly say: string
}

/** Replies by the first rule that fits, so the order of the calls does not matter. */
export function ruledModel(name: string, rules: readonly ScriptRule[]): Model {
  const id = `scripted/${name}`
  const lines = rules.map(({ when = '', say }) => ({ when, say }))
  return {
    id,
    provider: 'scripted',
    hosts: [],
    variant: sha256(canonicalJson(lines)),
    async call({ messages }) {
      const asked = messages.map(({ content }) => content).join('\n\n')
      const rule = lines.find(({ when }) => asked.includes(when))
      if (rule !== undefined) return plainReply(withCode(rule.say, messages))
      throw new ModelError('exhausted', `${id}: none of its ${lines.length} lines fits`, { charged: 'no' })
    },
  }
}

function withCode(say: string, messages: readonly Message[]): string {
  return say.replaceAll('{code}', readAskedForm(messages)?.code ?? '')
}

function plainReply(text: string): ModelReply {
  return { text, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] }
}
