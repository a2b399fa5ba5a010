import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEARTBEAT_SECONDS } from '../../src/run/workers/job-queue.ts'
import { createLease } from '../../src/run/workers/lease.ts'

function leaseAt() {
  let time = 0
  return {
    lease: createLease(() => time),
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

test('a lease is over before others may take the jobs, and reports how long this worker was away', () => {
  const { lease, pass } = leaseAt()
  pass(0.8 * HEARTBEAT_SECONDS * 1000 - 1)
  expect(lease.isOver()).toBe(false)
  expect(() => lease.check()).not.toThrow()
  pass(1)
  expect(lease.isOver()).toBe(true)
  expect(() => lease.check()).toThrow(
    expect.objectContaining({ kind: 'fenced', message: expect.stringMatching(/8 s/) }),
  )
})

test('a heartbeat counts from when it was sent, not from when it arrived', () => {
  const { lease, pass } = leaseAt()
  pass(5000)
  const arrived = lease.begin()
  pass(7000)
  expect(lease.isOver()).toBe(true)
  arrived()
  expect(lease.isOver()).toBe(false)
  pass(1000)
  expect(lease.isOver()).toBe(true)
})

test('whatever the heartbeats, the owner of the lease sent one so recently that no other worker may have its jobs', () => {
  const signs = fc.array(fc.record({ waitMs: fc.nat(9000), takesMs: fc.nat(9000), arrives: fc.boolean() }))
  fc.assert(
    fc.property(signs, (all) => {
      const { lease, pass } = leaseAt()
      let sinceSent = 0
      for (const { waitMs, takesMs, arrives } of all) {
        pass(waitMs)
        sinceSent += waitMs
        const arrived = lease.begin()
        pass(takesMs)
        if (arrives) arrived()
        sinceSent = arrives ? takesMs : sinceSent + takesMs
        if (!lease.isOver()) expect(sinceSent).toBeLessThan(HEARTBEAT_SECONDS * 1000)
      }
    }),
  )
})
