import { describe, expect, test } from 'vitest'
import type { DeferReason } from '../../../src/record/decision.ts'
import type { StoredToken } from '../../../src/store/access.ts'
import { POLICY_CHAIN, type PolicyEvent } from '../../../src/store/decisions/policy-events.ts'
import type { Settlement } from '../../../src/store/decisions/settlement.ts'
import { inOrderOfArrival } from '../../../src/store/runs/arrivals.ts'
import type { DebateFilter } from '../../../src/store/runs/listed-debates.ts'
import type { Store, StoredDecision } from '../../../src/store/store.ts'
import { addReview, cancelMessage, saveDecision } from '../rows.ts'
import {
  createRun,
  sampleCounted,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleLabel,
  sampleMessage,
  sampleQuestions,
  sampleReview,
  sampleRun,
} from '../samples.ts'
import { allPages, type Fresh, freshStore, freshStores } from './harness.ts'

const certificateId = 'certificate'
const live = { kind: 'decide', isShadow: false, certificateId } as const

export function serverConformance(fresh: Fresh): void {
  test('checkWritable resolves repeatedly on an open store, and rejects on a closed one', async () => {
    const store = await freshStore(fresh)
    await store.checkWritable(1)
    await store.checkWritable(1)
    await store.checkWritable(2)
    await store.close()
    await expect(store.checkWritable(3)).rejects.toBeInstanceOf(Error)
  })

  describe('a run that grows', () => {
    test('gives each question the next position and arrival, once', async () => {
      const store = await freshStore(fresh)
      const { id } = await createRun(store, 2, live)
      const sampling = { isSpotCheck: true, samplingKey: 2, samplingRate: 0.1 + 0.2 }
      const question = { questionId: 'new', question: '{"id":"new"}', ...sampling }
      const added = await store.runs.addQuestion(id, { ...question, counted: sampleCounted })
      const stored = { ...question, runId: id, position: 2, status: 'pending' }
      expect(added).toEqual({ kind: 'added', question: stored, arrival: 3 })
      expect(await store.runs.findQuestion(id, 'new')).toEqual(added.question)
      expect(await store.runs.findQuestion(id, 'none')).toBeNull()
      const again = await store.runs.addQuestion(id, { ...question, question: '{}', isSpotCheck: false })
      expect(again).toEqual({ kind: 'exists', question: added.question, arrival: null })
      expect(await store.runs.arrivals(certificateId)).toBe(3)
      // Not counted, because the certificate promises nothing about it.
      expect(await store.runs.addQuestion(id, { ...question, questionId: 'seen' })).toMatchObject({ kind: 'added' })
      expect(await store.runs.arrivals(certificateId)).toBe(3)
      await expect(store.runs.addQuestion('none', question)).rejects.toMatchObject({ kind: 'missing' })
      await store.runs.finish(id)
      await expect(store.runs.addQuestion(id, question)).rejects.toMatchObject({ kind: 'invalid' })
    })

    test('has positions as in its file, and arrivals in an order that depends on the ids alone', async () => {
      const store = await freshStore(fresh)
      const questions = sampleQuestions(400).map((question) => ({ ...question, isSpotCheck: true }))
      await store.runs.create(sampleRun(live), questions)
      const rows = await store.runs.questions(sampleId(1), { after: -1, limit: 500 })
      expect(rows.map(({ questionId }) => questionId)).toEqual(questions.map(({ questionId }) => questionId))
      const spotChecks = await store.runs.spotChecks({ certificateId, after: 0, limit: 500 })
      expect(spotChecks.map(({ arrival }) => arrival)).toEqual(questions.map((_, at) => at + 1))
      const came = spotChecks.map(({ questionId }) => questionId)
      expect(came).toEqual(inOrderOfArrival(sampleId(1), questions).map(({ questionId }) => questionId))
      expect(came).not.toEqual(inOrderOfArrival(sampleId(2), questions).map(({ questionId }) => questionId))
      // Half of a file that is sorted by subject is half of those that came first, give or take 5 standard deviations.
      const early = spotChecks.filter(({ arrival, questionId }) => arrival <= 200 && Number(questionId.slice(1)) < 200)
      expect(Math.abs(early.length - 100)).toBeLessThan(25)
    })

    test('gives concurrent questions on two stores positions and arrivals without gaps', async () => {
      const stores = await freshStores(fresh, 2)
      const [store] = stores
      if (store === undefined) throw new Error('no store')
      const { id } = await createRun(store, 0, live)
      await Promise.all(
        Array.from({ length: 30 }, (_, number) =>
          stores[number % 2]?.runs.addQuestion(id, {
            questionId: `n${number % 20}`,
            question: null,
            isSpotCheck: true,
            counted: sampleCounted,
          }),
        ),
      )
      const rows = await store.runs.questions(id, { after: -1, limit: 99 })
      expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, number) => number))
      const spotChecks = await store.runs.spotChecks({ certificateId, after: 0, limit: 99 })
      expect(spotChecks.map(({ arrival }) => arrival)).toEqual(Array.from({ length: 20 }, (_, number) => number + 1))
    })
  })

  test('spot checks are listed by arrival over the live runs of a certificate, with decision and latest label', async () => {
    const store = await freshStore(fresh)
    await createRun(store, 2, { id: sampleId(5) })
    await createRun(store, 2, { ...live, id: sampleId(6), isShadow: true })
    await createRun(store, 2, { ...live, id: sampleId(7), certificateId: 'another' })
    await createRun(store, 4, { ...live, id: sampleId(2) })
    const { id: runId } = await createRun(store, 2, live)
    const decision = JSON.stringify({ bound: 0.97, path: [{ kind: 4 }, { kind: 7 }] })
    const grouped = sampleDebate('q1', { group: 'law' })
    await saveDecision(store, sampleDecision(1, 'q1', { decision }), grouped, sampleEntry())
    await store.labels.addAll([sampleLabel(2, { questionId: 'q1', runId, gold: null, verdict: 'cannot-tell' })])
    await store.labels.addAll([sampleLabel(1, { questionId: 'q1', gold: 'B', at: 2 })])
    await store.labels.addAll([sampleLabel(9, { questionId: 'q1', runId: sampleId(77) })])
    await store.labels.addAll([sampleLabel(4, { questionId: 'q3', gold: 'B', at: 3 })])
    const spotChecks = await store.runs.spotChecks({ certificateId, after: 0, limit: 9 })
    expect(spotChecks.map(({ arrival, runId: of, questionId }) => [arrival, of, questionId])).toEqual([
      [3, sampleId(2), 'q1'],
      [4, sampleId(2), 'q3'],
      [5, runId, 'q1'],
    ])
    const { id, certificateId: by, kind, reason, answer, round, at } = sampleDecision(1, 'q1')
    expect(spotChecks[2]).toMatchObject({
      arrivedAt: sampleCounted.at,
      status: 'done',
      debatedAt: sampleDebate('q1').at,
      decision: { id, certificateId: by, kind, reason, answer, round, at, debateKind: 7, group: 'law' },
      // The label that was committed last, although its id is lower.
      label: { gold: 'B', verdict: 'option', source: 'deferral', at: 2 },
    })
    expect(spotChecks[1]).toMatchObject({
      decision: null,
      debatedAt: null,
      label: { gold: 'B', verdict: 'option', source: 'deferral' },
    })
    expect((await store.runs.spotChecks({ certificateId, after: 4, limit: 1 })).map(({ arrival }) => arrival)).toEqual([
      5,
    ])
  })

  test('the sampling probability of a certificate is listed where it changes, and uncounted questions have none', async () => {
    const store = await freshStore(fresh)
    const { id } = await createRun(store, 3, live)
    await createRun(store, 2, { ...live, id: sampleId(7), certificateId: 'another' })
    const add = (number: number, spotCheckRate: number) =>
      store.runs.addQuestion(id, {
        questionId: `n${number}`,
        question: null,
        isSpotCheck: false,
        counted: { spotCheckRate, at: 5 },
      })
    for (const [number, rate] of [0.1, 0.1, 0.5, 1 / 3].entries()) await add(number, rate)
    const rates = (after: number) => store.runs.rates({ certificateId, after })
    const reported = [
      { from: 1, spotCheckRate: 0.5 },
      { from: 4, spotCheckRate: 0.1 },
      { from: 6, spotCheckRate: 0.5 },
      { from: 7, spotCheckRate: 1 / 3 },
    ]
    expect(await rates(0)).toEqual(reported)
    expect(await rates(4)).toEqual([{ from: 5, spotCheckRate: 0.1 }, ...reported.slice(2)])
    expect(await store.runs.rates({ certificateId: 'none', after: 0 })).toEqual([])
    const [, { questionId = '' } = {}] = await store.monitor.arrived({ certificateId, after: 0, limit: 2 })
    const deferral = sampleDecision(1, questionId, { kind: 'defer', reason: 'suspended', answer: null })
    await saveDecision(store, deferral, sampleDebate(questionId), sampleEntry())
    expect((await rates(0)).slice(0, 3)).toEqual([
      { from: 1, spotCheckRate: 0.5 },
      { from: 2, spotCheckRate: 0 },
      { from: 3, spotCheckRate: 0.5 },
    ])
    expect(await store.runs.arrivals(certificateId)).toBe(7)
  })

  describe('debates of all runs', () => {
    test('are listed in pages, latest first, by each filter', async () => {
      const store = await freshStore(fresh)
      await fill(store)
      const listed = async (filter?: DebateFilter, limit = 2) => {
        const ids: string[] = []
        let after = null
        for (;;) {
          const page = await store.debates.latest({ after, limit, now: 1, ...(filter === undefined ? {} : { filter }) })
          for (const { questionId, runId } of page) ids.push(`${runId.slice(-1)}/${questionId}`)
          after = page.at(-1) ?? null
          if (after === null) return ids
        }
      }
      expect(await listed()).toEqual(['2/q0', '1/q3', '1/q2', '1/q1', '1/q0'])
      expect(await listed({}, 1)).toEqual(['2/q0', '1/q3', '1/q2', '1/q1', '1/q0'])
      expect(await listed({ kind: 'defer' })).toEqual(['1/q2', '1/q1'])
      expect(await listed({ reason: 'bound-low' })).toEqual(['1/q1'])
      expect(await listed({ group: 'north' })).toEqual(['1/q3', '1/q1'])
      expect(await listed({ group: 'north', kind: 'act' })).toEqual(['1/q3'])
      expect(await listed({ status: 'agent-failure' })).toEqual(['1/q2'])
      expect(await listed({ runId: sampleId(2) })).toEqual(['2/q0'])
      expect(await listed({ isSpotCheck: true })).toEqual(['1/q3', '1/q1'])
      expect([...(await listed({ isDecided: true })), ...(await listed({ isDecided: false }))]).toHaveLength(5)
      expect(await listed({ isDecided: true })).not.toContain('2/q0')
      expect(await listed({ prefix: 'q0' })).toEqual(['2/q0', '1/q0'])
      expect(await listed({ prefix: 'q' })).toHaveLength(5)
      expect(await listed({ prefix: 'r' })).toEqual([])
      expect(await listed({ prefix: '%' })).toEqual([])
      await expect(store.debates.latest({ after: null, limit: 0, now: 1 })).rejects.toMatchObject({ kind: 'invalid' })
    })

    test('have question, decision, label and debate', async () => {
      const store = await freshStore(fresh)
      await fill(store)
      await store.labels.addAll([sampleLabel(1, { questionId: 'q1', gold: 'B' })])
      const [first] = await store.debates.latest({ after: null, limit: 1, now: 1, filter: { reason: 'bound-low' } })
      const { runId: _, questionId: __, ...decision } = deferral(1, 'bound-low')
      const debate = sampleDebate('q1', { at: 11, group: 'north' })
      expect(first).toEqual({
        ...debate,
        question: JSON.stringify({ id: 'q1', question: 'secret question 1?' }),
        isSpotCheck: true,
        isHidden: false,
        isWaiting: false,
        decision,
        label: { gold: 'B', verdict: 'option', source: 'deferral', at: 1 },
      })
      const [bare] = await store.debates.latest({ after: null, limit: 1, now: 1 })
      expect(bare).toMatchObject({ questionId: 'q0', decision: null, group: null })
      expect(await store.decisions.findById(decision.id)).toEqual(deferral(1, 'bound-low'))
      expect(await store.decisions.findById('none')).toBeNull()
    })
  })

  test('a search finds a hidden debate only by the text of its question and its id', async () => {
    const store = await freshStore(fresh)
    const question = JSON.stringify({
      id: 'q1',
      question: 'How many? "All", it says: 10 % of \u0000 these_those',
      options: [{ name: '1', text: 'an option' }],
      gold: null,
      goldText: 'forty-two',
      group: null,
      columns: [['expected', 'sixty-six']],
      caller: { name: 'claims-service' },
    })
    const row = { position: 0, questionId: 'q1', question, isSpotCheck: true, samplingKey: 1, samplingRate: 0.5 }
    await store.runs.create(sampleRun(live), [row])
    await saveDecision(store, deferral(1, 'bound-low'), sampleDebate('q1'), sampleEntry())
    const found = async (words: string) =>
      (await store.debates.latest({ after: null, limit: 9, now: 5, filter: { words } })).length
    const beside = ['forty-two', 'sixty-six', 'expected', 'claims-service', 'goldText', 'an option']
    const count = (words: readonly string[]) => Promise.all(words.map(found))
    expect(await count(beside)).toEqual(beside.map(() => 1))
    await addReview(store, sampleReview(1, { questionId: 'q1', source: 'spot-check' }))
    expect(await count(beside)).toEqual(beside.map(() => 0))
    expect(await count(['how MANY', '"All", it', '10 % of', 'these_those', 'q1'])).toEqual([1, 1, 1, 1, 1])
    expect(await count(['options', '":[{"', '10 _ of', 'those"'])).toEqual([0, 0, 0, 0])
  })

  test('a debate is hidden while it is in progress or has an item that is or may become blind, until that is final', async () => {
    const store = await freshStore(fresh)
    await fill(store)
    const hidden = async (now: number) => {
      const page = await store.debates.latest({ after: null, limit: 9, now })
      const shown = await store.debates.latest({ after: null, limit: 9, now, filter: { isShown: true } })
      const ids = page.filter(({ isHidden }) => isHidden).map(({ questionId }) => questionId)
      expect(shown).toEqual(page.filter(({ isHidden }) => !isHidden))
      const among = { questionIds: ['q0', 'q1', 'q2', 'q3', 'q4', 'none'], now }
      expect([...(await store.reviews.hidden(among))].sort()).toEqual([...ids].sort())
      expect(await store.reviews.hidden({ ...among, runId: 'another run' })).toEqual(new Set())
      return ids.sort()
    }
    const claim = { reviewer: 'ann', now: 5, claimMs: 99 }
    await addReview(store, sampleReview(1, { questionId: 'q1', source: 'deferral', list: 'blind' }))
    await addReview(store, sampleReview(2, { questionId: 'q2', source: 'deferral' }))
    await addReview(store, sampleReview(3, { questionId: 'q3', source: 'spot-check' }))
    const open = await hidden(5)
    expect(open).toEqual(['q1', 'q2', 'q3'])
    const items = [1, 2, 3].map((number) => sampleReview(number).id)
    const hiding = async (status: 'waiting' | 'submitted', now: number, page: object = {}) =>
      (await store.reviews.hiding({ status, after: null, limit: 9, now, ...page })).map(({ id }) => id)
    expect(await hiding('waiting', 5)).toEqual(items)
    expect(await hiding('waiting', 5, { after: items[0], limit: 1 })).toEqual([items[1]])
    await store.reviews.claim(sampleReview(1).id, claim)
    await store.reviews.claim(sampleReview(2).id, claim)
    // The first is in the blind list, and the second is not.
    expect(await hidden(5)).toEqual(['q1', 'q3'])
    await store.reviews.submit({
      id: sampleReview(1).id,
      reviewer: 'ann',
      outcome: '{}',
      note: null,
      at: 6,
      undoUntil: 16,
      label: sampleLabel(1, { questionId: 'q1' }),
      entry: sampleEntry({ texts: [] }),
      messages: [],
    })
    expect(await hidden(15)).toEqual(['q1', 'q3'])
    expect([await hiding('waiting', 15), await hiding('submitted', 15)]).toEqual([[items[2]], [items[0]]])
    expect(await hidden(16)).toEqual(['q3'])
    expect(await hiding('submitted', 16)).toEqual([])
  })

  describe('a settlement', () => {
    const question = { questionId: 'new', question: null, isSpotCheck: false }
    const certified = (round: number, runId: string) => ({
      runId,
      questionId: 'new',
      round,
      decisionId: sampleId(2000 + round),
      result: `{"round":${round}}`,
      at: 5,
      digests: null,
    })

    test('writes question, debate, ledger and the certified round, and a repetition writes nothing', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 1, live)
      const settlement = { question, decision: null, debate: sampleDebate('new'), entry: sampleEntry() }
      const first = await store.decisions.settle({ ...settlement, certified: certified(1, runId) })
      expect(first).toMatchObject({ kind: 'settled', row: { sequence: 1 } })
      expect(await store.runs.findQuestion(runId, 'new')).toMatchObject({ status: 'pending', position: 1 })
      const other = { ...certified(1, runId), result: '{}', decisionId: 'other' }
      const again = await store.decisions.settle({ ...settlement, certified: other })
      expect(again).toEqual({ kind: 'known', certified: [certified(1, runId)] })
      expect(await store.decisions.certifiedRounds(runId, 'new')).toEqual([certified(1, runId)])
      expect(await store.decisions.certifiedRounds(runId, 'q0')).toEqual([])
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
    })

    test('writes the decision with review item and messages, and later rounds of a sampled question keep it', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 1, live)
      const decision = sampleDecision(2, 'new', { kind: 'defer', reason: 'bound-low', answer: null })
      const review = sampleReview(2, { id: decision.id, questionId: 'new', distance: 0.25 })
      const debate = sampleDebate('new', { group: 'north' })
      const all = { question, decision, debate, entry: sampleEntry(), review, messages: [sampleMessage(1)] }
      await store.decisions.settle({ ...all, certified: certified(2, runId) })
      expect(await store.reviews.find(decision.id)).toEqual(review)
      expect(await store.outbox.find(sampleMessage(1).id)).toMatchObject({ attempts: 0 })
      expect(await store.runs.findQuestion(runId, 'new')).toMatchObject({ status: 'done' })
      const later = { question, decision: null, debate: sampleDebate('new', { rounds: 3 }), entry: sampleEntry() }
      await store.decisions.settle({ ...later, certified: certified(3, runId), knownRounds: 1 })
      expect(await store.debates.find(runId, 'new')).toMatchObject({ rounds: 3 })
      expect(await store.decisions.find(runId, 'new')).toEqual(decision)
      const listed = await store.debates.latest({ after: null, limit: 9, now: 1, filter: { kind: 'defer' } })
      expect(listed).toMatchObject([{ questionId: 'new', rounds: 3 }])
      const mixed = { ...all, review: sampleReview(3) }
      await expect(store.decisions.settle(mixed)).rejects.toMatchObject({ kind: 'invalid' })
      const twice = store.decisions.settle({ ...all, messages: [] })
      await expect(twice).rejects.toMatchObject({ kind: 'exists' })
    })

    test('of a late round keeps the longer debate, and lists it by its decision', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 1, live)
      const long = sampleDebate('new', { rounds: 3 })
      const reported = { ...question, question: '{"id":"new"}' }
      const settlement = { question: reported, decision: null, debate: long, entry: sampleEntry() }
      await store.decisions.settle({ ...settlement, certified: certified(3, runId) })
      const late = {
        question: reported,
        decision: null,
        debate: sampleDebate('new', { rounds: 2 }),
        entry: sampleEntry(),
      }
      expect(await store.decisions.settle({ ...late, certified: certified(2, runId) })).toMatchObject({ kind: 'known' })
      await store.decisions.settle({ ...late, certified: certified(2, runId), knownRounds: 1 })
      const deferral = { kind: 'defer', reason: 'suspended', answer: null, certificateId, isShadow: false } as const
      const decision = sampleDecision(2, 'new', deferral)
      const decided = { ...late, decision, debate: sampleDebate('new', { rounds: 1 }) }
      await store.decisions.settle({ ...decided, certified: certified(1, runId), knownRounds: 2 })
      const { group: _, ...kept } = long
      expect(await store.debates.find(runId, 'new')).toEqual(kept)
      const listed = await store.debates.latest({ after: null, limit: 9, now: 1, filter: { reason: 'suspended' } })
      expect(listed).toMatchObject([{ questionId: 'new', rounds: 3 }])
      expect(await store.monitor.counts(certificateId)).toMatchObject([{ reason: 'suspended', decided: 1, rounds: 3 }])
      expect((await store.decisions.certifiedRounds(runId, 'new')).map(({ round }) => round)).toEqual([1, 2, 3])
    })

    test('of one round by many processes at once is written once', async () => {
      const stores = await freshStores(fresh, 2)
      const [store] = stores
      if (store === undefined) throw new Error('no store')
      const { id: runId } = await createRun(store, 1, live)
      const settlement = { question, decision: null, debate: sampleDebate('new'), entry: sampleEntry() }
      const settled = await Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          stores[number % 2]?.decisions.settle({ ...settlement, certified: certified(1, runId) }),
        ),
      )
      expect(settled.filter((each) => each?.kind === 'settled').length).toBe(1)
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
    })
  })

  test('tokens are found by hash, have unique names, and are revoked with their sessions', async () => {
    const { tokens, sessions } = await freshStore(fresh)
    expect(await tokens.list({ after: null, limit: 9 })).toEqual([])
    await tokens.create(token(1))
    await expect(tokens.create({ ...token(2), name: 'name 1' })).rejects.toMatchObject({ kind: 'exists' })
    await expect(tokens.create({ ...token(2), hash: 'hash 1' })).rejects.toMatchObject({ kind: 'exists' })
    await tokens.create(token(2))
    expect(await tokens.find('hash 1')).toEqual(stored(1))
    expect(await tokens.find('hash 9')).toBeNull()
    expect(await tokens.findById(token(2).id)).toEqual(stored(2))
    await tokens.touch(token(1).id, 77)
    const session = { hash: 's', tokenId: token(1).id, createdAt: 1, expiresAt: 50 }
    await sessions.create(session)
    await expect(sessions.create({ ...session, hash: 't', tokenId: 'no' })).rejects.toMatchObject({ kind: 'missing' })
    expect(await sessions.find('s')).toEqual({ session, token: { ...stored(1), lastUsedAt: 77 } })
    expect(await tokens.revoke(token(1).id, 99)).toBe(true)
    expect(await tokens.revoke(token(1).id, 100)).toBe(false)
    expect(await sessions.find('s')).toBeNull()
    expect(await tokens.find('hash 1')).toEqual({ ...stored(1), lastUsedAt: 77, revokedAt: 99 })
    await tokens.create({ ...token(3), name: 'name 1' })
    const all = await allPages(
      (after, limit) => tokens.list({ after, limit }),
      ({ id }) => id,
    )
    expect(all.map(({ name }) => name)).toEqual(['name 1', 'name 2', 'name 1'])
    expect((await tokens.list({ after: null, limit: 9 })).length).toBe(3)
    const other = { ...session, tokenId: token(2).id }
    await sessions.create(other)
    expect(await sessions.remove('s')).toBe(true)
    expect(await sessions.remove('s')).toBe(false)
  })

  describe('the outbox', () => {
    test('leases due messages to one process at a time, and again after the lease, until they are delivered', async () => {
      const stores = await freshStores(fresh, 2)
      const [store] = stores
      if (store === undefined) throw new Error('no store')
      const messages = Array.from({ length: 20 }, (_, number) => sampleMessage(number, { notBefore: 100 }))
      await store.outbox.add(messages)
      expect(await store.outbox.nextAt()).toBe(100)
      expect(await store.outbox.due({ now: 99, limit: 50, leaseMs: 10 })).toEqual([])
      const claims = await Promise.all(
        Array.from({ length: 6 }, (_, number) => stores[number % 2]?.outbox.due({ now: 100, limit: 4, leaseMs: 10 })),
      )
      const ids = claims.flatMap((claim) => claim?.map(({ id }) => id) ?? [])
      expect(new Set(ids).size).toBe(ids.length)
      await store.outbox.due({ now: 100, limit: 50, leaseMs: 10 })
      expect(await store.outbox.due({ now: 109, limit: 50, leaseMs: 10 })).toEqual([])
      const again = await store.outbox.due({ now: 110, limit: 50, leaseMs: 10 })
      expect(again.length).toBe(20)
      expect(again[0]).toMatchObject({ ...sampleMessage(0, { notBefore: 100 }), attempts: 2, nextAt: 120 })
    })

    test('stops messages that were delivered, cancelled or given up, and records why', async () => {
      const store = await freshStore(fresh)
      const { outbox } = store
      await outbox.add([1, 2, 3, 4].map((number) => sampleMessage(number)))
      const [first, second, third, fourth] = await outbox.due({ now: 100, limit: 9, leaseMs: 10 })
      await outbox.delivered(first?.id ?? '', 101)
      await outbox.failed(second?.id ?? '', { error: 'bad gateway\0', nextAt: 500 })
      await outbox.failed(third?.id ?? '', { error: 'gone', nextAt: null })
      expect(await cancelMessage(store, fourth?.id ?? '')).toBe(true)
      expect(await cancelMessage(store, fourth?.id ?? '')).toBe(false)
      // This process had lost its lease to the one that delivered the message.
      await outbox.failed(first?.id ?? '', { error: 'late', nextAt: 200 })
      expect(await outbox.find(first?.id ?? '')).toMatchObject({ deliveredAt: 101, nextAt: null, lastError: null })
      expect(await outbox.find(second?.id ?? '')).toMatchObject({ lastError: 'bad gateway\ufffd', nextAt: 500 })
      expect(await outbox.counts()).toEqual({ pending: 1, failed: 2 })
      expect((await outbox.due({ now: 9999, limit: 9, leaseMs: 1 })).map(({ id }) => id)).toEqual([second?.id])
    })

    test('leases messages of one target or of all others, those of an urgent event first', async () => {
      const { outbox } = await freshStore(fresh)
      const places = [
        ['a', 'decision.acted'],
        ['b', 'decision.acted'],
        ['a', 'decision.acted'],
        ['a', 'policy.suspended'],
      ] as const
      const messages = places.map(([target, event], at) => sampleMessage(at, { target, event, notBefore: 20 + at }))
      await outbox.add(messages)
      const ids = messages.map(({ id }) => id)
      expect([await outbox.nextAt({ only: 'b' }), await outbox.nextAt({ except: ['a', 'b'] })]).toEqual([21, null])
      expect(await outbox.nextAt({ except: [] })).toBe(20)
      const due = async (claim: object) =>
        (await outbox.due({ now: 100, limit: 2, leaseMs: 10, ...claim })).map(({ id }) => id)
      expect(await due({ targets: { only: 'a' }, first: 'policy.suspended' })).toEqual([ids[3], ids[0]])
      expect(await due({ targets: { except: ['a'] }, first: 'policy.suspended' })).toEqual([ids[1]])
      expect(await due({ targets: { only: 'c' } })).toEqual([])
      expect(await due({ targets: { except: [] } })).toEqual([ids[2]])
    })
  })

  test('policy events are chained, listed latest first, and not duplicated by two processes', async () => {
    const stores = await freshStores(fresh, 2)
    const [store] = stores
    if (store === undefined) throw new Error('no store')
    await createRun(store, 3, live)
    const change = (number: number, kind: PolicyEvent['kind']) => ({
      event: { ...event, certificateId, id: sampleId(number), kind },
      entry: sampleEntry({ runId: POLICY_CHAIN, kind, texts: [] }),
      messages: [sampleMessage(number, { event: 'policy.suspended' })],
    })
    const suspensions = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        stores[number % 2]?.policy.append({ ...change(number, 'suspend'), unless: 'suspended' }),
      ),
    )
    expect(suspensions.filter((found) => found !== null).length).toBe(1)
    expect(suspensions.find((found) => found !== null)).toMatchObject({ event: { arrival: 3 }, row: { sequence: 1 } })
    await store.policy.append(change(8, 'release'))
    expect(await store.policy.currentSuspension()).toBeNull()
    expect(await store.policy.append({ ...change(7, 'release'), unless: 'not-suspended' })).toBeNull()
    // Written by a process whose clock is behind.
    await store.policy.append(change(0, 'suspend'))
    const list = await store.policy.list({ before: null, limit: 2 })
    expect(list).toEqual([
      { ...event, certificateId, id: sampleId(0), kind: 'suspend', sequence: 3, arrival: 3 },
      { ...event, certificateId, id: sampleId(8), kind: 'release', sequence: 2, arrival: 3 },
    ])
    expect(await store.policy.currentSuspension(), 'the order is that of the commits, not of ids').toEqual(list[0])
    await store.policy.append(change(9, 'suspend'))
    expect(await store.policy.currentSuspension(), 'a later one does not replace its reason').toEqual(list[0])
    expect((await store.policy.list({ before: 2, limit: 9 })).length).toBe(1)
    expect((await store.policy.list({ before: null, limit: 9, kind: 'suspend' })).length).toBe(3)
    expect(await store.ledger.head(POLICY_CHAIN)).toMatchObject({ sequence: 4 })
    expect((await store.outbox.due({ now: 1e13, limit: 9, leaseMs: 1 })).length).toBe(4)
  })

  describe('the commit of an action', () => {
    const act = (number: number, change: Partial<StoredDecision> = {}): Settlement => {
      const questionId = `q${number}`
      const decision = sampleDecision(number, questionId, { isShadow: false, ...change })
      return { decision, debate: sampleDebate(questionId), entry: sampleEntry({ texts: [] }) }
    }
    const change = (number: number, kind: PolicyEvent['kind']) => ({
      event: { ...event, certificateId, id: sampleId(number), kind },
      entry: sampleEntry({ runId: POLICY_CHAIN, kind, texts: [] }),
      messages: [],
    })

    test('refuses a certificate that was not activated, unless the operator chose it or the run is a shadow', async () => {
      const store = await freshStore(fresh)
      await createRun(store, 5, live)
      await expect(store.decisions.settle(act(0))).rejects.toMatchObject({
        kind: 'invalid',
        message: expect.stringMatching(/expected a certificate that a person activated, got cert/),
      })
      expect(await store.decisions.find(sampleId(1), 'q0'), 'nothing is written').toBeNull()
      expect((await store.decisions.settle(act(0, { kind: 'defer', reason: 'bound-low' }))).kind).toBe('settled')
      expect((await store.decisions.settle(act(1, { isShadow: true }))).kind).toBe('settled')
      expect((await store.decisions.settle({ ...act(2), isOperatorsChoice: true })).kind).toBe('settled')
      await store.policy.append(change(9, 'activate'))
      expect((await store.decisions.settle(act(3))).kind).toBe('settled')
    })

    test('writes nothing while the policy is suspended, even if the operator chose the certificate', async () => {
      const store = await freshStore(fresh)
      await createRun(store, 5, live)
      await store.policy.append(change(9, 'activate'))
      await store.policy.append(change(8, 'suspend'))
      const current = await store.policy.currentSuspension()
      for (const settlement of [act(0), { ...act(0), isOperatorsChoice: true }]) {
        expect(await store.decisions.settle(settlement)).toEqual({ kind: 'suspended', suspension: current })
      }
      expect(await store.decisions.find(sampleId(1), 'q0')).toBeNull()
      expect((await store.decisions.settle(act(0, { kind: 'defer', reason: 'suspended' }))).kind).toBe('settled')
      await store.policy.append(change(7, 'release'))
      expect((await store.decisions.settle(act(1))).kind).toBe('settled')
    })

    test('never follows that of a suspension, however they interleave', async () => {
      const [one, two] = await freshStores(fresh, 2)
      if (one === undefined || two === undefined) throw new Error('no store')
      await createRun(one, 120, live)
      await one.policy.append(change(9, 'activate'))
      const acted = async () => (await two.decisions.counts(sampleId(1))).find(({ kind }) => kind === 'act')?.count ?? 0
      const settled: Promise<unknown>[] = []
      for (let number = 0; number < 60; number++) settled.push((number % 2 ? one : two).decisions.settle(act(number)))
      await settled[5]
      const suspending = two.policy.append({ ...change(8, 'suspend'), unless: 'suspended' })
      for (let number = 60; number < 120; number++) settled.push((number % 2 ? one : two).decisions.settle(act(number)))
      await suspending
      const before = await acted()
      const ends = await Promise.all(settled)
      expect(before).toBeGreaterThan(0)
      expect(await acted()).toBe(before)
      expect(ends.filter((end) => (end as { kind: string }).kind === 'suspended').length).toBe(120 - before)
    })
  })

  test('pruning erases old texts in their own runs only, and deletes ended messages and expired sessions', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store, 120)
    await createRun(store, 1, { id: sampleId(2) })
    for (let number = 0; number < 119; number++) await store.debates.save(sampleDebate(`q${number}`, { at: 100 }))
    await store.debates.save(sampleDebate('q119', { at: 200 }))
    await store.debates.save(sampleDebate('q0', { runId: sampleId(2), at: 300 }))
    await store.ledger.append(sampleEntry())
    await store.outbox.add([sampleMessage(1), sampleMessage(2)])
    await store.outbox.delivered(sampleMessage(1).id, 5)
    await store.tokens.create(token(1))
    await store.sessions.create({ hash: 'over', tokenId: token(1).id, createdAt: 1, expiresAt: 1000 })
    await store.sessions.create({ hash: 'open', tokenId: token(1).id, createdAt: 1, expiresAt: 1001 })
    const pruned = await store.prune({ before: 200, now: 1000 })
    expect(pruned).toEqual({ erased: 2 * 119 + 1, messages: 1, sessions: 1 })
    expect((await store.debates.find(runId, 'q7'))?.debate).not.toContain('secret')
    expect((await store.debates.find(runId, 'q119'))?.debate).toContain('secret')
    expect((await store.debates.find(sampleId(2), 'q0'))?.debate).toContain('secret')
    expect(await store.runs.findQuestion(sampleId(2), 'q0')).toMatchObject({ question: expect.any(String) })
    expect(await store.runs.findQuestion(runId, 'q0')).toMatchObject({ question: null })
    expect(await store.outbox.find(sampleMessage(2).id)).not.toBeNull()
    expect(await store.sessions.find('open')).not.toBeNull()
    expect(await store.prune({ before: 200, now: 1000 })).toEqual({ erased: 0, messages: 0, sessions: 0 })
    // Later writes about an erased question are stored without texts.
    await store.debates.save(sampleDebate('q7', { at: 150 }))
    expect((await store.debates.find(runId, 'q7'))?.debate).not.toContain('secret')
  })
}

