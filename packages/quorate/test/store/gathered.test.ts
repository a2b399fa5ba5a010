import { expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { gathered } from '../../src/store/gathered.ts'

/** Records the statements that run, and fails those with certain items. */
function counted(fail: (items: readonly number[]) => Error | null = () => null) {
  const runs: (readonly number[])[] = []
  const ask = gathered<number, number>({
    most: 3,
    later: setImmediate,
    run: async (items) => {
      runs.push(items)
      const error = fail(items)
      if (error !== null) throw error
      return items.map((item) => item * 10)
    },
  })
  return { runs, ask }
}

test('items of one turn share statements of limited length, and each gets its own result', async () => {
  const { runs, ask } = counted()
  expect(await Promise.all([1, 2, 3, 4].map(ask))).toEqual([10, 20, 30, 40])
  expect(runs).toEqual([[1, 2, 3], [4]])
  expect(await ask(5)).toBe(50)
  expect(runs.length).toBe(3)
})

test('after a failure each item runs alone, so that only the failing one is rejected', async () => {
  const { runs, ask } = counted((items) => (items.includes(2) ? new StoreError('invalid', 'two') : null))
  const results = await Promise.allSettled([1, 2, 3].map(ask))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(runs).toEqual([[1, 2, 3], [1], [2], [3]])
})

test('if the database is unreachable, the items are not retried one by one', async () => {
  const { runs, ask } = counted(() => new StoreError('unreachable', 'gone'))
  const results = await Promise.allSettled([1, 2, 3].map(ask))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(runs.length).toBe(1)
})

test('while the most allowed statements run, further items wait for the next one', async () => {
  const runs: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const ask = gathered<number, number>({
    most: 3,
    atOnce: 1,
    later: setImmediate,
    run: async (items) => {
      runs.push(items)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const first = ask(1)
  await turn()
  const others = [2, 3, 4, 5].map(ask)
  await turn()
  expect(runs).toEqual([[1]])
  ends.shift()?.()
  expect(await first).toBe(1)
  await turn()
  await turn()
  expect(runs).toEqual([[1], [2, 3, 4]])
  ends.shift()?.()
  await Promise.all(others.slice(0, 3))
  await turn()
  await turn()
  ends.shift()?.()
  expect(await Promise.all(others)).toEqual([2, 3, 4, 5])
  expect(runs).toEqual([[1], [2, 3, 4], [5]])
})
