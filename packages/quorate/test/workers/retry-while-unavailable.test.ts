import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { createRetryWhileUnavailable, isTemporary } from '../../src/run/workers/retry.ts'
import { createFakeClock } from '../traffic/fake-clock.ts'

const AWAY = new StoreError('unreachable', 'store: nobody answers')
const MINUTE = 60_000

function patient() {
  const clock = createFakeClock()
  const aborting = new AbortController()
  const logged: string[] = []
  const patiently = createRetryWhileUnavailable({
    sleep: clock.sleep,
    aborting: aborting.signal,
    elapsed: clock.now,
    log: (words) => logged.push(words),
  })
  /** Fails this many times, then returns whether it was called as a retry. */
  const failing = (times: number, error: unknown = AWAY) => {
    const toldAgain: boolean[] = []
    const action = async (isRetry: boolean) => {
      toldAgain.push(isRetry)
      if (toldAgain.length <= times) throw error
      return toldAgain
    }
    return { action, toldAgain }
  }
  return { clock, aborting, logged, patiently, failing }
}

describe('an action during an outage of the database', () => {
  test('is repeated when the database is back, as a retry', async () => {
    const { clock, patiently, failing, logged } = patient()
    expect(await clock.run(patiently(failing(3).action))).toEqual([false, true, true, true])
    expect(logged).toEqual([expect.stringContaining('waiting for the database'), 'the database is back'])
  })

  test('is retried after waits that grow, up to some seconds', async () => {
    const { clock, patiently } = patient()
    const tries: number[] = []
    const start = clock.now()
    const action = async () => {
      tries.push(clock.now() - start)
      if (tries.length < 9) throw AWAY
    }
    await clock.run(patiently(action))
    const waits = tries.slice(1).map((at, place) => at - (tries[place] ?? 0))
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
  })

  test('logs the outage once for all waiting actions, at its beginning and its end', async () => {
    const { clock, patiently, failing, logged } = patient()
    await clock.run(Promise.all([3, 5, 7].map((times) => patiently(failing(times).action))))
    expect(logged.length).toBe(2)
    await clock.run(patiently(failing(1).action))
    expect(logged.length).toBe(4)
  })

  test('is given up after a quarter of an hour, and no recovery is logged', async () => {
    const { clock, patiently, failing, logged } = patient()
    const start = clock.now()
    await expect(clock.run(patiently(failing(Number.POSITIVE_INFINITY).action))).rejects.toBe(AWAY)
    expect(clock.now() - start).toBeGreaterThan(15 * MINUTE)
    expect(clock.now() - start).toBeLessThan(16 * MINUTE)
    expect(logged).toEqual([expect.stringContaining('waiting for the database')])
    await clock.run(patiently(failing(1).action))
    expect(logged.at(-1)).toBe('the database is back')
  })

  test('is given up at once when the retries must end', async () => {
    const { clock, patiently, failing, aborting } = patient()
    const { action, toldAgain } = failing(Number.POSITIVE_INFINITY)
    const waiting = patiently(action)
    await clock.advance(100)
    const start = clock.now()
    aborting.abort()
    await expect(clock.run(waiting)).rejects.toBe(AWAY)
    expect(clock.now()).toBe(start)
    expect(toldAgain.length).toBe(2)
  })
})

test('a permanent error is rethrown unchanged, also after a wait, and counts as the end of the outage', async () => {
  const { clock, patiently, logged } = patient()
  const fenced = new StoreError('fenced', 'somebody else has it')
  await expect(patiently(() => Promise.reject(fenced))).rejects.toBe(fenced)
  expect(logged).toEqual([])
  let tries = 0
  const action = () => Promise.reject(++tries === 1 ? AWAY : fenced)
  await expect(clock.run(patiently(action))).rejects.toBe(fenced)
  expect(logged.at(-1)).toBe('the database is back')
})

test('only an unreachable, busy, full or read-only database is a temporary error', () => {
  for (const kind of ['unreachable', 'busy', 'disk-full', 'read-only'] as const)
    expect(isTemporary(new StoreError(kind, ''))).toBe(true)
  const others = ['fenced', 'exists', 'denied', 'closed', 'damaged', 'newer-schema'] as const
  for (const kind of others) expect(isTemporary(new StoreError(kind, ''))).toBe(false)
  expect(isTemporary(new Error('connection'))).toBe(false)
})
