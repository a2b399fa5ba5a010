import type { ModelMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { exampleWorld } from '../example-world.ts'
import { continueConversation } from './settle-ticket.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls the tool, and then says that it is done. */
function callingModel(id: string) {
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const isDone = prompt.some(
        ({ role, content }) => role === 'tool' && content.some(({ type }) => type === 'tool-result'),
      )
      const call = {
        type: 'tool-call',
        toolCallId: 'call-1',
        toolName: 'settleTicket',
        input: JSON.stringify({ id }),
      } as const
      return {
        content: [isDone ? { type: 'text', text: 'done' } : call],
        finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
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
  const go = (id: string, messages: ModelMessage[]) =>
    continueConversation(quorate, { tickets, model: callingModel(id), messages })
  const ask = (id: string): ModelMessage[] => [{ role: 'user', content: `Settle ${id}` }]
  expect((await go(acted.id, ask(acted.id))).text).toBe('done')
  expect(settled.map(([id]) => id)).toEqual([acted.id])

  const stopped = await go(deferred.id, ask(deferred.id))
  expect(settled.length).toBe(1)
  const [request] = stopped.content.filter((part) => part.type === 'tool-approval-request')
  if (request?.type !== 'tool-approval-request') throw new Error('expected a request for approval')
  // What the program stores; the process is killed here.
  const stored = JSON.stringify([...ask(deferred.id), ...stopped.response.messages])
  const decision = await quorate.decide(deferred)
  if (decision.kind !== 'defer') throw new Error('expected a deferral')
  await review(decision.reviewId, 'B')

  const { approvalId } = request
  const approval: ModelMessage = {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId, approved: true }],
  }
  expect((await go(deferred.id, [...JSON.parse(stored), approval])).text).toBe('done')
  expect(settled.slice(1)).toEqual([[deferred.id, 'B']])
  expect(calls()).toBe(before)
})
