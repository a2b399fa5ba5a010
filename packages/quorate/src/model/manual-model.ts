import { abortedError } from './aborted-error.ts'
import type { Model, ModelReply } from './model.ts'
import { ModelError } from './model-error.ts'
import { inAskedForm, readAskedForm } from './prompted-question.ts'

/** Shows a text to a person and returns what they typed; null if they left. After the signal aborts it may reject. */
export type PersonPrompt = (text: string, signal: AbortSignal) => Promise<string | null>

/**
 * A person as an agent, who sees the messages and types the answer. Prompts come one at a time, because a terminal has
 * one input.
 */
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
        const ask = async (shown: string): Promise<string> => {
          const typed = await prompt(shown, signal).catch((error: unknown) => {
            throw signal.aborted ? abortedError(id, signal, 'no') : error
          })
          if (typed === null) throw new ModelError('request', `${id}: the terminal was closed`, { charged: 'no' })
          if (typed.trim() === '') throw new ModelError('empty', `${id}: nothing was typed`, { charged: 'no' })
          return typed
        }
        const form = readAskedForm(messages)
        const answer = await ask(`For ${name}:\n\n${text}\n\nType only the name of one option, without tags.`)
        const confidence = form?.hasConfidence ? await ask('How probable is it that this is right, from 0 to 100?') : ''
        const reply = inAskedForm(form, answer, confidence)
        return { text: reply, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] }
      })
      TURNS.set(
        prompt,
        mine.catch(() => undefined),
      )
      return mine
    },
  }
}

/** The last prompt on each terminal. Several people may share one. */
const TURNS = new WeakMap<PersonPrompt, Promise<unknown>>()
