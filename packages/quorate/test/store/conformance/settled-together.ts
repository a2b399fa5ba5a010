import { describe, expect, test } from 'vitest'
import { POLICY_CHAIN, type PolicyEvent } from '../../../src/store/decisions/policy-events.ts'
import type { Settled, Settlement } from '../../../src/store/decisions/settlement.ts'
import type { Store } from '../../../src/store/store.ts'
import { allRows, ledgerTexts } from '../rows.ts'
import {
  createRun,
  sampleCounted,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleMessage,
  sampleReview,
} from '../samples.ts'
import { verifyChain } from '../verify-chain.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const runId = sampleId(1)
const certificateId = 'certificate'
const live = { kind: 'decide', isShadow: false, certificateId } as const

/** Concurrent settlements of new questions share commits. */
export function settledTogetherConformance(fresh: Fresh): void {
  describe('concurrent settlements of new questions', () => {
    test('write the same as one after another', async () => {
      const stores = [await activeStore(fresh), await activeStore(fresh)] as const
      const settlements = Array.from({ length: 150 }, (_, number) => mixed(number))
      const atOnce = await Promise.all(settlements.map((settlement) => stores[0].decisions.settle(settlement)))
      const oneByOne: Settled[] = []
      for (const settlement of settlements) oneByOne.push(await stores[1].decisions.settle(settlement))
      expect(atOnce.map(inShort)).toEqual(oneByOne.map(inShort))
      const rowsOfBatches = await allRows(stores[0])
      expect(rowsOfBatches).toEqual(await allRows(stores[1]))
      for (const table of WRITTEN) expect(rowsOfBatches[table]?.length, table).toBeGreaterThan(0)
      expect(await contents(stores[0])).toEqual(await contents(stores[1]))
      const rows = await stores[0].ledger.list(runId, { after: 0, limit: 1000 })
      expect(verifyChain(rows)).toMatchObject({ kind: 'whole', rows: 150 })
      expect(await stores[0].runs.arrivals(certificateId)).toBe(100)
    })

    test('through two stores number every question once, and chain all of them without a gap', async () => {
      const [one, two] = await freshStores(fresh, 2)
      if (one === undefined || two === undefined) throw new Error('no store')
      await activate(one)
      // Both stores settle the same questions, and one of them finds each question known.
      const settled = await Promise.all(
        Array.from({ length: 120 }, (_, number) => (number % 2 === 0 ? one : two).decisions.settle(plain(number >> 1))),
      )
      expect(settled.filter(({ kind }) => kind === 'settled').length).toBe(60)
      expect(settled.filter(({ kind }) => kind === 'known').length).toBe(60)
      const arrivals = settled.flatMap((each) => (each.kind === 'settled' ? [each.arrival] : []))
      expect(arrivals.sort((left, right) => Number(left) - Number(right))).toEqual(
        Array.from({ length: 60 }, (_, at) => at + 1),
      )
      const rows = await two.ledger.list(runId, { after: 0, limit: 1000 })
      expect(verifyChain(rows)).toMatchObject({ kind: 'whole', rows: 60 })
    })

    test('fail alone, and a failed one leaves no trace', async () => {
      const store = await activeStore(fresh)
      await store.outbox.add([sampleMessage(7)])
      const settlements = Array.from({ length: 20 }, (_, number): Settlement => {
        if (number === 7) return { ...plain(number), messages: [sampleMessage(7)] }
        return number === 11 ? { ...plain(number), entry: sampleEntry({ body: { bound: Number.NaN } }) } : plain(number)
      })
      const settled = await Promise.allSettled(settlements.map((settlement) => store.decisions.settle(settlement)))
      const failed = settled.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
      expect(failed).toEqual([7, 11])
      for (const at of failed) {
        expect(await store.runs.findQuestion(runId, `new${at}`)).toBeNull()
        expect(await store.decisions.certifiedRounds(runId, `new${at}`)).toEqual([])
      }
      const rows = await store.ledger.list(runId, { after: 0, limit: 1000 })
      expect(verifyChain(rows)).toMatchObject({ kind: 'whole', rows: 18 })
      expect(await store.runs.arrivals(certificateId)).toBe(18)
    })

    test('act on nothing while the policy is suspended, and write the rest', async () => {
      const store = await activeStore(fresh)
      await store.policy.append(policyChange(8, 'suspend'))
      const suspension = await store.policy.currentSuspension()
      const settled = await Promise.all(
        Array.from({ length: 30 }, (_, number) =>
          store.decisions.settle(number % 3 === 0 ? acted(number) : plain(number)),
        ),
      )
      for (const [number, each] of settled.entries()) {
        if (number % 3 === 0) expect(each).toEqual({ kind: 'suspended', suspension })
        else expect(each.kind).toBe('settled')
      }
      expect(await store.decisions.counts(runId)).toEqual([])
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 20 })
    })
  })
}

