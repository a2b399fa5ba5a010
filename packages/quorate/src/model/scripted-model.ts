import { canonicalJson, sha256 } from '@quorate/certificate'
import type { Message, Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'
import { readAskedForm } from './prompted-question.ts'

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
