import { StoreError } from '../../record/store-error.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import type { CallOfFence, CallStore, DecisionStore, Store } from '../../store/store.ts'
import type { PaidCallStore } from '../calls/pay-for-call.ts'
import type { QuestionStore } from '../run-context.ts'
import type { RetryWhileUnavailable } from './retry.ts'

/**
 * The store of a worker, which survives outages of the database: a reply that was paid for waits in memory until it can be
 * written. If the connection broke during a write, the store is searched first, so nothing is written twice.
 */
export function retryingStore(
  store: Store,
  shared: SharedStore,
  retrying: RetryWhileUnavailable,
): Store & { shared: SharedStore } {
  const { policy, debates, decisions, runs, certificates } = store
  const retried = retryingQuestions(store, retrying)
  const questions: Pick<Store, keyof QuestionStore> = {
    policy: { ...policy, ...retried.policy },
    debates: { ...debates, ...retried.debates },
    decisions: { ...decisions, ...retried.decisions },
    runs: { ...runs, ...retried.runs, find: (id) => retrying(() => runs.find(id)) },
  }
  const calls = { ...shared.calls, ...retryingCalls(shared.calls, retrying) }
  return {
    ...store,
    ...questions,
    certificates: { ...certificates, find: (id) => retrying(() => certificates.find(id)) },
    calls,
    shared: {
      ...shared,
      calls,
      runs: {
        ...shared.runs,
        find: (runId) => retrying(() => shared.runs.find(runId)),
        halt: (runId, reason, by) => retrying(() => shared.runs.halt(runId, reason, by)),
        // Taking a question again under the same fence changes nothing.
        take: (runId, questionId, own) => retrying(() => shared.runs.take(runId, questionId, own)),
      },
    },
  }
}

/** A call that is added to `QuestionStore` or `PaidCallStore` is a type error in this file until it is retried. */
function retryingQuestions(
  { policy, debates, decisions, runs }: Store,
  retrying: RetryWhileUnavailable,
): QuestionStore {
  return {
    policy: { currentSuspension: () => retrying(() => policy.currentSuspension()) },
    debates: { save: (debate, fence) => retrying(() => debates.save(debate, fence)) },
    decisions: retryingDecisions(decisions, retrying),
    runs: { setQuestion: (...written) => retrying(() => runs.setQuestion(...written)) },
  }
}

function retryingCalls(calls: CallStore, retrying: RetryWhileUnavailable): PaidCallStore {
  const isWritten = async ({ runId, id, fence }: CallOfFence, state: string) => {
    const call = await calls.find(runId, id)
    return call !== null && call.fence === fence && call.state === state
  }
  return {
    before: (runId, place, cacheKey) => retrying(() => calls.before(runId, place, cacheKey)),
    open: (intent) =>
      retrying(async (isRetry) => {
        try {
          return await calls.open(intent)
        } catch (error) {
          const isOurs = isRetry && error instanceof StoreError && error.kind === 'exists'
          if (isOurs && (await isWritten(intent, 'open'))) return 'opened'
          throw error
        }
      }),
    close: (call, state, outcome) =>
      retrying(async (isRetry) => {
        if (await calls.close(call, state, outcome)) return true
        return isRetry && (await isWritten(call, state))
      }),
  }
}

function retryingDecisions(decisions: DecisionStore, retrying: RetryWhileUnavailable): QuestionStore['decisions'] {
  return {
    find: (runId, questionId) => retrying(() => decisions.find(runId, questionId)),
    settle: (settlement) =>
      retrying(async (isRetry) => {
        // A failure may be decided again, so settling twice would not be refused: it would decide twice under one id.
        const { decision } = settlement
        const written = isRetry && decision !== null ? await decisions.findById(decision.id) : null
        const isOurs = written?.runId === decision?.runId && written?.questionId === decision?.questionId
        if (written !== null && isOurs) return { kind: 'settled', row: null, arrival: null }
        return decisions.settle(settlement)
      }),
  }
}
