import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { turnToRead } from '../../src/model/reply-turns.ts'

/** How many replies each turn of the event loop reads, when all arrive at once. */
async function readPerTurn(replies: number): Promise<readonly number[]> {
  let read = 0
  for (let reply = 0; reply < replies; reply++) void turnToRead().then(() => (read += 1))
  const perTurn: number[] = []
  for (let before = 0; before < replies; before = read) {
    await nextTurn()
    perTurn.push(read - before)
  }
  return perTurn
}

describe('replies that arrive at once', () => {
  test('are read one per turn of the event loop', async () => {
    expect(await readPerTurn(1)).toEqual([1])
    expect(await readPerTurn(16)).toEqual(Array(16).fill(1))
  })

  test('are read several per turn while many wait, so that a busy loop does not hold them up', async () => {
    const perTurn = await readPerTurn(1_000)
    expect(perTurn[0]).toBe(63)
    expect(perTurn.length).toBeLessThan(90)
    expect(perTurn.reduce((sum, read) => sum + read)).toBe(1_000)
  })

  test('are read in the order of arrival, also those that arrive while others wait', async () => {
    const order: number[] = []
    const arrive = (reply: number) => turnToRead().then(() => order.push(reply))
    const first = [1, 2, 3].map(arrive)
    await nextTurn()
    await Promise.all([...first, ...[4, 5].map(arrive)])
    expect(order).toEqual([1, 2, 3, 4, 5])
  })
})
