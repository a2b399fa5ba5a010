import { expect, test } from 'vitest'
import { createRemembered, createStudyTurns } from '../../../../src/server/deciding/studies/study-turns.ts'

const never = new AbortController().signal

/** Work that ends when the test wants. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    named: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('one study runs at a time, four wait, and the next is refused with a time to retry', async () => {
  const turns = createStudyTurns()
  const { begun, end, named } = works()
  const taken = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.take(named(name), never))
  await expect(turns.take(named('f'), never)).rejects.toMatchObject({ parts: { status: 503, retryAfterSeconds: 10 } })
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await settle()
    expect(begun.length).toBe(at + 1)
    end(name)
    expect(await taken[at]).toBe(name)
  }
  const later = turns.take(named('g'), never)
  await settle()
  end('g')
  expect(await later).toBe('g')
})

test('a caller who leaves frees their place, and a failed study lets the next begin', async () => {
  const turns = createStudyTurns()
  const { begun, end, named } = works()
  const first = turns.take(named('a'), never)
  const leaving = new AbortController()
  const left = Array.from({ length: 4 }, () => turns.take(named('left'), leaving.signal))
  leaving.abort(new Error('gone'))
  for (const one of left) await expect(one).rejects.toThrow('gone')
  const failing = turns.take(() => Promise.reject(new Error('failed')), never)
  const last = turns.take(named('z'), never)
  end('a')
  expect(await first).toBe('a')
  await expect(failing).rejects.toThrow('failed')
  await settle()
  end('z')
  expect(await last).toBe('z')
  expect(begun).toEqual(['a', 'z'])
})

test('equal requests share a computation, which is cancelled when the last caller has left', async () => {
  const remembered = createRemembered<string>()
  const signals: AbortSignal[] = []
  const make = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const [one, two] = [new AbortController(), new AbortController()]
  const waits = [remembered.of('key', make, one.signal), remembered.of('key', make, two.signal)]
  one.abort()
  expect([signals.length, signals[0]?.aborted]).toEqual([1, false])
  two.abort()
  expect(signals[0]?.aborted).toBe(true)
  for (const wait of waits) await expect(wait).rejects.toMatchObject({ parts: { status: 503 } })
  // A new caller does not get the one that was cancelled.
  expect(await remembered.of('key', async () => 'made', new AbortController().signal)).toBe('made')
  expect(await remembered.of('key', make)).toBe('made')
  expect(signals.length).toBe(1)
})
