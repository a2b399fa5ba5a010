import { generateText, isStepCount, type LanguageModel, type ModelMessage, tool } from 'ai'
import { z } from 'zod'
import type { Quorate, Tickets } from '../quorate-client.ts'

/** Goes on with a conversation. The tool runs where the panel may act, and waits for approval where a person must look. */
export function continueConversation(
  quorate: Quorate,
  {
    tickets,
    model,
    messages,
  }: { readonly tickets: Tickets; readonly model: LanguageModel; readonly messages: ModelMessage[] },
) {
  const settleTicket = tool({
    description: 'Settles a ticket with the answer that the panel, or else a person, found.',
    inputSchema: z.object({ id: z.string() }),
    async execute({ id }) {
      const decision = await quorate.decide(await tickets.find(id))
      const answer = decision.kind === 'act' ? decision.answer : await quorate.reviewed(decision.reviewId)
      if (answer === null) throw new Error(`the ticket ${id} is not reviewed yet`)
      await tickets.settle(id, answer)
      return `settled with ${answer}`
    },
  })
  return generateText({
    model,
    messages,
    tools: { settleTicket },
    // The id makes it the same decision each time, before the approval and after it.
    toolApproval: {
      settleTicket: async ({ id }) =>
        (await quorate.decide(await tickets.find(id))).kind === 'defer' ? 'user-approval' : 'approved',
    },
    stopWhen: isStepCount(5),
  })
}
