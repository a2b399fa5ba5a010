import { expect, test } from 'vitest'
import { onAbort } from '../../src/traffic/on-abort.ts'

test('a signal tells once, and at once when it has been given', () => {
  const told: string[] = []
  const stop = new AbortController()
  onAbort(stop.signal, () => told.push('first'))
  const forget = onAbort(stop.signal, () => told.push('forgotten'))
  forget()
  stop.abort()
  stop.abort()
  onAbort(stop.signal, () => told.push('late'))
  expect(told).toEqual(['first', 'late'])
})
