import { type ModelMessage, modelMessageSchema } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { exampleProcess } from '../example-process.ts'
import { continueConversation } from './settle-ticket.ts'

// This process may be killed at any moment: the conversation is stored where it stopped, and the ticket has a stable id.
const { quorate, acted, deferred, tickets, stored, store, report } = exampleProcess()
const run = (id: string, messages: ModelMessage[]) =>
  continueConversation(quorate, { tickets, model: callingModel(id), messages })
const firstMessage = (id: string): ModelMessage[] => [{ role: 'user', content: `Settle ${id}` }]

if (stored() === null) {
  await run(acted.id, firstMessage(acted.id))
  const stopped = await run(deferred.id, firstMessage(deferred.id))
  const [request] = stopped.content.filter((part) => part.type === 'tool-approval-request')
  if (request?.type !== 'tool-approval-request') throw new Error('expected a request for approval')
  const messages = [...firstMessage(deferred.id), ...stopped.response.messages]
  store(JSON.stringify({ approvalId: request.approvalId, messages }))
}
const decision = await quorate.decide(deferred)
if (decision.kind === 'defer' && (await quorate.reviewed(decision.reviewId)) === null) report('waiting')
else {
  const stopped = z.object({ approvalId: z.string(), messages: z.array(modelMessageSchema) })
  const { approvalId, messages } = stopped.parse(JSON.parse(stored() ?? ''))
  const approval = { type: 'tool-approval-response', approvalId, approved: true } as const
  const { text } = await run(deferred.id, [...messages, { role: 'tool', content: [approval] }])
  if (text === 'done') report('done')
}

/** Replaces a language model. It calls the tool and then answers "done". */
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
