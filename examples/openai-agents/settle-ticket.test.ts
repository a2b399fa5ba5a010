import { type Model, RunState, run, setTracingDisabled, Usage } from '@openai/agents'
import { expect, test } from 'vitest'
import { exampleWorld } from '../example-world.ts'
import { ticketAgent } from './settle-ticket.ts'

setTracingDisabled(true)

/** A model that calls the tool, and then says that it is done. */
function callingModel(id: string): Model {
  return {
    async getResponse({ input }) {
      const isDone = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result')
      if (isDone) {
        const content = [{ type: 'output_text' as const, text: 'done' }]
        return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] }
      }
      const call = { callId: 'call-1', name: 'settle_ticket', arguments: JSON.stringify({ id }) }
      return { usage: new Usage(), output: [{ type: 'function_call', status: 'completed', ...call }] }
    },
    getStreamedResponse() {
      throw new Error('unused')
    },
  }
}

test('acts on its own, stops for a person, and goes on once with what the person said, also after a crash', async () => {
  const { quorate, acted, deferred, review, calls } = await exampleWorld()
  const before = calls()
  const settled: [string, string][] = []
  const tickets = {
    find: async (id: string) => (id === acted.id ? acted : deferred),
    settle: async (id: string, answer: string) => {
      settled.push([id, answer])
    },
  }
  const agentFor = (id: string) => ticketAgent(quorate, tickets, callingModel(id))
  const done = await run(agentFor(acted.id), `Settle ${acted.id}`)
  expect({ interruptions: done.interruptions.length, settled: settled.map(([id]) => id) }).toEqual({
    interruptions: 0,
    settled: [acted.id],
  })

  const stopped = await run(agentFor(deferred.id), `Settle ${deferred.id}`)
  expect({ interruptions: stopped.interruptions.length, settled: settled.length }).toEqual({
    interruptions: 1,
    settled: 1,
  })
  // What the program stores; the process is killed here.
  const stored = stopped.state.toString()
  const decision = await quorate.decide(deferred)
  if (decision.kind !== 'defer') throw new Error('expected a deferral')
  await review(decision.reviewId, 'B')

  const agent = agentFor(deferred.id)
  const state = await RunState.fromString(agent, stored)
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  const ended = await run(agent, state)
  expect(ended.finalOutput).toBe('done')
  expect(settled.slice(1)).toEqual([[deferred.id, 'B']])
  expect(calls()).toBe(before)
})
