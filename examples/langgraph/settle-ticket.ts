import { Annotation, type BaseCheckpointSaver, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import type { Quorate, Ticket } from '../quorate-client.ts'

const State = Annotation.Root({ ticket: Annotation<Ticket>, answer: Annotation<string> })

/** A graph that settles a ticket if the panel acts, and stops for a person if the panel defers. */
export function ticketGraph(
  quorate: Quorate,
  {
    settle,
    checkpointer,
  }: { readonly settle: (id: string, answer: string) => Promise<void>; readonly checkpointer: BaseCheckpointSaver },
) {
  return new StateGraph(State)
    .addNode('decide', async ({ ticket }) => {
      // After a resume this node runs again from its top. With the stable id of the ticket it gets the same decision.
      const decision = await quorate.decide(ticket)
      if (decision.kind === 'act') return { answer: decision.answer }
      const answer: string = interrupt({ reviewId: decision.reviewId })
      return { answer }
    })
    .addNode('settle', async ({ ticket, answer }) => {
      await settle(ticket.id, answer)
      return {}
    })
    .addEdge(START, 'decide')
    .addEdge('decide', 'settle')
    .addEdge('settle', END)
    .compile({ checkpointer })
}
