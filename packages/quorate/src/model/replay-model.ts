import type { Model, ModelReply, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'

/** Stored replies, by what was asked. The store implements it. */
export interface ReplyLookup {
  /** Null where nothing like this was asked. */
  find(model: string, request: Pick<ModelRequest, 'messages' | 'settings'>): Promise<ModelReply | null>
}

/** Answers what `model` answered before, and nothing else: no call leaves the machine. */
export function replayModel(model: string, lookup: ReplyLookup): Model {
  const id = `replay/${model}`
  return {
    id,
    provider: 'replay',
    hosts: [],
    async call({ messages, settings }) {
      const reply = await lookup.find(model, { messages, settings })
      if (reply !== null) return reply
      throw new ModelError('exhausted', `${id}: no stored reply to these messages and settings`, { charged: 'no' })
    },
  }
}
