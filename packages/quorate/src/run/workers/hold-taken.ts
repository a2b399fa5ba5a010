import type { SharedStore } from '../../store/shared-store.ts'
import type { RunQuestion } from '../../store/store.ts'
import { announceTo } from '../announce.ts'
import { holdServed } from '../hold-served.ts'
import { holdNotice } from '../policy-hold.ts'
import { RunError } from '../run-plan.ts'
import { type Ended, holdUnlessHeld } from '../run-questions.ts'
import { readDecisionId } from '../served-question.ts'
import { readOptions } from './run-options.ts'
import type { SharedJob } from './shared-job.ts'

/** What is left to do after a question that was taken. */
export type TakenEnd = { readonly kind: 'held' } | Pick<Extract<Ended, { kind: 'paused' }>, 'kind' | 'reason'>

/** One question of a shared run, whoever asked it. */
export function holdTaken(job: SharedJob, question: RunQuestion, shared: SharedStore): Promise<TakenEnd> {
  return job.isServed ? holdForServer(job, question, shared) : holdUnlessHeld(job, question)
}

/** Decided as the server itself would: under the id that was promised, with its review and messages in the same commit. */
async function holdForServer(job: SharedJob, row: RunQuestion, { runs }: SharedStore): Promise<TakenEnd> {
  const { store, newId } = job.tools
  // Read each time: a server that begins again may have other terms.
  const found = await runs.find(row.runId)
  const terms = found && readOptions(found.options)
  if (terms === null || terms.served === null || job.deciding === null) {
    throw new RunError(`run ${row.runId} is not one of a server any more`)
  }
  const { served, allowMismatch } = terms
  // The policy is held for what the server's panel differs in; a worker's may differ in more.
  const isOther = job.deciding.mismatch.length > 0 && !allowMismatch
  const upFront = isOther ? 'uncalibrated' : job.deciding.upFront
  const own = { ...job, deciding: { ...job.deciding, allowMismatch, upFront } }
  const ended = await holdServed(own, row, {
    id: readDecisionId(row.question) ?? newId(),
    announce: announceTo(served.targets, newId),
    allowSeen: served.allowSeen,
    isHeld: async () => {
      const hold = await store.policy.lastingHold()
      if (hold !== null) job.desk.notices.tell(holdNotice(hold))
      return hold !== null
    },
  })
  return ended.kind === 'pending' ? { kind: 'paused', reason: 'interrupted' } : { kind: 'held' }
}
