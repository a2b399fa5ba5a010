import type { Model, ModelReply, ModelRequest } from '../../src/model/model.ts'
import { inForm } from '../fake-provider/in-form.ts'

/** Turns of the event loop after which nothing more is pending. A round needs two commits of a few turns each. */
const QUIET_TURNS = 100

const REPLY: Omit<ModelReply, 'text'> = {
  finish: 'stop',
  usage: { inputTokens: 40, outputTokens: 20 },
  servedModel: null,
  logprobs: null,
  warnings: [],
}

/**
 * Models without a clock: all calls in flight end together, in a wave, when nothing else is pending. The number of waves is the
 * duration of a run in units of the provider's latency, on an infinitely fast machine.
 */
export function wavingModels(agents: readonly string[]) {
  const sizes: number[] = []
  let open: (() => void)[] = []

  function watch(before: number, quiet: number): void {
    if (open.length > before) setImmediate(watch, open.length, 0)
    else if (quiet < QUIET_TURNS) setImmediate(watch, before, quiet + 1)
    else {
      sizes.push(open.length)
      const ended = open
      open = []
      for (const end of ended) end()
    }
  }

  async function call({ messages }: ModelRequest): Promise<ModelReply> {
    await new Promise<void>((end) => {
      open.push(end)
      if (open.length === 1) setImmediate(watch, 1, 0)
    })
    return { ...REPLY, text: inForm(messages.at(-1)?.content ?? '', { answer: 'A' }) }
  }

  const modelOf = (agent: string): Model => ({ id: `waving/${agent}`, provider: 'waving', hosts: [], call })
  return { models: new Map(agents.map((agent) => [agent, { model: modelOf(agent), insist: false }])), sizes }
}
