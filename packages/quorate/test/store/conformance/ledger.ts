import { expect, test } from 'vitest'
import { CHAIN_START, THIS_CODE } from '../../../src/store/decisions/ledger-chain.ts'
import { cachedCall, ledgerTexts } from '../rows.ts'
import { createRun, REFUSED, sampleDebate, sampleEntry, sampleId, sampleIntent, sampleOutcome } from '../samples.ts'
import { verifyChain } from '../verify-chain.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

export function ledgerConformance(fresh: Fresh): void {
  test('the ledger is one chain per run, from zeros, that verifies', async () => {
    const store = await freshStore(fresh)
    const { ledger } = store
    const runId = sampleId(1)
    expect(await ledger.head(runId)).toBeNull()
    const first = await ledger.append(sampleEntry())
    const second = await ledger.append(sampleEntry({ kind: 'review', texts: [] }))
    const other = await ledger.append(sampleEntry({ runId: sampleId(2) }))
    expect(JSON.parse(first.line)).toEqual({
      at: sampleEntry().at,
      body: sampleEntry().body,
      code: THIS_CODE,
      kind: 'decision',
      previous: CHAIN_START,
      runId,
      sequence: 1,
    })
    expect(other.sequence).toBe(1)
    expect(await ledger.head(runId)).toEqual(second)
    expect(await ledger.list(runId, { after: 0, limit: 9 })).toEqual([first, second])
    expect(await ledger.list(runId, { after: 1, limit: 9 })).toEqual([second])
    expect(verifyChain([first, second], second.hash)).toMatchObject({ kind: 'whole', rows: 2 })
    expect(await ledgerTexts(store, runId, 1)).toEqual([{ ...sampleEntry().texts[0], runId, sequence: 1 }])
    expect(await ledgerTexts(store, runId, 2)).toEqual([])
  })

  test('values without RFC 8785 text are refused, and the chain continues', async () => {
    const store = await freshStore(fresh)
    const { ledger } = store
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, '\ud800', [undefined], new Date(0), () => 1]) {
      const entry = sampleEntry({ body: { deep: [{ value }] } })
      await expect(ledger.append(entry)).rejects.toMatchObject({ kind: 'invalid' })
    }
    expect(await ledger.append(sampleEntry({ body: { left: undefined } }))).toMatchObject({ sequence: 1 })
  })

  test('concurrent appends through two stores make one chain without gaps', async () => {
    const stores = await freshStores(fresh, 2)
    const appended = await Promise.all(
      Array.from({ length: 40 }, (_, number) => stores[number % 2]?.ledger.append(sampleEntry({ at: number }))),
    )
    const rows = await stores[0]?.ledger.list(sampleId(1), { after: 0, limit: 100 })
    expect(rows?.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, number) => number + 1))
    expect(verifyChain(rows ?? [], rows?.at(-1)?.hash)).toMatchObject({ kind: 'whole', rows: 40 })
    expect(new Set(appended.map((row) => row?.hash)).size).toBe(40)
  })

  test('a redaction erases the texts of a question in every run, and ids, answers, costs and the chain stay', async () => {
    const store = await freshStore(fresh)
    for (const number of [1, 2]) {
      const runId = sampleId(number)
      await createRun(store, 2, { id: runId })
      await store.calls.open(sampleIntent(number, { runId, cacheKey: 'same' }))
      await store.calls.close(sampleIntent(number, { runId }), 'answered', sampleOutcome())
      await store.calls.open(sampleIntent(number + 10, { runId }))
      await store.calls.close(sampleIntent(number + 10, { runId }), 'refused', REFUSED)
      await store.debates.save(sampleDebate('q0', { runId }))
      await store.debates.save(sampleDebate('q1', { runId }))
      await store.ledger.append(sampleEntry({ runId }))
    }
    const spent = await store.calls.spend(sampleId(1))
    expect(await store.redact('q0')).toMatchObject({ erased: 10 })
    for (const number of [1, 2]) {
      const runId = sampleId(number)
      const [question, other] = await store.runs.questions(runId, { after: -1, limit: 2 })
      expect(question).toMatchObject({ questionId: 'q0', question: null, status: 'done' })
      expect(other?.question).toContain('secret question 1')
      const calls = await store.calls.list(runId, { after: null, limit: 9 })
      expect(calls.map(({ state, reply, error }) => [state, reply, error])).toEqual([
        ['answered', null, null],
        ['refused', null, 'erased'],
      ])
      const { rounds } = JSON.parse((await store.debates.find(runId, 'q0'))?.debate ?? '')
      expect(rounds).toEqual([[{ agent: 'ann', answer: 'A', beliefs: { A: 0.9, text: 0.1 }, text: null }]])
      expect(await store.debates.find(runId, 'q1')).toEqual(sampleDebate('q1', { runId }))
      const rows = await store.ledger.list(runId, { after: 0, limit: 9 })
      expect(verifyChain(rows)).toMatchObject({ kind: 'whole', rows: 1 })
      expect(await ledgerTexts(store, runId, 1)).toMatchObject([{ text: null, salt: null, digest: 'd'.repeat(64) }])
    }
    expect(await store.calls.spend(sampleId(1))).toEqual(spent)
    // A reply without its text answers no call.
    expect(await cachedCall(store, 'same')).toBeNull()
    expect(await store.redact('q0')).toMatchObject({ erased: 0 })
    expect(await store.redact('unknown')).toMatchObject({ erased: 0 })
  })
}