const event: Omit<PolicyEvent, 'sequence' | 'arrival'> = {
  id: '',
  kind: 'suspend',
  cause: 'monitor',
  certificateId: null,
  by: null,
  note: 'too often\0 wrong',
  at: 5,
}

function token(number: number): Omit<StoredToken, 'revokedAt' | 'lastUsedAt'> {
  const about = { role: 'reviewer', kind: 'human', createdAt: 1, expiresAt: null, madeBy: null } as const
  return { id: sampleId(6000 + number), name: `name ${number}`, hash: `hash ${number}`, ...about }
}

function stored(number: number): StoredToken {
  return { ...token(number), revokedAt: null, lastUsedAt: null }
}

function deferral(number: number, reason: DeferReason) {
  return sampleDecision(number, `q${number}`, { kind: 'defer', reason, answer: null })
}

/** Five debates in two runs: an act, two deferrals, an act, and one that was only debated. */
async function fill(store: Store): Promise<void> {
  await createRun(store, 4)
  await createRun(store, 1, { id: sampleId(2) })
  const at = (number: number) => ({ at: 10 + number })
  await saveDecision(store, sampleDecision(0, 'q0'), sampleDebate('q0', at(0)), sampleEntry())
  const grouped = sampleDebate('q1', { ...at(1), group: 'north' })
  await saveDecision(store, deferral(1, 'bound-low'), grouped, sampleEntry())
  const failed = sampleDebate('q2', { ...at(2), status: 'agent-failure' })
  await saveDecision(store, deferral(2, 'agent-failure'), failed, sampleEntry())
  const inJson = { debate: JSON.stringify({ id: 'q3', group: 'north', options: [], rounds: [] }), ...at(3) }
  await saveDecision(store, sampleDecision(3, 'q3'), sampleDebate('q3', inJson), sampleEntry())
  await store.debates.save(sampleDebate('q0', { runId: sampleId(2), ...at(4) }))
}
