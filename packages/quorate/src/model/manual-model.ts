import { abortedError } from './aborted-error.ts'
import type { Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'

/** Shows a text to a person and gives back what they typed; null where they left. Once the signal fires it may reject. */
export type PersonPrompt = (text: string, signal: AbortSignal) => Promise<string | null>

/** A person as an agent: sees the messages, types the answer. One at a time, as a terminal has one line. */
export function manualModel(name: string, prompt: PersonPrompt): Model {
  const id = `manual/${name}`
  return {
    id,
    provider: 'manual',
    hosts: [],
    call({ messages, signal }) {
      const text = messages.map(({ content }) => content).join('\n\n')
      const mine = (TURNS.get(prompt) ?? Promise.resolve()).then(async (): Promise<ModelReply> => {
        if (signal.aborted) throw abortedError(id, signal, 'no')
        const typed = await prompt(`For ${name}:\n\n${text}`, signal).catch((error: unknown) => {
          throw signal.aborted ? abortedError(id, signal, 'no') : error
        })
        if (typed === null) throw new ModelError('request', `${id}: the terminal was closed`, { charged: 'no' })
        if (typed.trim() === '') throw new ModelError('empty', `${id}: nothing was typed`, { charged: 'no' })
        return { text: typed, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] }
      })
      TURNS.set(
        prompt,
        mine.catch(() => undefined),
      )
      return mine
    },
  }
}

/** Several persons may share a terminal. */
const TURNS = new WeakMap<PersonPrompt, Promise<unknown>>()
