import { generateText, isStepCount, type LanguageModel, type ModelMessage, tool } from 'ai'
import { z } from 'zod'
import type { Quorate, Tickets } from '../quorate-client.ts'

/** Continues a conversation. The tool runs if the panel acts, and waits for approval if the panel defers. */
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
    // With a stable id this is the same decision before and after the approval.
    toolApproval: {
      settleTicket: async ({ id }) =>
        (await quorate.decide(await tickets.find(id))).kind === 'defer' ? 'user-approval' : 'approved',
    },
    stopWhen: isStepCount(5),
  })
}
