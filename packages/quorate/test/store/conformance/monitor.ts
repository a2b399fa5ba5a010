import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { createRun, sampleCounted, sampleDebate, sampleDecision, sampleEntry, sampleId } from '../samples.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const certificateId = 'certificate'
const live = { kind: 'decide', isShadow: false, certificateId } as const

/** The obvious way: every decision and its debate are read. */
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
    test('decisions are counted as they are made, by two processes, made again, kept on and in shadow', async () => {
      const [store, other] = await freshStores(fresh, 2)
      if (store === undefined || other === undefined) throw new Error('no store')
      const random = seededRandom(4)
      const runs = [await createRun(store, 20, live), await createRun(store, 20, { ...live, id: sampleId(3) })]
      const shadow = await createRun(store, 20, { ...live, id: sampleId(4), isShadow: true })
      let number = 0
      const decide = (runId: string, questionId: string, isShadow = false) => {
        const isAct = random() < 0.5
        const status = random() < 0.4 ? ('agent-failure' as const) : ('done' as const)
        const said = isAct
          ? ({ kind: 'act', reason: null } as const)
          : ({ kind: 'defer', reason: random() < 0.5 ? 'held' : 'uncertain' } as const)
        const decision = sampleDecision(++number, questionId, { runId, ...said, isShadow })
        const debate = sampleDebate(questionId, { runId, status, rounds: Math.ceil(random() * 4) })
        const to = random() < 0.5 ? store : other
        return to.decisions.settle({ decision, debate, entry: sampleEntry({ runId }) }).catch(() => null)
      }
      for (let at = 0; at < 40; at++) {
        const { id } = runs[at % 2] ?? shadow
        await decide(id, `q${Math.floor(random() * 10)}`)
        await decide(shadow.id, `q${at % 20}`, true)
      }
      // More rounds of a debate that is decided.
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

    test('arrivals come in order over all runs of a certificate, with the debate as far as it is stored', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 2, live)
      const { id: later } = await createRun(store, 1, { ...live, id: sampleId(3) })
      await store.runs.addQuestion(runId, { questionId: 'seen', question: null, isDrawn: false })
      const question = { questionId: 'new', question: '{"id":"new"}', isDrawn: false, counted: sampleCounted }
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

    test('what the drift monitor knows is kept, never replaced by an earlier state of the same beginning', async () => {
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
