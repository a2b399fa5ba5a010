import { setImmediate as nextTurn } from 'node:timers/promises'
import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import {
  createRun,
  sampleCounted,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleLabel,
  sampleReview,
} from '../samples.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const certificateId = 'certificate'
const NOW = 1_790_000_000_100
const live = { kind: 'decide', isShadow: false, certificateId } as const

/** The obvious implementation, which reads every decision and its debate. */
async function slowCounts(store: Store, runIds: readonly string[]) {
  const counts = new Map<string, { kind: string; reason: string | null; decided: number; rounds: number }>()
  for (const runId of runIds) {
    for (const { questionId, kind, reason, isShadow } of await store.decisions.list(runId, {
      after: null,
      limit: 999,
    })) {
      if (isShadow) continue
      const rounds = (await store.debates.find(runId, questionId))?.rounds ?? 0
      const known = counts.get(`${kind} ${reason}`) ?? { kind, reason, decided: 0, rounds: 0 }
      counts.set(`${kind} ${reason}`, { ...known, decided: known.decided + 1, rounds: known.rounds + rounds })
    }
  }
  return [...counts.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, count]) => count)
}

export function monitorConformance(fresh: Fresh): void {
  describe('the monitor', () => {
    test('the position changes with each write of a debate, even if the clock stands still or goes back', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 3)
      const seen = new Set([await store.monitor.position()])
      const write = async (writing: Promise<unknown>) => {
        await writing
        const position = await store.monitor.position()
        expect(seen).not.toContain(position)
        seen.add(position)
      }
      const at = 1_790_000_000_000
      await write(store.debates.save(sampleDebate('q0', { runId, at }), undefined))
      await write(store.debates.save(sampleDebate('q0', { runId, at }), undefined))
      await write(store.debates.save(sampleDebate('q0', { runId, at: at - 1000 }), undefined))
      await write(store.debates.save(sampleDebate('q1', { runId, at: at - 1000 }), undefined))
      const decision = sampleDecision(1, 'q2', { runId, kind: 'defer', reason: 'suspended', isShadow: false })
      const debate = sampleDebate('q2', { runId, at: at - 1000 })
      await write(store.decisions.settle({ decision, debate, entry: sampleEntry({ runId }) }))
      await write(store.redact('q0'))
    })

    test('decisions by two processes are counted as they are committed, replaced or extended, but not in shadow runs', async () => {
      const [store, other] = await freshStores(fresh, 2)
      if (store === undefined || other === undefined) throw new Error('no store')
      const random = seededRandom(4)
      const runs = [await createRun(store, 20, live), await createRun(store, 20, { ...live, id: sampleId(3) })]
      const shadow = await createRun(store, 20, { ...live, id: sampleId(4), isShadow: true })
      let number = 0
      const decide = (runId: string, questionId: string, isShadow = false) => {
        const isAct = random() < 0.5
        const status = random() < 0.4 ? ('agent-failure' as const) : ('done' as const)
        const given = isAct
          ? ({ kind: 'act', reason: null } as const)
          : ({ kind: 'defer', reason: random() < 0.5 ? 'suspended' : 'bound-low' } as const)
        const decision = sampleDecision(++number, questionId, { runId, ...given, isShadow })
        const debate = sampleDebate(questionId, { runId, status, rounds: Math.ceil(random() * 4) })
        const to = random() < 0.5 ? store : other
        return to.decisions
          .settle({ decision, debate, entry: sampleEntry({ runId }), isOperatorsChoice: true })
          .catch(() => null)
      }
      for (let at = 0; at < 40; at++) {
        const { id } = runs[at % 2] ?? shadow
        await decide(id, `q${Math.floor(random() * 10)}`)
        await decide(shadow.id, `q${at % 20}`, true)
      }
      // More rounds of a decided debate.
      const [run] = runs
      if (run === undefined) throw new Error('no run')
      const debate = sampleDebate('q1', { runId: run.id, rounds: 7 })
      await store.decisions.settle({ decision: null, debate, entry: sampleEntry({ runId: run.id }) })
      const ids = [...runs, shadow].map(({ id }) => id)
      const counts = await other.monitor.counts(certificateId)
      expect(counts).toEqual(await slowCounts(store, ids))
      expect(counts.length).toBeGreaterThan(1)
      expect(await store.monitor.counts('another')).toEqual([])
    })

    test('arrivals are listed in order over all runs of a certificate, with the rounds stored so far', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 2, live)
      const { id: later } = await createRun(store, 1, { ...live, id: sampleId(3) })
      await store.runs.addQuestion(runId, { questionId: 'seen', question: null, isSpotCheck: false })
      const question = { questionId: 'new', question: '{"id":"new"}', isSpotCheck: false, counted: sampleCounted }
      const debate = sampleDebate('new', { runId })
      const settled = await store.decisions.settle({ question, decision: null, debate, entry: sampleEntry({ runId }) })
      expect(settled).toMatchObject({ kind: 'settled', arrival: 4 })
      const rows = await store.monitor.arrived({ certificateId, after: 0, limit: 9 })
      expect(rows.map(({ arrival, runId: of, questionId }) => [arrival, of, questionId])).toEqual([
        [1, runId, 'q1'],
        [2, runId, 'q0'],
        [3, later, 'q0'],
        [4, runId, 'new'],
      ])
      expect(rows.map((row) => row.debate)).toEqual([null, null, null, debate.debate])
      expect(await store.monitor.arrived({ certificateId, after: 1, limit: 2 })).toEqual(rows.slice(1, 3))
      expect(await store.monitor.arrived({ certificateId: 'another', after: 0, limit: 9 })).toEqual([])
    })

    test('hidden decisions are counted separately while a review of them may be blind or can be undone', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 5, live)
      const other = { ...live, id: sampleId(3), certificateId: 'another' }
      await createRun(store, 1, other)
      const decide = (number: number, kind: 'act' | 'defer', reviewed: 'deferral' | 'spot-check' | null) => {
        const questionId = `q${number}`
        const given = kind === 'act' ? { kind, reason: null } : { kind, reason: 'bound-low' as const, answer: null }
        const decision = sampleDecision(number, questionId, { certificateId, isShadow: false, ...given })
        const review = reviewed && sampleReview(number, { questionId, source: reviewed })
        const debate = sampleDebate(questionId, { rounds: number + 1 })
        return store.decisions.settle({ decision, debate, entry: sampleEntry(), review, isOperatorsChoice: true })
      }
      await decide(0, 'act', null)
      await decide(1, 'act', 'spot-check')
      await decide(2, 'defer', 'deferral')
      await decide(3, 'defer', 'spot-check')
      const arrived = await store.monitor.arrived({ certificateId, after: 0, limit: 9 })
      const arrivalOf = (number: number) => arrived.find(({ questionId }) => questionId === `q${number}`)?.arrival ?? 0
      const hidden = async (now: number) => {
        const { sampled, ...figures } = await store.monitor.hidden({ certificateId, now })
        return { ...figures, sampled: [...sampled].sort((left, right) => left - right) }
      }
      const first = (numbers: readonly number[]) => Math.min(...numbers.map(arrivalOf))
      const spotChecks = [arrivalOf(1), arrivalOf(3)].sort((left, right) => left - right)
      const all = await hidden(NOW)
      expect(all).toMatchObject({ firstArrival: first([1, 2, 3, 4]), sampled: spotChecks })
      expect(all.counts.toSorted((left, right) => (left.kind < right.kind ? -1 : 1))).toEqual([
        { kind: 'act', reason: null, decided: 1, rounds: 2 },
        { kind: 'defer', reason: 'bound-low', decided: 2, rounds: 7 },
      ])
      const { id } = sampleReview(1)
      await store.reviews.claim(id, { reviewer: 'ann', now: NOW, claimMs: 1000 })
      await store.reviews.submit({
        id,
        reviewer: 'ann',
        outcome: '"A"',
        note: null,
        at: NOW,
        undoUntil: NOW + 10,
        messages: [],
        label: sampleLabel(1, { reviewId: id, runId, questionId: 'q1', source: 'spot-check', by: 'ann' }),
        entry: sampleEntry({ kind: 'review', texts: [] }),
      })
      expect(await hidden(NOW + 9)).toEqual(all)
      expect(await hidden(NOW + 10)).toEqual({
        firstArrival: first([2, 3, 4]),
        sampled: [arrivalOf(3)],
        counts: [{ kind: 'defer', reason: 'bound-low', decided: 2, rounds: 7 }],
      })
      const ofOther = await store.monitor.hidden({ certificateId: 'another', now: NOW })
      expect(ofOther).toEqual({ counts: [], firstArrival: 1, sampled: [] })
      const nobodys = await store.monitor.hidden({ certificateId: 'none', now: NOW })
      expect(nobodys).toEqual({ counts: [], firstArrival: null, sampled: [] })
    })

    test('a commit of a hidden action never changes the counts that a person sees', async () => {
      const [store, reader] = await freshStores(fresh, 2)
      if (store === undefined || reader === undefined) throw new Error('no store')
      const { id: runId } = await createRun(store, 61, live)
      const act = (number: number, isHidden: boolean) => {
        const questionId = `q${number}`
        const decision = sampleDecision(number, questionId, { certificateId, isShadow: false })
        const review = isHidden ? sampleReview(number, { questionId, source: 'spot-check' }) : null
        const debate = sampleDebate(questionId)
        return store.decisions.settle({ decision, debate, entry: sampleEntry(), review, isOperatorsChoice: true })
      }
      await act(0, false)
      let isOver = false
      const acting = (async () => {
        for (let number = 1; number <= 60; number++) await act(number, true)
      })().finally(() => {
        isOver = true
      })
      const seen = new Set<number | undefined>()
      while (!isOver) {
        const [figures] = await reader.runs.figures([runId], { now: NOW, undoMs: 0, hides: true })
        seen.add(figures?.acted)
        // A store in this process commits in a later turn of the event loop.
        await nextTurn()
      }
      await acting
      expect([...seen]).toEqual([1])
      const at = { now: NOW, undoMs: 0 }
      expect(await reader.runs.figures([runId], { ...at, hides: true })).toMatchObject([{ acted: 1, hidden: 60 }])
      expect(await reader.runs.figures([runId], { ...at, hides: false })).toMatchObject([{ acted: 61, hidden: 0 }])
    })

    test('the state of the drift monitor is stored, and never replaced by an earlier one with the same key', async () => {
      const store = await freshStore(fresh)
      const kept = { certificateId, key: 'first', arrival: 5, state: '{"capital":1.25}', at: 1 }
      expect(await store.monitor.findDrift(certificateId)).toBeNull()
      await store.monitor.keepDrift(kept)
      await store.monitor.keepDrift({ ...kept, arrival: 4, state: '{}' })
      expect(await store.monitor.findDrift(certificateId)).toEqual(kept)
      await store.monitor.keepDrift({ ...kept, arrival: 6 })
      expect(await store.monitor.findDrift(certificateId)).toEqual({ ...kept, arrival: 6 })
      await store.monitor.keepDrift({ ...kept, key: 'second', arrival: 2 })
      expect(await store.monitor.findDrift(certificateId)).toEqual({ ...kept, key: 'second', arrival: 2 })
      expect(await store.monitor.findDrift('another')).toBeNull()
    })
  })
}
