import { loadCertificate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { certificateViewSchema, madeCertificateViewSchema } from '../../../../src/contract/certificates.ts'
import { debateViewSchema } from '../../../../src/contract/debates.ts'
import { auditSchema, evaluationSchema, operatingPointSchema } from '../../../../src/contract/operating-point.ts'
import { importDebates } from '../../../../src/run/exchange/import-debates.ts'
import { createGathering } from '../../../../src/server/deciding/studies/gathering.ts'
import { gatherDebates } from '../../../../src/server/deciding/studies/stored-debates.ts'
import { POLICY_CHAIN } from '../../../../src/store/decisions/policy-events.ts'
import { nextOf } from '../../../review/review-fixture.ts'
import { each, memoryStore } from '../../../run/run-world.ts'
import { saveDecision } from '../../../store/rows.ts'
import { sampleDebate, sampleDecision, sampleEntry, sampleLabel, sampleRun } from '../../../store/samples.ts'
import { verifyChain } from '../../../store/verify-chain.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, serveWorld } from '../world.ts'

const ASKED = { who: ANN, idempotencyKey: null }
const PAGE = { limit: 50 }
const LOOK = { who: ANN, isRevealed: false }

function jsonl(rows: readonly unknown[]): ReadableStream<Uint8Array> {
  return new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]).stream()
}

/** The debates that the certificate was calibrated on, imported, so that the store has all of them. */
async function storeWithCalibration() {
  const store = memoryStore()
  const { debates } = await calibrated()
  let count = 0
  const rows = () => each(debates.map((value, index) => ({ value, place: `line ${index + 1}` })))
  await importDebates(store, rows, { where: 'test', now: () => ++count, newId: () => `import ${++count}` })
  return store
}

