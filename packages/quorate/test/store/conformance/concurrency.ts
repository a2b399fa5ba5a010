import { expect, test } from 'vitest'
import { addReview, saveDecision } from '../rows.ts'
import {
  createRun,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleOutcome,
  sampleReview,
} from '../samples.ts'
import { type Fresh, freshStores } from './harness.ts'

const REFUSAL = { kind: 'exists' }

export function concurrencyConformance(fresh: Fresh): void {
  test('if two stores open the same calls at once, each call is opened by one of them', async () => {
    const [one, two] = await freshStores(fresh, 2)
    if (one === undefined || two === undefined) throw new Error('no store')
    await createRun(one)
    const opened = await Promise.allSettled(
      Array.from({ length: 60 }, (_, number) => {
        const id = sampleId(1000 + number)
        return (number % 2 === 0 ? one : two).calls.open(sampleIntent(number, { id, attempt: number >> 1 }))
      }),
    )
    expect(opened.filter(({ status }) => status === 'fulfilled').length).toBe(30)
    for (const result of opened) if (result.status === 'rejected') expect(result.reason).toMatchObject(REFUSAL)
    expect((await two.calls.spend(sampleId(1))).calls.open).toBe(30)
  })

  test('if two stores close or lose the same call, or claim the same review at once, one of them succeeds', async () => {
    const [one, two] = await freshStores(fresh, 2)
    if (one === undefined || two === undefined) throw new Error('no store')
    const { id: runId } = await createRun(one)
    for (const number of [1, 2]) await one.calls.open(sampleIntent(number))
    const closed = await Promise.all(
      [one, two, one, two].map((store) => store.calls.close(sampleIntent(1), 'answered', sampleOutcome())),
    )
    expect(closed.filter(Boolean).length).toBe(1)
    const [lost, answered] = await Promise.all([
      two.calls.takeOver(runId, 'second', 5),
      one.calls.close(sampleIntent(2), 'answered', sampleOutcome()),
    ])
    expect([lost, answered]).toEqual(answered ? [0, true] : [1, false])
    await addReview(one, sampleReview(1))
    const waiting = { status: 'waiting', claimedBy: null, claimedUntil: null } as const
    const taken = await Promise.all(
      [one, two].map((store, at) => store.reviews.update(sampleReview(1).id, waiting, { claimedBy: `p${at}` })),
    )
    expect(taken.filter(Boolean).length).toBe(1)
  })

  test('if two stores decide the same questions at once, each is decided once, with one ledger row', async () => {
    const [one, two] = await freshStores(fresh, 2)
    if (one === undefined || two === undefined) throw new Error('no store')
    const { id: runId } = await createRun(one, 10)
    const saved = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => {
        const question = `q${number >> 1}`
        const store = number % 2 === 0 ? one : two
        return saveDecision(store, sampleDecision(number, question), sampleDebate(question), sampleEntry())
      }),
    )
    expect(saved.filter(({ status }) => status === 'fulfilled').length).toBe(10)
    for (const result of saved) if (result.status === 'rejected') expect(result.reason).toMatchObject(REFUSAL)
    expect(await two.ledger.head(runId)).toMatchObject({ sequence: 10 })
    expect(await two.runs.counts(runId)).toMatchObject({ done: 10, pending: 0 })
  })

  test('another store sees a resolved write immediately, and so does one that is opened later', async () => {
    const open = await fresh()
    const one = await open()
    const two = await open()
    const run = await createRun(one)
    expect(await two.runs.find(run.id)).toEqual(run)
    await one.close()
    await two.close()
    await two.close()
    await expect(two.runs.find(run.id)).rejects.toMatchObject({ kind: 'closed' })
    await expect(two.runs.finish(run.id)).rejects.toMatchObject({ kind: 'closed' })
    const three = await open()
    expect(await three.runs.find(run.id)).toEqual(run)
    await three.close()
  })

  test('a failed write does not affect concurrent ones', async () => {
    const [store] = await freshStores(fresh, 1)
    if (store === undefined) throw new Error('no store')
    const { id: runId } = await createRun(store)
    const results = await Promise.allSettled([
      store.calls.open(sampleIntent(1)),
      store.calls.open(sampleIntent(2, { runId: 'none' })),
      store.ledger.append(sampleEntry({ body: { value: Number.NaN } })),
      saveDecision(store, sampleDecision(1, 'none'), sampleDebate('none'), sampleEntry()),
      store.calls.open(sampleIntent(3)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    expect((await store.calls.list(runId, { after: null, limit: 9 })).map(({ attempt }) => attempt)).toEqual([1, 3])
  })
}
