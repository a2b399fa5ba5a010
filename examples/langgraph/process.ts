import { Command } from '@langchain/langgraph'
import { exampleProcess } from '../example-process.ts'
import { FileSaver } from './file-saver.ts'
import { ticketGraph } from './settle-ticket.ts'

// This process may be killed at any moment: the thread is in its checkpoints, and the ticket has a stable id.
const { quorate, acted, deferred, tickets, stored, store, report } = exampleProcess()
const graph = ticketGraph(quorate, { settle: tickets.settle, checkpointer: new FileSaver(stored(), store) })
const thread = { configurable: { thread_id: deferred.id } }

if (stored() === null) {
  await graph.invoke({ ticket: acted }, { configurable: { thread_id: acted.id } })
  await graph.invoke({ ticket: deferred }, thread)
}
const [task] = (await graph.getState(thread)).tasks
const [stop] = task?.interrupts ?? []
if (stop === undefined) {
  await graph.invoke(null, thread) // it was killed after it had received the review
  report('done')
} else {
  const resume = await quorate.reviewed(stop.value.reviewId)
  if (resume === null) report('waiting')
  else {
    await graph.invoke(new Command({ resume }), thread)
    report('done')
  }
}
