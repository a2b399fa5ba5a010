import { expect, test, vi } from 'vitest'
import { onAbort } from '../../src/traffic/on-abort.ts'

test('notifies every remaining listener, once, through one listener of the signal', () => {
  const stop = new AbortController()
  const added = vi.spyOn(stop.signal, 'addEventListener')
  const reported: number[] = []
  const stops = Array.from({ length: 100 }, (_, index) => onAbort(stop.signal, () => reported.push(index)))
  for (const stopListening of stops.slice(2)) stopListening()
  stop.abort()
  stop.abort()
  expect(reported).toEqual([0, 1])
  expect(added).toHaveBeenCalledTimes(1)
})

test('notifies at once if the signal has already aborted', () => {
  let reported = 0
  onAbort(AbortSignal.abort(), () => reported++)
  expect(reported).toBe(1)
})
