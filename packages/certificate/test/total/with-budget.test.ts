import { describe, expect, test } from 'vitest'
import { budgetSentences, calibrate, loadCertificate, replay } from '../../src/index.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const debates = simulatedDebates({ count: 700, seed: 31 })
const options = { profile: 'total', split: { seed: 5 } } as const
const first = calibrate(debates, { ...options, budget: { beta: 0.2, delta: 0.05, epsilon: 0 } })

describe('another promise from the same counted labels', () => {
  test('is a further attempt: its tests are as strict as those of a certificate that declares it', () => {
    const again = first.withBudget({ beta: 0.3, delta: 0.05, epsilon: 0 })
    expect(again.promise.attempt).toBe(2)
    const given = calibrate(debates, {
      ...options,
      budget: { beta: 0.3, delta: 0.05, epsilon: 0, total: { attempt: 2 } },
    })
    expect(again.levels).toEqual(given.levels)
    expect(again.levels.total).toBeLessThan(first.levels.total)
    expect([...again.outcomes]).toEqual([...given.outcomes])
    expect(budgetSentences(again).join(' ')).toContain('attempt 2')
  })

  test('is counted on from a stored certificate, one after the other', () => {
    const stored = loadCertificate(JSON.stringify(first.withBudget({ beta: 0.3, delta: 0.05, epsilon: 0 })))
    if (stored.kind !== 'total') throw new Error('it is another profile')
    expect(stored.promise.attempt).toBe(2)
    const floor = stored.withBudget({ beta: 0.3, delta: 0.05, epsilon: 0, total: { floor: 'none' } })
    expect(floor.promise.attempt).toBe(3)
    expect(floor.withBudget({ beta: 0.2, delta: 0.05, epsilon: 0 }).promise.attempt).toBe(4)
  })

  test('is counted over everything that is requested of one certificate, in parallel too', () => {
    const root = loadCertificate(JSON.stringify(first))
    if (root.kind !== 'total') throw new Error('it is another profile')
    const asked = (beta: number) => root.withBudget({ beta, delta: 0.05, epsilon: 0 })
    const attempts = [0.3, 0.25, 0.15, 0.25].map((beta) => asked(beta).promise.attempt)
    expect(attempts).toEqual([2, 3, 4, 3])
    expect(asked(0.3).withBudget({ beta: 0.1, delta: 0.05, epsilon: 0 }).promise.attempt).toBe(5)
    expect(asked(0.3).withBudget({ beta: 0.2, delta: 0.05, epsilon: 0 }).promise).toEqual(root.promise)
    // The failure probability of all of them together: 1.392 delta, as each of them prints.
    const spent = [asked(0.2), asked(0.3), asked(0.25), asked(0.15), asked(0.1)].map(({ levels }) => levels.total)
    expect(spent.reduce((sum, level) => sum + level, 0)).toBeLessThanOrEqual(1 - asked(0.1).levels.totalConfidence)
    expect(JSON.stringify(root)).toBe(JSON.stringify(first))
  })

  test('is a further attempt also after it was replayed as if it had been declared', () => {
    const root = loadCertificate(JSON.stringify(first))
    if (root.kind !== 'total') throw new Error('it is another profile')
    const other = { beta: 0.25, delta: 0.05, epsilon: 0 }
    replay(root, debates).at(other)
    expect(root.withBudget(other).promise.attempt).toBe(2)
  })

  test('is no further attempt where the promise is the same', () => {
    expect(first.withBudget({ beta: 0.2, delta: 0.05, epsilon: 0 }).promise).toEqual(first.promise)
    expect(first.withBudget({ beta: 0.2, delta: 0.05, epsilon: 0, total: { floor: 0.7 } }).promise).toEqual(
      first.promise,
    )
  })

  test('has the attempt that the caller names: a promise that was declared before the labels were read', () => {
    const declared = { beta: 0.3, delta: 0.05, epsilon: 0, total: { attempt: 1 } }
    expect(first.withBudget(declared).promise.attempt).toBe(1)
  })

  test('is replayed as if it had been declared in place of the own one', () => {
    const other = { beta: 0.3, delta: 0.05, epsilon: 0 }
    const declared = calibrate(debates, { ...options, budget: other })
    const fresh = simulatedDebates({ count: 200, seed: 32 })
    expect(replay(first, fresh).at(other)).toEqual(replay(declared, fresh).at(other))
  })
})
