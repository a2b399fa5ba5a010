import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { CallPlace, Spend, Store, StoredCall } from '../../../src/store/store.ts'
import { answeredCall, attemptsAt, cachedCall } from '../rows.ts'
import { createRun, REFUSED, sampleId, sampleIntent, sampleOutcome } from '../samples.ts'
import { allPages, type Fresh, freshStore } from './harness.ts'

const PLACE: CallPlace = { questionId: 'q0', agent: 'ann', round: 1, repeat: 0, isReminder: false }
const OPEN = {
  state: 'open',
  at: null,
  reply: null,
  inputTokens: null,
  outputTokens: null,
  costMicroUsd: null,
  error: null,
}

export function callsConformance(fresh: Fresh): void {
  describe('a call', () => {
    test('is open, and then answered once with its reply', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      const intent = sampleIntent(1)
      await store.calls.open(intent)
      expect(await store.calls.list(runId, { after: null, limit: 9 })).toEqual([{ ...intent, ...OPEN }])
      expect(await answeredCall(store, runId, PLACE)).toBeNull()
      const outcome = sampleOutcome()
      expect(await store.calls.close(intent, 'answered', outcome)).toBe(true)
      expect(await store.calls.close(intent, 'lost', REFUSED)).toBe(false)
      expect(await answeredCall(store, runId, PLACE)).toEqual({ ...intent, ...outcome, state: 'answered' })
    })

    test('cannot be closed under another fence, or if it was never opened', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await store.calls.open(sampleIntent(1))
      expect(await store.calls.close(sampleIntent(1, { fence: 'second' }), 'answered', sampleOutcome())).toBe(false)
      expect(await store.calls.close(sampleIntent(999), 'answered', sampleOutcome())).toBe(false)
      expect((await store.calls.spend(sampleId(1))).calls).toEqual({ open: 1, answered: 0, refused: 0, lost: 0 })
    })

    test('that exists is refused by name, and the first one is unchanged', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      await store.calls.open(sampleIntent(1))
      const again = store.calls.open(sampleIntent(2, { attempt: 1 }))
      await expect(again).rejects.toMatchObject({
        kind: 'exists',
        message: expect.stringContaining('["q0","ann",1,0,false,1]'),
      })
      expect(await store.calls.list(runId, { after: null, limit: 9 })).toEqual([{ ...sampleIntent(1), ...OPEN }])
    })

    test('of a missing run or question is refused', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await expect(store.calls.open(sampleIntent(1, { runId: 'none' }))).rejects.toMatchObject({ kind: 'missing' })
      await expect(store.calls.open(sampleIntent(1, { questionId: 'no' }))).rejects.toMatchObject({ kind: 'missing' })
    })

    test("keeps a provider's error, and replaces characters that cannot be stored", async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      await store.calls.open(sampleIntent(1))
      await store.calls.close(sampleIntent(1), 'refused', { ...REFUSED, error: 'bad\0\ud800 \u{1F600}' })
      const [call] = await store.calls.list(runId, { after: null, limit: 1 })
      expect(call).toMatchObject({ state: 'refused', error: 'bad\ufffd\ufffd \u{1F600}', at: REFUSED.at })
    })
  })

  test('attempts count every call at a place, and at no other', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    for (const attempt of [1, 2, 3]) await store.calls.open(sampleIntent(attempt, { attempt }))
    await store.calls.close(sampleIntent(1), 'refused', REFUSED)
    expect(await attemptsAt(store, runId, PLACE)).toBe(3)
    const others = [{ questionId: 'q1' }, { agent: 'bob' }, { round: 2 }, { repeat: 1 }, { isReminder: true }]
    for (const other of others) expect(await attemptsAt(store, runId, { ...PLACE, ...other })).toBe(0)
    await store.calls.open(sampleIntent(9, { isReminder: true }))
    await store.calls.close(sampleIntent(9), 'answered', sampleOutcome())
    expect(await answeredCall(store, runId, PLACE)).toBeNull()
    expect(await answeredCall(store, runId, { ...PLACE, isReminder: true })).toMatchObject({ attempt: 9 })
  })

  test('the cache returns the latest answer of any run, never a refusal', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    await createRun(store, 1, { id: sampleId(2) })
    const cacheKey = 'same'
    for (const number of [1, 2, 3, 4]) {
      await store.calls.open(sampleIntent(number, { cacheKey, runId: sampleId(number === 2 ? 2 : 1) }))
    }
    expect(await cachedCall(store, cacheKey)).toBeNull()
    await store.calls.close(sampleIntent(1), 'answered', sampleOutcome({ at: 5 }))
    await store.calls.close(sampleIntent(2, { runId: sampleId(2) }), 'answered', sampleOutcome({ at: 7 }))
    await store.calls.close(sampleIntent(3), 'refused', { ...REFUSED, at: 9 })
    expect(await cachedCall(store, cacheKey)).toMatchObject({ attempt: 2, runId: sampleId(2) })
    expect(await cachedCall(store, 'other')).toBeNull()
  })

  test('after a crash the open calls of other fences are lost, with what they reserved', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    await createRun(store, 1, { id: sampleId(2) })
    await store.calls.open(sampleIntent(1))
    await store.calls.open(sampleIntent(2))
    await store.calls.open(sampleIntent(3, { fence: 'second' }))
    await store.calls.open(sampleIntent(4, { runId: sampleId(2) }))
    await store.calls.close(sampleIntent(1), 'answered', sampleOutcome())
    expect(await store.calls.takeOver(runId, 'second', 77)).toBe(1)
    expect(await store.calls.close(sampleIntent(2), 'answered', sampleOutcome())).toBe(false)
    const states = (await store.calls.list(runId, { after: null, limit: 9 })).map(({ state, at }) => [state, at])
    expect(states).toEqual([
      ['answered', sampleOutcome().at],
      ['lost', 77],
      ['open', null],
    ])
    expect((await store.calls.spend(sampleId(2))).calls.open).toBe(1)
  })

  test('spend counts answers at their cost, open, lost and uncosted calls at their reserve, and refusals at nothing', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    const none = { calls: { open: 0, answered: 0, refused: 0, lost: 0 }, inputTokens: 0, outputTokens: 0 }
    expect(await store.calls.spend(runId)).toEqual({
      ...none,
      committedMicroUsd: 0,
      reservedMicroUsd: 0,
      unpricedCalls: 0,
    })
    const reserved = [1, 20, 300, 4000, null, null, null, 50_000]
    for (const [number, reservedMicroUsd] of reserved.entries()) {
      await store.calls.open(sampleIntent(number, { reservedMicroUsd }))
    }
    const close = (number: number, state: 'answered' | 'refused' | 'lost', change = {}) =>
      store.calls.close(sampleIntent(number), state, sampleOutcome(change))
    await close(0, 'answered', { costMicroUsd: 7, inputTokens: 5, outputTokens: 6 })
    await close(1, 'refused')
    await close(2, 'lost')
    await close(4, 'answered', { costMicroUsd: null, inputTokens: 50, outputTokens: null })
    await close(5, 'refused')
    await close(7, 'answered', { costMicroUsd: null, inputTokens: null, outputTokens: null })
    expect(await store.calls.spend(runId)).toEqual({
      calls: { open: 2, answered: 3, refused: 2, lost: 1 },
      inputTokens: 55,
      outputTokens: 6,
      committedMicroUsd: 7,
      reservedMicroUsd: 300 + 4000 + 50_000,
      unpricedCalls: 2,
    })
  })

  test('sums beyond 2^31 and 2^45 are exact', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    for (const number of [1, 2]) {
      await store.calls.open(sampleIntent(number))
      const outcome = sampleOutcome({ costMicroUsd: 2 ** 45 + number, inputTokens: 2 ** 31, outputTokens: 2 ** 32 + 1 })
      await store.calls.close(sampleIntent(number), 'answered', outcome)
    }
    const spend = await store.calls.spend(runId)
    expect(spend).toMatchObject({ committedMicroUsd: 2 ** 46 + 3, inputTokens: 2 ** 32, outputTokens: 2 ** 33 + 2 })
  })

  test('calls are listed in order of opening, in pages', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    for (const number of [2, 5, 1, 4, 3]) await store.calls.open(sampleIntent(number))
    const rows = await allPages(
      (after, limit) => store.calls.list(runId, { after, limit }),
      ({ id }) => id,
    )
    expect(rows.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5])
  })

  test('a number that is not an integer is refused, because money is counted in whole millionths', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    for (const reservedMicroUsd of [0.5, Number.NaN, 2 ** 53]) {
      await expect(store.calls.open(sampleIntent(1, { reservedMicroUsd }))).rejects.toMatchObject({ kind: 'invalid' })
    }
  })

  test('the lookup before a call equals the attempts, the answer and the cache', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    await createRun(store, 1, { id: sampleId(2) })
    const before = () => store.calls.before(runId, PLACE, 'same')
    expect(await before()).toEqual({ attempts: 0, answered: null, cached: null })
    await store.calls.open(sampleIntent(1))
    await store.calls.close(sampleIntent(1), 'refused', REFUSED)
    const elsewhere = sampleIntent(2, { runId: sampleId(2), cacheKey: 'same' })
    await store.calls.open(elsewhere)
    expect(await before()).toEqual({ attempts: 1, answered: null, cached: null })
    await store.calls.close(elsewhere, 'answered', sampleOutcome())
    expect(await before()).toMatchObject({ attempts: 1, answered: null, cached: { id: elsewhere.id } })
    await store.calls.open(sampleIntent(3))
    await store.calls.close(sampleIntent(3), 'answered', sampleOutcome())
    expect(await before()).toMatchObject({ attempts: 2, answered: { id: sampleIntent(3).id } })
    expect((await store.calls.find(runId, sampleIntent(3).id))?.state).toBe('answered')
    expect(await store.calls.find(sampleId(2), sampleIntent(3).id)).toBeNull()
  })

  test('calls are moved out up to an id, and the spend does not change', async () => {
    const store = await freshStore(fresh)
    const { id: runId } = await createRun(store)
    for (const number of [1, 2, 3, 4]) await store.calls.open(sampleIntent(number))
    await store.calls.close(sampleIntent(1), 'answered', sampleOutcome())
    await store.calls.close(sampleIntent(2), 'lost', REFUSED)
    const spend = await store.calls.spend(runId)
    expect(await store.calls.moveOut(runId, sampleIntent(2).id)).toBe(2)
    expect(await store.calls.spend(runId)).toEqual(spend)
    expect(await store.calls.moveOut(runId, sampleIntent(3).id)).toBe(1)
    expect(await store.calls.moveOut(runId, sampleIntent(3).id)).toBe(0)
    expect(await store.calls.spend(runId)).toEqual(spend)
    const left = await store.calls.list(runId, { after: null, limit: 9 })
    expect(left.map(({ attempt }) => attempt)).toEqual([4])
  })

  test('the spend is the sum over all calls, whenever sums were stored and whatever happened since', async () => {
    for (const seed of [1, 2, 3]) {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      const random = seededRandom(seed)
      const open: number[] = []
      const archived: StoredCall[] = []
      let kept = 0
      for (const number of unordered(60, random)) {
        await store.calls.open(sampleIntent(number, { reservedMicroUsd: random() < 0.2 ? null : number }))
        open.push(number)
        if (random() < 0.9) {
          const [closed = 0] = open.splice(Math.floor(random() * open.length), 1)
          const cost = random() < 0.3 ? null : closed * 7
          const isAnswered = random() < 0.7
          const outcome = isAnswered ? sampleOutcome({ costMicroUsd: cost }) : REFUSED
          await store.calls.close(sampleIntent(closed), isAnswered ? 'answered' : 'lost', outcome)
        }
        if (random() < 0.2) kept += (await store.calls.keepSums(runId, 3)) ? 1 : 0
        if (random() < 0.03) archived.push(...(await archiveSome(store, runId)))
        expect(await store.calls.spend(runId)).toEqual(await slowSpend(store, runId, archived))
      }
      await store.calls.takeOver(runId, 'next', 1)
      expect(await store.calls.keepSums(runId, 1)).toBe(true)
      expect(await store.calls.keepSums(runId, 1)).toBe(false)
      expect(await store.calls.spend(runId)).toEqual(await slowSpend(store, runId, archived))
      expect(kept).toBeGreaterThan(2)
    }
  })
}

