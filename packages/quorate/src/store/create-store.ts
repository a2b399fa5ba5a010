import { createSessionStore, createTokenStore } from './access-store.ts'
import { createCallStore } from './call-store.ts'
import { createCertificateStore } from './certificate-store.ts'
import { createDebateStore } from './debate-store.ts'
import { createDecisionStore } from './decision-store.ts'
import type { Engine } from './engine.ts'
import { createLabelStore } from './label-store.ts'
import { createLedgerStore } from './ledger-store.ts'
import { createMonitorStore } from './monitor-store.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createPolicyStore } from './policy-store.ts'
import { pruneStore } from './prune.ts'
import { redactQuestion } from './redact.ts'
import { createReviewStore } from './review-store.ts'
import { createRunStore } from './run-store.ts'
import type { SharedStore } from './shared-store.ts'
import type { Store } from './store.ts'

/** The store over an engine whose tables are up to date. */
export function createStore(engine: Engine, shared: SharedStore | null = null): Store {
  return {
    engine: engine.name,
    runs: createRunStore(engine),
    calls: createCallStore(engine),
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
