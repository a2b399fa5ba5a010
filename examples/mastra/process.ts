import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { exampleProcess } from '../example-process.ts'
import { ticketWorkflow } from './settle-ticket.ts'

// This process may be killed at any moment: the run is stored where it stopped, and the ticket has a stable id.
const { quorate, acted, deferred, tickets, stored, store, report } = exampleProcess()
const storage = new InMemoryStore() // A service uses the store of its database and need not copy the snapshot.
const mastra = new Mastra({
  storage,
  workflows: { settleTicket: ticketWorkflow(quorate, tickets.settle) },
  logger: false,
})
const workflow = mastra.getWorkflow('settleTicket')
const runs = await storage.getStore('workflows')
if (runs === undefined) throw new Error('expected a store of workflows')
const snapshotKey = { workflowName: 'settle-ticket', runId: deferred.id }

const before = stored()
if (before === null) {
  const first = await workflow.createRun({ runId: acted.id })
  if ((await first.start({ inputData: acted })).status !== 'success') throw new Error('expected an action')
  const second = await workflow.createRun({ runId: deferred.id })
  if ((await second.start({ inputData: deferred })).status !== 'suspended') throw new Error('expected a deferral')
  store(JSON.stringify(await runs.loadWorkflowSnapshot(snapshotKey)))
} else {
  await runs.persistWorkflowSnapshot({ ...snapshotKey, snapshot: JSON.parse(before) })
}
const decision = await quorate.decide(deferred)
const answer = decision.kind === 'defer' ? await quorate.reviewed(decision.reviewId) : null
if (answer === null) report('waiting')
else {
  const run = await workflow.createRun({ runId: deferred.id })
  const { status } = await run.resume({ step: 'decide', resumeData: { answer } })
  if (status === 'success') report('done')
}
