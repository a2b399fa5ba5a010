import { abortedError } from './aborted-error.ts'
import type { Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'

/** Shows a text to a person and gives back what they typed. */
export type PersonPrompt = (text: string) => Promise<string>

/** A person as an agent: sees the messages, types the answer. One at a time, as a terminal has one line. */
export function manualModel(name: string, prompt: PersonPrompt): Model {
  const id = `manual/${name}`
  let turn: Promise<unknown> = Promise.resolve()
  return {
    id,
    provider: 'manual',
    hosts: [],
    call({ messages, signal }) {
      const text = messages.map(({ content }) => content).join('\n\n')
      const mine = turn.then(async (): Promise<ModelReply> => {
        if (signal.aborted) throw abortedError(id, signal, 'no')
        const typed = await prompt(text)
        if (typed.trim() === '') throw new ModelError('empty', `${id}: nothing was typed`, { charged: 'no' })
        return { text: typed, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] }
      })
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}