/** The tables that a settlement writes to. */
const WRITTEN = [
  ...['run_questions', 'debates', 'certified', 'decisions', 'decision_counts'],
  ...['reviews', 'outbox', 'ledger', 'ledger_texts'],
]

async function activeStore(fresh: Fresh): Promise<Store> {
  const store = await freshStore(fresh)
  await activate(store)
  return store
}

export async function activate(store: Store): Promise<void> {
  await createRun(store, 0, live)
  await store.policy.append(policyChange(9, 'activate'))
}

function policyChange(number: number, kind: PolicyEvent['kind']) {
  return {
    event: { id: sampleId(number), kind, cause: null, certificateId, by: 'ann', note: null, at: 1 },
    entry: sampleEntry({ runId: POLICY_CHAIN, kind, texts: [] }),
    messages: [],
  }
}

/** A first round that decides nothing yet. */
export function plain(number: number): Settlement {
  const questionId = `new${number}`
  const about = { runId, questionId, round: 1, decisionId: sampleId(2000 + number), at: 5 }
  return {
    question: {
      questionId,
      question: JSON.stringify({ id: questionId }),
      isSpotCheck: number % 5 === 0,
      samplingKey: 1,
      samplingRate: 0.25,
      counted: sampleCounted,
    },
    decision: null,
    debate: sampleDebate(questionId),
    entry: sampleEntry({ body: { number }, texts: [{ digest: 'd', salt: 's', text: `secret ${number}`, questionId }] }),
    certified: { ...about, digests: '["d"]', result: JSON.stringify({ number }) },
  }
}

function acted(number: number): Settlement {
  const decision = sampleDecision(number, `new${number}`, { isShadow: false, at: number })
  return { ...plain(number), decision, messages: [sampleMessage(number)] }
}

/** All kinds of settlements in turn: rounds, actions, deferrals, shadows, and questions that do not count. */
function mixed(number: number): Settlement {
  const questionId = `new${number}`
  const settlement = plain(number)
  const { question } = settlement
  if (question === undefined) throw new Error('no question')
  const deferred = { kind: 'defer', reason: 'bound-low', answer: null, isShadow: false } as const
  const review = sampleReview(number, { id: sampleId(2000 + number), questionId, distance: 0.25 })
  const turns: readonly Settlement[] = [
    settlement,
    acted(number),
    {
      ...settlement,
      decision: sampleDecision(number, questionId, deferred),
      review,
      messages: [sampleMessage(number)],
    },
    { ...settlement, decision: sampleDecision(number, questionId, { ...deferred, reason: 'suspended' }) },
    { ...settlement, decision: sampleDecision(number, questionId), question: { ...question, counted: null } },
    { ...settlement, question: { ...question, counted: null } },
  ]
  return turns[number % turns.length] ?? settlement
}

function inShort(settled: Settled) {
  return settled.kind === 'settled' ? { arrival: settled.arrival, row: settled.row } : settled
}

async function contents(store: Store) {
  const page = { after: null, limit: 1000 }
  const questions = Array.from({ length: 150 }, (_, number) => `new${number}`)
  return {
    ledger: await store.ledger.list(runId, { after: 0, limit: 1000 }),
    texts: await Promise.all(questions.map((_, number) => ledgerTexts(store, runId, number + 1))),
    questions: await Promise.all(questions.map((id) => store.runs.findQuestion(runId, id))),
    certified: await Promise.all(questions.map((id) => store.decisions.certifiedRounds(runId, id))),
    decisions: await store.decisions.list(runId, page),
    debates: await store.debates.list(runId, page),
    listed: await store.debates.latest({ ...page, now: 1, filter: { reason: 'bound-low' } }),
    counts: await store.monitor.counts(certificateId),
    position: await store.monitor.position(),
    rates: await store.runs.rates({ certificateId, after: 0 }),
    spotChecks: await store.runs.spotChecks({ certificateId, after: 0, limit: 1000 }),
    reviews: await Promise.all(questions.map((_, number) => store.reviews.find(sampleId(2000 + number)))),
    messages: await store.outbox.due({ now: 1e13, limit: 1000, leaseMs: 1 }),
  }
}