/** Numbers from 1. Some are lower than earlier ones, as if the clock of another process were behind. */
function unordered(count: number, random: () => number): readonly number[] {
  const places = Array.from({ length: count }, (_, at) => ({ number: at + 1, place: at + (random() < 0.15 ? 10 : 0) }))
  return places.toSorted((left, right) => left.place - right.place).map(({ number }) => number)
}

/** The first closed calls, which `quorate archive` would move out. */
async function archiveSome(store: Store, runId: string): Promise<readonly StoredCall[]> {
  const all = await store.calls.list(runId, { after: null, limit: 100 })
  const firstOpen = all.findIndex(({ state }) => state === 'open')
  const some = all.slice(0, Math.min(5, firstOpen < 0 ? all.length : firstOpen))
  const last = some.at(-1)
  if (last !== undefined) await store.calls.moveOut(runId, last.id)
  return some
}

/** Makes one call after another. */
async function slowSpend(store: Store, runId: string, archived: readonly StoredCall[]): Promise<Spend> {
  const calls = { open: 0, answered: 0, refused: 0, lost: 0 }
  const sums = { inputTokens: 0, outputTokens: 0, committedMicroUsd: 0, reservedMicroUsd: 0, unpricedCalls: 0 }
  for (const call of [...archived, ...(await store.calls.list(runId, { after: null, limit: 100 }))]) {
    calls[call.state] += 1
    if (call.state === 'refused') continue
    sums.inputTokens += call.inputTokens ?? 0
    sums.outputTokens += call.outputTokens ?? 0
    sums.committedMicroUsd += call.costMicroUsd ?? 0
    if (call.costMicroUsd !== null) continue
    sums.reservedMicroUsd += call.reservedMicroUsd ?? 0
    if (call.reservedMicroUsd === null) sums.unpricedCalls += 1
  }
  return { calls, ...sums }
}
