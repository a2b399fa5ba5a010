import { StoreError } from '../../record/store-error.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import type { CallOfFence, CallStore, DecisionStore, Store } from '../../store/store.ts'
import type { Patiently } from './patience.ts'

/**
 * The store of a worker while its database comes and goes: a reply that was paid for waits in memory until it can be
 * written. What may have been written before the connection broke is looked for, not written twice.
 */
export function patientStore(store: Store, shared: SharedStore, patiently: Patiently): Store & { shared: SharedStore } {
  const { policy, debates, runs, reviews, certificates } = store
  const calls = patientCalls(shared.calls, patiently)
  return {
    ...store,
    policy: { ...policy, lastingHold: () => patiently(() => policy.lastingHold()) },
    debates: { ...debates, save: (debate, fence) => patiently(() => debates.save(debate, fence)) },
    decisions: patientDecisions(store.decisions, patiently),
    certificates: { ...certificates, find: (id) => patiently(() => certificates.find(id)) },
    reviews: { ...reviews, find: (id) => patiently(() => reviews.find(id)) },
    runs: {
      ...runs,
      find: (id) => patiently(() => runs.find(id)),
      setQuestion: (runId, questionId, status) => patiently(() => runs.setQuestion(runId, questionId, status)),
    },
    calls,
    shared: {
      ...shared,
      calls,
      runs: {
        ...shared.runs,
        find: (runId) => patiently(() => shared.runs.find(runId)),
        halt: (runId, reason, held) => patiently(() => shared.runs.halt(runId, reason, held)),
        // Taking it again under the same fence changes nothing.
        take: (runId, questionId, own) => patiently(() => shared.runs.take(runId, questionId, own)),
      },
    },
  }
}

function patientCalls(calls: CallStore, patiently: Patiently): CallStore {
  const isWritten = async ({ runId, id, fence }: CallOfFence, state: string) => {
    const call = await calls.find(runId, id)
    return call !== null && call.fence === fence && call.state === state
  }
  return {
    ...calls,
    before: (runId, place, cacheKey) => patiently(() => calls.before(runId, place, cacheKey)),
    open: (intent) =>
      patiently(async (isAgain) => {
        try {
          return await calls.open(intent)
        } catch (error) {
          const isOurs = isAgain && error instanceof StoreError && error.kind === 'exists'
          if (isOurs && (await isWritten(intent, 'open'))) return 'opened'
          throw error
        }
      }),
    close: (call, state, outcome) =>
      patiently(async (isAgain) => {
        if (await calls.close(call, state, outcome)) return true
        return isAgain && (await isWritten(call, state))
      }),
  }
}

function patientDecisions(decisions: DecisionStore, patiently: Patiently): DecisionStore {
  return {
    ...decisions,
    find: (runId, questionId) => patiently(() => decisions.find(runId, questionId)),
    settle: (settlement) =>
      patiently(async (isAgain) => {
        // Looked for first: what may be decided again (a failure) would be decided twice under one id.
        const { decision } = settlement
        const written = isAgain && decision !== null ? await decisions.findById(decision.id) : null
        const isOurs = written?.runId === decision?.runId && written?.questionId === decision?.questionId
        if (written !== null && isOurs) return { kind: 'settled', row: null, arrival: null }
        return decisions.settle(settlement)
      }),
  }
}
