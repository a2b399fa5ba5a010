import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { createRetryWhileUnavailable, type RetryWhileUnavailable } from '../../src/run/workers/retry.ts'
import { retryingStore } from '../../src/run/workers/retrying-store.ts'
import type { SharedStore } from '../../src/store/shared-store.ts'
import type { Store } from '../../src/store/store.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import {
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleOutcome,
  sampleQuestions,
  sampleRun,
} from '../store/samples.ts'

const postgres = await privatePostgres()
const RUN = sampleId(1)
const BROKEN = new StoreError('unreachable', 'store: the connection broke')
const at = 4

/** Retries once, immediately. */
const PATIENTLY = createRetryWhileUnavailable({
  sleep: async () => {},
  aborting: new AbortController().signal,
  elapsed: () => 0,
  log: () => {},
})
const IMPATIENTLY: RetryWhileUnavailable = (action) => action(false)

if (postgres.kind === 'absent') {
  test.skip(`a store whose database comes and goes: ${postgres.reason}`, () => {})
} else {
  const opened = async (patiently: RetryWhileUnavailable, capMicroUsd = 5000) => {
    const store = await (await postgres.fresh())()
    const { shared } = store
    if (shared === null) throw new Error('PostgreSQL has no shared store')
    await shared.runs.create({
      run: sampleRun(),
      shared: { createdAt: 1, options: '{}', capMicroUsd },
      questions: sampleQuestions(3),
      entry: { ...sampleEntry(), kind: 'run-opened' },
      enqueue: async () => {},
    })
    await shared.runs.take(RUN, 'q0', { fence: 'one', at })
    return { store, shared, patient: patientOver(store, shared, patiently) }
  }
  const intent = sampleIntent(1, { fence: 'one' })
  const decision = sampleDecision(1, 'q0')
  const settlement = { decision, debate: sampleDebate(), entry: sampleEntry(), fence: 'one' }

  describe('a write whose confirmation was lost when the connection broke', () => {
    test('opens one call, with its cost reserved once', async () => {
      // The cap has room for one call only.
      const { store, shared, patient } = await opened(PATIENTLY, 900)
      expect(await patient.calls.open(intent)).toBe('opened')
      expect(await shared.runs.find(RUN)).toMatchObject({ reservedMicroUsd: 900, openCalls: 1 })
      expect((await store.calls.spend(RUN)).calls.open).toBe(1)
    })

    test('closes one call, with its cost counted once', async () => {
      const { store, shared, patient } = await opened(PATIENTLY)
      await shared.calls.open(intent)
      expect(await patient.calls.close(intent, 'answered', sampleOutcome())).toBe(true)
      expect(await shared.runs.find(RUN)).toMatchObject({ committedMicroUsd: 250, reservedMicroUsd: 0, openCalls: 0 })
      expect((await store.calls.spend(RUN)).calls).toMatchObject({ answered: 1, open: 0 })
    })

    test('makes one decision and one ledger row', async () => {
      const { store, patient } = await opened(PATIENTLY)
      expect(await patient.decisions.settle(settlement)).toMatchObject({ kind: 'settled' })
      expect((await store.decisions.list(RUN, { after: null, limit: 9 })).map(({ id }) => id)).toEqual([decision.id])
      const entries = await store.ledger.list(RUN, { after: 0, limit: 9 })
      expect(entries.length).toBe(2)
    })

    test('saves one debate, ends one question and takes one question', async () => {
      const { store, patient } = await opened(PATIENTLY)
      expect(await patient.shared.runs.take(RUN, 'q1', { fence: 'two', at })).toMatchObject({ lostCalls: 0 })
      await patient.debates.save(sampleDebate('q1'), 'two')
      await patient.runs.setQuestion(RUN, 'q2', 'error')
      expect(await store.runs.counts(RUN)).toMatchObject({ done: 1, error: 1, pending: 1 })
    })
  })

  describe('a write of another process in the meantime', () => {
    test('is not mistaken for our own: neither a call of another fence nor a decision of another question', async () => {
      const { shared, patient } = await opened(PATIENTLY)
      await shared.runs.take(RUN, 'q0', { fence: 'two', at })
      await shared.calls.open({ ...intent, id: sampleId(77), fence: 'two' })
      await expect(patient.calls.open(intent)).rejects.toMatchObject({ kind: 'fenced' })
      expect(await patient.calls.close(intent, 'answered', sampleOutcome())).toBe(false)
      await expect(patient.decisions.settle(settlement)).rejects.toMatchObject({ kind: 'fenced' })
    })

    test('stays: an attempt that exists under another id is an error', async () => {
      const { shared, patient } = await opened(PATIENTLY)
      await shared.calls.open(intent)
      await expect(patient.calls.open({ ...intent, id: sampleId(78) })).rejects.toMatchObject({ kind: 'exists' })
    })
  })

  test('companion: without retries the broken connection surfaces, although everything is written', async () => {
    const { store, patient } = await opened(IMPATIENTLY)
    await expect(patient.calls.open(intent)).rejects.toBe(BROKEN)
    await expect(patient.calls.open(intent)).rejects.toMatchObject({ kind: 'exists' })
    await expect(patient.decisions.settle(settlement)).rejects.toBe(BROKEN)
    expect((await store.decisions.list(RUN, { after: null, limit: 9 })).length).toBe(1)
  })
}

/** The first write of each kind succeeds, but its confirmation is lost. */
function patientOver(store: Store, shared: SharedStore, patiently: RetryWhileUnavailable) {
  const calls = { ...shared.calls, open: losing(shared.calls.open), close: losing(shared.calls.close) }
  const runs = { ...shared.runs, take: losing(shared.runs.take) }
  const broken = {
    ...store,
    debates: { ...store.debates, save: losing(store.debates.save) },
    decisions: { ...store.decisions, settle: losing(store.decisions.settle) },
    runs: { ...store.runs, setQuestion: losing(store.runs.setQuestion) },
  }
  return retryingStore(broken, { ...shared, calls, runs }, patiently)
}

function losing<Arguments extends unknown[], Result>(
  action: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let isLost = false
  return async (...args) => {
    const result = await action(...args)
    if (isLost) return result
    isLost = true
    throw BROKEN
  }
}
