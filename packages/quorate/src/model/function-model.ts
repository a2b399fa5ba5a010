import { z } from 'zod'
import { replySchema } from '../record/call.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { abortedError } from './aborted-error.ts'
import type { Model, ModelReply, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'
import { type Environment, redactSecrets } from './redact-secrets.ts'

/** A model that a program provides. The signal of the request aborts when no caller waits for the reply any more. */
export type FunctionModel = (request: ModelRequest) => Promise<FunctionReply>

/** The text, or the text with what is known about the call. */
export type FunctionReply = string | (Pick<ModelReply, 'text'> & Partial<Omit<ModelReply, 'text'>>)

const { finish, servedModel, logprobs, warnings } = replySchema.shape
const count = z.int().min(0)
const givenSchema = z.object({
  text: z.string(),
  finish: finish.default('stop'),
  usage: z.object({ inputTokens: count, outputTokens: count }).nullable().default(null),
  servedModel: servedModel.default(null),
  logprobs: logprobs.default(null),
  warnings: warnings.default([]),
})

/** `function/NAME`. One call of the function is one attempt. An attempt that throws has failed. */
export function functionModel(name: string, ask: FunctionModel, env: Environment): Model {
  const id = `function/${name}`
  return {
    id,
    provider: 'function',
    hosts: [],
    async call(request) {
      if (request.signal.aborted) throw abortedError(id, request.signal, 'no')
      const given = await asked(ask, request).catch((error: unknown) => {
        throw failure(error, id, request.signal, env)
      })
      const parsed = givenSchema.safeParse(typeof given === 'string' ? { text: given } : given)
      if (!parsed.success) {
        const words = 'the function must return a text, or an object with the field text'
        throw new ModelError('malformed', `${id}: ${words}: ${z.prettifyError(parsed.error)}`, { charged: 'unknown' })
      }
      const reply: ModelReply = parsed.data
      if (reply.text.trim() !== '' || reply.finish === 'refusal' || reply.finish === 'length') return reply
      throw new ModelError('empty', `${id}: no text`, { charged: 'unknown' })
    },
  }
}

/** A function in JavaScript may throw or return synchronously. */
async function asked(ask: FunctionModel, request: ModelRequest): Promise<unknown> {
  return ask(request)
}

/** A ModelError is kept. After any other error the provider may have charged something. */
function failure(error: unknown, id: string, signal: AbortSignal, env: Environment): ModelError {
  if (error instanceof ModelError) return error
  if (signal.aborted) return abortedError(id, signal)
  return new ModelError('server', `${id}: ${redactSecrets(errorSentence(error), env)}`, { charged: 'unknown' })
}