describe('certificates', () => {
  test('are made from debates in JSONL; debates without a label are dropped and counted', async () => {
    const { services } = await serveWorld()
    const { debates } = await calibrated()
    const rows = debates.map((debate, index) => (index < 3 ? { ...debate, gold: null } : debate))
    const made = await services.certificates.make({ beta: 0.3 }, jsonl(rows), ANN)
    expect(madeCertificateViewSchema.parse(made)).toEqual(made)
    expect(made).toMatchObject({ labels: debates.length - 3, isActive: false, dropped: { unlabelled: 3 } })
    expect(made.budget.beta).toBe(0.3)
    const { items } = await services.certificates.list(PAGE)
    expect(items.map(({ id }) => id)).toContain(made.id)
    const view = await services.certificates.find(made.id)
    expect(certificateViewSchema.parse(view)).toMatchObject({ id: made.id, decisions: { acted: null } })
    expect(await services.certificates.find('none')).toBeNull()
    const first = await services.certificates.list({ limit: 1 })
    const second = await services.certificates.list({ limit: 1, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort())
  })

  test('are refused from labels of deferrals, also when only the store knows that they are', async () => {
    const { services, store } = await serveWorld()
    const { debates } = await calibrated()
    const marked = debates.map((debate, index) => (index === 0 ? { ...debate, source: 'deferral' } : debate))
    await expect(services.certificates.make({}, jsonl(marked), ANN)).rejects.toMatchObject({ parts: { status: 422 } })
    const questionId = debates[5]?.id ?? ''
    await store.labels.addAll([{ id: 'l1', runId: null, questionId, gold: 'A', source: 'deferral', by: 'ann', at: 1 }])
    await expect(services.certificates.make({}, jsonl(debates), ANN)).rejects.toThrow(/deferral/)
    // Neither a source in the file nor a later label of another run overrides that.
    const claimed = debates.map((debate) => ({ ...debate, source: 'spot-check' }))
    await expect(services.certificates.make({}, jsonl(claimed), ANN)).rejects.toThrow(/deferral/)
  })

  test('are refused from labels of deferrals in one run, whatever another run says later', async () => {
    const { services, store } = await serveWorld()
    const { debates } = await calibrated()
    const about = { questionId: debates[5]?.id ?? '', gold: 'A', by: 'ann', at: 1 } as const
    const run = { ...sampleRun(), kind: 'decide' } as const
    await store.runs.create(run, [])
    await store.labels.addAll([{ ...about, id: 'l1', runId: run.id, source: 'deferral' }])
    await store.labels.addAll([{ ...about, id: 'l2', runId: 'another', source: 'spot-check' }])
    await expect(services.certificates.make({}, jsonl(debates), ANN)).rejects.toThrow(/deferral/)
    // Importing the labels again does not help either.
    await store.labels.addAll([{ ...about, id: 'l3', runId: null, source: 'import' }])
    await expect(services.certificates.make({}, jsonl(debates), ANN)).rejects.toThrow(/deferral/)
  })

  test('depend on sampling and not on labels: a decided question that was not sampled is refused, a sampled one is not', async () => {
    const { services, store } = await serveWorld()
    const { debates } = await calibrated()
    const [sampled, unsampled] = [debates[5]?.id ?? '', debates[6]?.id ?? '']
    const rows = [sampled, unsampled].map((questionId, position) => ({
      questionId,
      position,
      question: null,
      isSpotCheck: questionId === sampled,
    }))
    await store.runs.create({ ...sampleRun(), kind: 'decide' }, rows)
    const label = { gold: 'A', by: null, at: 1, runId: null, source: 'import' } as const
    for (const questionId of [sampled, unsampled]) await store.labels.addAll([{ ...label, id: questionId, questionId }])
    await expect(services.certificates.make({}, jsonl(debates), ANN)).rejects.toThrow(/1 of 200 rows is the label/)
    const others = debates.filter(({ id }) => id !== unsampled)
    expect(await services.certificates.make({}, jsonl(others), ANN)).toMatchObject({ labels: 199 })
    // The row is left out if the file itself marks it as not sampled, as an export does.
    const marked = debates.map((debate) => (debate.id === unsampled ? { ...debate, isSpotCheck: false } : debate))
    const made = await services.certificates.make({}, jsonl(marked), ANN)
    expect(made).toMatchObject({ labels: 199, dropped: { unsampled: 1 } })
  })

  test('count debates that nobody could judge as wrong, and refuse rows that hide it', async () => {
    const { services, store } = await serveWorld()
    const { debates } = await calibrated()
    const open = debates.map((debate, at) => (at < 3 ? { ...debate, gold: null } : debate))
    const announced = open.map((debate, at) => (at === 0 ? { ...debate, verdict: 'bad-question' } : debate))
    const made = await services.certificates.make({}, jsonl(announced), ANN)
    expect(made).toMatchObject({ labels: 198, dropped: { unlabelled: 2 }, reading: { unjudged: 1 } })
    const label = { gold: null, verdict: 'cannot-tell', by: 'ann', at: 1, runId: null, source: 'spot-check' } as const
    await store.labels.addAll([{ ...label, id: 'l1', questionId: debates[1]?.id ?? '' }])
    await expect(services.certificates.make({}, jsonl(announced), ANN)).rejects.toMatchObject({
      parts: { status: 422, detail: expect.stringMatching(/^line 2 has no label, .* counts as wrong/) },
    })
  })

  test('an unreadable row is refused with its line number', async () => {
    const { services } = await serveWorld()
    const body = new Blob(['{"id": "q1"}\nno json\n']).stream()
    await expect(services.certificates.make({}, body, ANN)).rejects.toThrow(/line 2/)
  })
})

describe('debates', () => {
  test('show their turns, what they were compared with, and their row in the ledger', async () => {
    const { certified } = await calibrated()
    const { services, store } = await serveWorld()
    const [question] = FRESH
    if (question === undefined) throw new Error('no question')
    const asked = await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const view = await services.debates.find(asked.runId, question.id, LOOK)
    expect(debateViewSchema.parse(view)).toEqual(view)
    expect(view).toMatchObject({ question: question.question, verdict: asked.decision, certificate: certified.id })
    expect(view?.turns).toHaveLength(asked.rounds ?? -1)
    expect(view?.compared.kind).toBe('cells')
    const rows = await store.ledger.list(asked.runId, { after: (view?.ledger?.sequence ?? 0) - 1, limit: 1 })
    expect(rows[0]?.hash).toBe(view?.ledger?.hash)
    expect(JSON.parse(rows[0]?.line ?? '{}').body.id).toBe(asked.id)
    expect(await services.debates.find(asked.runId, 'none', LOOK)).toBeNull()
  })

  test('show the best bound of all rounds with its round, and the author of the label', async () => {
    const { services } = await serveWorld({ plan: { spotCheckRate: 1 }, tools: { undoMs: 0 } })
    for (const question of FRESH.slice(0, 10)) {
      await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    }
    for (;;) {
      const { item } = await nextOf(services.reviews, ANN)
      if (item === null) break
      const option = item.options[0]?.name ?? ''
      await services.reviews.submit(item.id, ANN, { outcome: { kind: 'option', option } })
    }
    const { items } = await services.debates.list({ limit: 50 }, ANN)
    const deferred = items.filter(({ kind, bound }) => kind === 'defer' && bound !== null)
    expect(deferred.length).toBeGreaterThan(0)
    for (const row of items) {
      const view = await services.debates.find(row.runId, row.questionId, LOOK)
      const lowers = view?.verdict?.path.flatMap(({ lower }) => lower ?? []) ?? []
      const best = row.kind === 'act' ? view?.verdict?.bound : lowers.length === 0 ? null : Math.max(...lowers)
      expect(row.bound).toBe(best)
      const step = view?.verdict?.path.find(({ round }) => round === row.boundRound)
      expect(step?.lower ?? null).toBe(row.bound)
      expect(view?.label).toMatchObject({ by: 'ann', source: 'spot-check', gold: row.gold })
    }
  })

  test('hide what was answered and decided while a blind item is about them, from the list, its filters and the page', async () => {
    const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 } })
    const [question] = FRESH
    if (question === undefined) throw new Error('no question')
    const { runId, reviewId } = await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const nothing = {
      kind: null,
      answer: null,
      reason: null,
      bound: null,
      threshold: null,
      isSpotCheck: null,
      gold: null,
    }
    const find = (look = LOOK) => services.debates.find(runId, question.id, look)
    const hidden = async () => {
      expect((await services.debates.list(PAGE, ANN)).items).toMatchObject([{ isHidden: true, ...nothing }])
      for (const filter of [
        { sampled: 'true' },
        { sampled: 'false' },
        { kind: 'act' },
        { kind: 'defer' },
        { status: 'done' },
      ] as const) {
        expect((await services.debates.list({ ...PAGE, ...filter }, ANN)).items).toEqual([])
      }
      const view = await find()
      expect(debateViewSchema.parse(view)).toEqual(view)
      expect(view).toMatchObject({ isHidden: true, ...nothing, turns: [], verdict: null, ledger: null })
      expect(view?.question).toBe(question.question)
    }
    await hidden()
    await nextOf(services.reviews, ANN)
    await hidden()
    const reviewer = { ...ANN, role: 'reviewer' as const }
    await expect(find({ who: reviewer, isRevealed: true })).rejects.toMatchObject({ parts: { status: 403 } })
    expect(await find({ who: ANN, isRevealed: true })).toMatchObject({ isHidden: true, turns: expect.any(Array) })
    const rows = await store.ledger.list(runId, { after: 0, limit: 99 })
    const kinds = rows.map(({ line }) => JSON.parse(line).kind)
    expect(kinds.filter((kind) => kind === 'blind-revealed')).toHaveLength(1)
    expect(verifyChain(rows)).toMatchObject({ kind: 'whole' })
    await services.reviews.submit(reviewId ?? '', ANN, { outcome: { kind: 'cannot-tell' } })
    await hidden()
  })

  test('show what was hidden once the review is final', async () => {
    const { services } = await serveWorld({ plan: { spotCheckRate: 1 }, tools: { undoMs: 0 } })
    const [question] = FRESH
    if (question === undefined) throw new Error('no question')
    const { runId } = await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const { item } = await nextOf(services.reviews, ANN)
    await services.reviews.submit(item?.id ?? '', ANN, { outcome: { kind: 'cannot-tell' } })
    const view = await services.debates.find(runId, question.id, LOOK)
    expect(view).toMatchObject({ isHidden: false, isSpotCheck: true, kind: expect.any(String) })
    expect((await services.debates.list({ ...PAGE, sampled: 'true' }, ANN)).items).toHaveLength(1)
  })

  test('are listed latest first, page by page, filtered by their outcome', async () => {
    const { services } = await serveWorld()
    const { debates } = await calibrated()
    for (const [index, debate] of debates.slice(0, 12).entries()) {
      await services.certify(certifyInput(debate, 4, { id: `listed ${index}` }), ANN)
    }
    const whole = await services.debates.list(PAGE, ANN)
    expect(whole.items.map(({ questionId }) => questionId)).toEqual(
      Array.from({ length: 12 }, (_, index) => `listed ${11 - index}`),
    )
    const first = await services.debates.list({ limit: 5 }, ANN)
    const rest = await services.debates.list({ limit: 50, cursor: first.next ?? '' }, ANN)
    expect([...first.items, ...rest.items]).toEqual(whole.items)
    const acted = await services.debates.list({ ...PAGE, kind: 'act' }, ANN)
    expect(acted.items).toEqual(whole.items.filter(({ kind }) => kind === 'act'))
    await expect(services.debates.list({ limit: 5, cursor: 'nonsense' }, ANN)).rejects.toMatchObject({
      parts: { status: 400 },
    })
  })
})

