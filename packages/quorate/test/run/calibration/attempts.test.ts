import { type CalibrateOptions, calibrate, type Debate, sha256 } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { makeCounted } from '../../../src/run/calibration/attempts.ts'
import type { Store } from '../../../src/store/store.ts'

const OPTIONS = { profile: 'total', budget: { beta: 0.2, delta: 0.05, epsilon: 0 } } as const satisfies CalibrateOptions

const DEBATES: readonly Debate[] = Array.from({ length: 200 }, (_, at) => {
  const confidence = 0.5 + ((at * 37) % 50) / 100
  const turn = (agent: string, answer: string) => ({ agent, answer, confidence })
  const answers = at % 7 === 0 ? ['A', 'B', 'A'] : ['A', 'A', 'A']
  return {
    id: `q${at}`,
    options: ['A', 'B'],
    gold: (at * 13) % 20 < 18 ? 'A' : 'B',
    rounds: [answers.map((answer, agent) => turn(`agent-${agent}`, answer))],
  }
})

/** A store that has only certificates. */
function emptyStore() {
  const files = new Map<string, string>()
  const certificates = {
    list: async () => [...files.keys()].map((id) => ({ id, at: 0 })),
    find: async (id: string) => (files.has(id) ? { id, file: files.get(id) ?? '', at: 0, runId: null } : null),
  }
  const store = { certificates } as unknown as Pick<Store, 'certificates'> // it asks for no more
  return async (debates: readonly Debate[], options: CalibrateOptions = OPTIONS) => {
    const made = await makeCounted(store, {
      ids: debates.map(({ id }) => id),
      options,
      make: (counted) => calibrate(debates, counted),
      fileOf: (certificate) => JSON.stringify(certificate),
    })
    const file = JSON.stringify(made)
    files.set(sha256(file), file)
    return made.kind === 'total' ? made.promise.attempt : null
  }
}

test('making the same certificate again is no further attempt', async () => {
  const attemptOf = emptyStore()
  expect(await attemptOf(DEBATES)).toBe(1)
  expect(await attemptOf(DEBATES)).toBe(1)
  expect(await attemptOf(DEBATES, { ...OPTIONS, budget: { ...OPTIONS.budget, beta: 0.3 } })).toBe(2)
  expect(await attemptOf(DEBATES)).toBe(1)
})

test('the same promise from the same debates in another order is an attempt, because other rows are counted', async () => {
  const attemptOf = emptyStore()
  expect(await attemptOf(DEBATES)).toBe(1)
  expect(await attemptOf(DEBATES.toReversed())).toBe(2)
  expect(await attemptOf([...DEBATES.slice(50), ...DEBATES.slice(0, 50)])).toBe(3)
  expect(await attemptOf(DEBATES.toReversed())).toBe(2)
})

test('so is the same promise with other beliefs or other labels', async () => {
  const attemptOf = emptyStore()
  expect(await attemptOf(DEBATES)).toBe(1)
  expect(await attemptOf(DEBATES, { ...OPTIONS, beliefs: 'stated' })).toBe(2)
  expect(await attemptOf(DEBATES.map((debate, at) => (at === 4 ? { ...debate, gold: 'B' } : debate)))).toBe(3)
})

test('a given attempt is not counted again, and other profiles count none', async () => {
  const attemptOf = emptyStore()
  expect(await attemptOf(DEBATES)).toBe(1)
  expect(await attemptOf(DEBATES, { ...OPTIONS, budget: { ...OPTIONS.budget, total: { attempt: 7 } } })).toBe(7)
  expect(await attemptOf(DEBATES, { profile: 'cells', budget: { beta: 0.2, delta: 0.03, epsilon: 0 } })).toBeNull()
  expect(await attemptOf(DEBATES.slice(0, 150))).toBe(8)
})
