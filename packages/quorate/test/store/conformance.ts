import { describe } from 'vitest'
import { assignmentConformance } from './conformance/assignments.ts'
import { callsConformance } from './conformance/calls.ts'
import { concurrencyConformance } from './conformance/concurrency.ts'
import { erasureConformance } from './conformance/erasure.ts'
import { fencesConformance } from './conformance/fences.ts'
import type { Fresh } from './conformance/harness.ts'
import { ledgerConformance } from './conformance/ledger.ts'
import { modelConformance } from './conformance/model.ts'
import { monitorConformance } from './conformance/monitor.ts'
import { queueConformance } from './conformance/queue.ts'
import { resultsConformance } from './conformance/results.ts'
import { runsConformance } from './conformance/runs.ts'
import { serverConformance } from './conformance/server.ts'
import { settledTogetherConformance } from './conformance/settled-together.ts'

/** The tests that every engine must pass. */
export function storeConformance(engine: string, fresh: Fresh, options: { readonly sequences: number }): void {
  describe(`the store on ${engine}`, () => {
    runsConformance(fresh)
    callsConformance(fresh)
    resultsConformance(fresh)
    fencesConformance(fresh)
    ledgerConformance(fresh)
    erasureConformance(fresh)
    queueConformance(fresh)
    assignmentConformance(fresh)
    serverConformance(fresh)
    settledTogetherConformance(fresh)
    monitorConformance(fresh)
    concurrencyConformance(fresh)
    modelConformance(fresh, options.sequences)
  })
}
