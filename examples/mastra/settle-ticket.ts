import { createStep, createWorkflow } from '@mastra/core/workflows'
import { z } from 'zod'
import type { Quorate } from '../quorate-client.ts'

const ticketSchema = z.object({ id: z.string(), question: z.string(), options: z.record(z.string(), z.string()) })
const answeredSchema = z.object({ id: z.string(), answer: z.string() })

/** A workflow that settles a ticket if the panel acts, and suspends for a person if the panel defers. */
export function ticketWorkflow(quorate: Quorate, settle: (id: string, answer: string) => Promise<void>) {
  const decide = createStep({
    id: 'decide',
    inputSchema: ticketSchema,
    outputSchema: answeredSchema,
    suspendSchema: z.object({ reviewId: z.string() }),
    resumeSchema: z.object({ answer: z.string() }),
    execute: async ({ inputData: ticket, resumeData, suspend }) => {
      if (resumeData !== undefined) return { id: ticket.id, answer: resumeData.answer }
      const decision = await quorate.decide(ticket)
      if (decision.kind === 'act') return { id: ticket.id, answer: decision.answer }
      return suspend({ reviewId: decision.reviewId })
    },
  })
  const settling = createStep({
    id: 'settle',
    inputSchema: answeredSchema,
    outputSchema: answeredSchema,
    execute: async ({ inputData: { id, answer } }) => {
      await settle(id, answer)
      return { id, answer }
    },
  })
  return createWorkflow({ id: 'settle-ticket', inputSchema: ticketSchema, outputSchema: answeredSchema })
    .then(decide)
    .then(settling)
    .commit()
}