describe('studies of stored debates', () => {
  test('the operating point has no text and none of the certificate’s rows, which come apart', async () => {
    const store = await storeWithCalibration()
    const { services } = await serveWorld({ store, plan: { spotCheckRate: 1 } })
    const [question] = FRESH
    if (question === undefined) throw new Error('no question')
    await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const point = await services.operatingPoint({ hidesBlind: false })
    const hiding = await services.operatingPoint({ hidesBlind: true })
    // It is computed once, however often it is requested.
    expect(await services.operatingPoint({ hidesBlind: false })).toBe(point)
    expect(await services.operatingPoint({ hidesBlind: true })).toBe(hiding)
    expect(hiding).toMatchObject({ debates: { ids: [] }, leftOut: { hidden: 1, calibration: 200 } })
    expect(operatingPointSchema.parse(JSON.parse(JSON.stringify(point)))).toMatchObject({
      debates: { ids: [question.id] },
    })
    expect(point.calibration?.ids).toHaveLength(200)
    expect(point.leftOut.calibration).toBe(200)
    expect(JSON.stringify(point.debates)).not.toContain(question.question)
    const { certified } = await calibrated()
    expect(loadCertificate(JSON.stringify(point.certificate)).ids).toEqual(certified.certificate.ids)
  })

  test('a spot check that failed is a deferral, and one that stopped after the action has an unknown outcome', async () => {
    const { services, store } = await serveWorld()
    const { id: certificateId } = (await calibrated()).certified
    const ids = ['q0', 'q1', 'q2', 'q3'] as const
    const run = { ...sampleRun(), kind: 'decide', certificateId } as const
    const rows = ids.map((questionId, position) => ({
      questionId,
      position,
      question: null,
      isSpotCheck: position < 3,
    }))
    await store.runs.create(run, rows)
    for (const [at, questionId] of ids.entries()) {
      const isActed = questionId === 'q1'
      const debate = sampleDebate(questionId, { status: isActed ? 'done' : 'agent-failure' })
      const change = isActed ? {} : ({ kind: 'defer', reason: 'agent-failure', answer: null } as const)
      await saveDecision(store, sampleDecision(at, questionId, change), debate, sampleEntry())
    }
    const point = await services.operatingPoint({ hidesBlind: false })
    expect(point).toMatchObject({ unfinished: { short: 1, failed: 2 }, leftOut: { stoppedEarly: 1, otherPanel: 0 } })
  })

  test('evaluation and audit read imported debates and are computed once for the same debates', async () => {
    const { services } = await serveWorld({ store: await storeWithCalibration() })
    const evaluation = await services.evaluate({})
    expect(evaluationSchema.parse(evaluation)).toEqual(evaluation)
    expect(evaluation).toMatchObject({ debates: 200, beta: 0.2 })
    expect(evaluation.policies.some(({ isOurs }) => isOurs)).toBe(true)
    expect(await services.evaluate({})).toBe(evaluation)
    const audit = await services.audit()
    expect(auditSchema.parse(audit)).toMatchObject({ missing: null })
    expect(await services.audit()).toBe(audit)
  })

  test('evaluation, audit and calibration end with the server', async () => {
    const store = await storeWithCalibration()
    const world = await serveWorld({ store })
    const ending = expect(Promise.allSettled([world.services.evaluate({}), world.services.audit()])).resolves.toEqual([
      { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('shutting down') }) },
      { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('shutting down') }) },
    ])
    world.kill()
    await ending
  })

  test('the latest debates are gathered in order of arrival; older ones beyond the most are counted', async () => {
    const store = memoryStore()
    const { certified, debates } = await calibrated()
    const { services } = await serveWorld({ store, certified })
    // The order of the ids differs from their order of arrival.
    const ids = debates.slice(0, 12).map((_, at) => `asked ${(at * 5) % 12}`)
    for (const [at, debate] of debates.slice(0, 12).entries()) {
      await services.certify(certifyInput(debate, 4, { id: ids[at] ?? '' }), ANN)
    }
    const idsOf = async (most?: number) => {
      const gathered = await gatherDebates(store, certified, most)
      return { ids: gathered.debates.map(({ value }) => value.id), tooMany: gathered.leftOut.tooMany }
    }
    expect(await idsOf()).toEqual({ ids, tooMany: 0 })
    expect(await idsOf(5)).toEqual({ ids: ids.slice(7), tooMany: 7 })
  })

  test('debates are gathered once for all callers until something is stored', async () => {
    const store = memoryStore()
    const { certified, debates } = await calibrated()
    const { services } = await serveWorld({ store, certified })
    const certify = async (at: number) => {
      const debate = debates[at]
      if (debate !== undefined) await services.certify(certifyInput(debate, 4), ANN)
    }
    let time = 0
    const gather = createGathering({ store, now: () => time })
    await certify(0)
    const [first, same] = await Promise.all([gather(certified), gather(certified)])
    expect(same).toBe(first)
    expect(await gather(certified)).toBe(first)
    await certify(1)
    time += 1
    const next = await gather(certified)
    expect(next.debates).toHaveLength(2)
    await store.labels.addAll([sampleLabel(1, { questionId: 'asked', source: 'import' })])
    expect(await gather(certified)).not.toBe(next)
  })

  test('without labelled debates they say what is missing', async () => {
    const { services } = await serveWorld()
    expect(await services.audit()).toMatchObject({ audit: null })
    expect((await services.audit()).missing).toContain('labelled debates')
    expect(await services.evaluate({})).toMatchObject({ policies: [] })
  })
})

test('labels and ledgers are listed page by page', async () => {
  const { services } = await serveWorld({ plan: { spotCheckRate: 1 } })
  for (const question of FRESH.slice(0, 3)) {
    await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const { item } = await nextOf(services.reviews, ANN)
    await services.reviews.submit(item?.id ?? '', ANN, {
      outcome: { kind: 'option', option: item?.options[0]?.name ?? '' },
    })
  }
  const labels = await services.labels.list({ limit: 2 })
  const more = await services.labels.list({ limit: 2, cursor: labels.next ?? '' })
  expect([labels.items.length, more.items.length, more.next]).toEqual([2, 1, null])
  const chain = await services.ledger.list({ run: POLICY_CHAIN, limit: 10 })
  expect(chain.items.map(({ line }) => line['kind'])).toEqual(['activate'])
})
