import { Agent, type Model, tool } from '@openai/agents'
import { z } from 'zod'
import type { Quorate, Tickets } from '../quorate-client.ts'

/** An agent whose tool runs if the panel acts, and needs approval if the panel defers. */
export function ticketAgent(quorate: Quorate, tickets: Tickets, model: Model) {
  const settle = tool({
    name: 'settle_ticket',
    description: 'Settles a ticket with the answer that the panel, or else a person, found.',
    parameters: z.object({ id: z.string() }),
    // With a stable id this is the same decision before and after the approval.
    needsApproval: async (_, { id }) => (await quorate.decide(await tickets.find(id))).kind === 'defer',
    execute: async ({ id }) => {
      const decision = await quorate.decide(await tickets.find(id))
      const answer = decision.kind === 'act' ? decision.answer : await quorate.reviewed(decision.reviewId)
      if (answer === null) throw new Error(`the ticket ${id} is not reviewed yet`)
      await tickets.settle(id, answer)
      return `settled with ${answer}`
    },
  })
  return new Agent({ name: 'tickets', instructions: 'Settle the ticket that you are given.', tools: [settle], model })
}
