import { type ModelMessage, modelMessageSchema } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { exampleProcess } from '../example-process.ts'
import { continueConversation } from './settle-ticket.ts'

/** A process that may be killed at any moment: the conversation is stored where it stopped, and the ticket has a stable id. */
const { quorate, acted, deferred, tickets, stored, store, report } = exampleProcess()
const go = (id: string, messages: ModelMessage[]) =>
  continueConversation(quorate, { tickets, model: callingModel(id), messages })
const ask = (id: string): ModelMessage[] => [{ role: 'user', content: `Settle ${id}` }]

if (stored() === null) {
  await go(acted.id, ask(acted.id))
  const stopped = await go(deferred.id, ask(deferred.id))
  const [request] = stopped.content.filter((part) => part.type === 'tool-approval-request')
  if (request?.type !== 'tool-approval-request') throw new Error('expected a request for approval')
  const messages = [...ask(deferred.id), ...stopped.response.messages]
  store(JSON.stringify({ approvalId: request.approvalId, messages }))
}
const decision = await quorate.decide(deferred)
if (decision.kind === 'defer' && (await quorate.reviewed(decision.reviewId)) === null) report('waiting')
else {
  const stopped = z.object({ approvalId: z.string(), messages: z.array(modelMessageSchema) })
  const { approvalId, messages } = stopped.parse(JSON.parse(stored() ?? ''))
  const approval = { type: 'tool-approval-response', approvalId, approved: true } as const
  const { text } = await go(deferred.id, [...messages, { role: 'tool', content: [approval] }])
  if (text === 'done') report('done')
}

/** In place of a language model: calls the tool, and then says that it is done. */
function callingModel(id: string) {
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const isDone = prompt.some(
        ({ role, content }) => role === 'tool' && content.some(({ type }) => type === 'tool-result'),
      )
      const call = { toolCallId: 'call-1', toolName: 'settleTicket', input: JSON.stringify({ id }) }
      return {
        content: [isDone ? { type: 'text', text: 'done' } : { type: 'tool-call', ...call }],
        finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}
