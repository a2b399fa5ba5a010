import { type Model, RunState, run, setTracingDisabled, Usage } from '@openai/agents'
import { exampleProcess } from '../example-process.ts'
import { ticketAgent } from './settle-ticket.ts'

// This process may be killed at any moment: the run is stored where it stopped, and the ticket has a stable id.
const { quorate, acted, deferred, tickets, stored, store, report } = exampleProcess()
setTracingDisabled(true)

if (stored() === null) {
  await run(ticketAgent(quorate, tickets, callingModel(acted.id)), `Settle ${acted.id}`)
  const stopped = await run(ticketAgent(quorate, tickets, callingModel(deferred.id)), `Settle ${deferred.id}`)
  if (stopped.interruptions.length !== 1) throw new Error('expected one tool call that needs approval')
  store(stopped.state.toString())
}
const decision = await quorate.decide(deferred)
if (decision.kind === 'defer' && (await quorate.reviewed(decision.reviewId)) === null) report('waiting')
else {
  const agent = ticketAgent(quorate, tickets, callingModel(deferred.id))
  const state = await RunState.fromString(agent, stored() ?? '')
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  const { finalOutput } = await run(agent, state)
  if (finalOutput === 'done') report('done')
}

/** Replaces a language model. It calls the tool and then answers "done". */
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
