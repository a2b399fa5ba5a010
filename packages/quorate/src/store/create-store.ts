import { createSessionStore, createTokenStore } from './access-store.ts'
import { createBatchStore } from './calls/batch-store.ts'
import { createCallStore } from './calls/call-store.ts'
import { createCertificateStore } from './certificate-store.ts'
import { createDecisionStore } from './decisions/decision-store.ts'
import { createLedgerStore } from './decisions/ledger-store.ts'
import { createMonitorStore } from './decisions/monitor-store.ts'
import { createPolicyStore } from './decisions/policy-store.ts'
import type { Engine } from './engine.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createReviewStore } from './reviews/review-store.ts'
import { createDebateStore } from './runs/debate-store.ts'
import { createLabelStore } from './runs/label-store.ts'
import { pruneStore } from './runs/prune.ts'
import { redactQuestion } from './runs/redact.ts'
import { createRunStore } from './runs/run-store.ts'
import type { SharedStore } from './shared-store.ts'
import type { Store } from './store.ts'

/** Creates the store on an engine whose tables are up to date. */
export function createStore(engine: Engine, shared: SharedStore | null = null): Store {
  return {
    engine: engine.name,
    runs: createRunStore(engine),
    calls: createCallStore(engine),
    batches: createBatchStore(engine),
    debates: createDebateStore(engine),
    certificates: createCertificateStore(engine),
    decisions: createDecisionStore(engine),
    labels: createLabelStore(engine),
    reviews: createReviewStore(engine),
    ledger: createLedgerStore(engine),
    tokens: createTokenStore(engine),
    sessions: createSessionStore(engine),
    outbox: createOutboxStore(engine),
    policy: createPolicyStore(engine),
    shared,
    monitor: createMonitorStore(engine),
    backup: (path) => engine.backup(path),
    redact: async (questionId) => {
      const erased = await engine.write(() => redactQuestion(engine, questionId))
      return { erased, isWiped: await engine.wipe() }
    },
    prune: (limits) => pruneStore(engine, limits),
    async checkWritable(at) {
      const written = engine.queries
        .insertInto('readiness')
        .values({ id: 1, at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
      await engine.writeOne(written)
    },
    isInPlace: () => engine.isInPlace(),
    freeBytes: () => engine.freeBytes(),
    close: () => engine.close(),
  }
}
