import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policyStateSchema } from '../../src/contract/monitor.ts'
import { holdDue, mismatchReason } from '../../src/monitor/hold-due.ts'
import {
  activeCertificate,
  type Changing,
  holdPolicy,
  lastRelease,
  policyState,
  releasePolicy,
} from '../../src/monitor/policy-state.ts'
import { riskAlarm, riskReport } from '../../src/monitor/risk-report.ts'
import type { PolicyEvent } from '../../src/store/policy-events.ts'
import { ARRIVED, sampled } from './sampled.ts'

let number = 0
function event(change: Partial<PolicyEvent> & Pick<PolicyEvent, 'kind'>): PolicyEvent {
  number += 1
  return {
    id: String(number),
    sequence: number,
    cause: null,
    certificateId: null,
    by: null,
    note: null,
    at: number,
    arrival: 0,
    ...change,
  }
}

/** As the store would write it down. */
function written(events: readonly PolicyEvent[], changing: Changing, arrival = 0): PolicyEvent[] {
  if (changing.kind === 'refused') throw new Error(changing.reason)
  return [...events, event({ ...changing.change, arrival })]
}

const ACTIVE = [event({ kind: 'activate', certificateId: 'c1', by: 'ada', arrival: 10 })]
const BY_ADA = { by: 'ada', note: 'looked at all of them' }
const HOLD = { cause: 'monitor', reason: 'too many wrong', by: null } as const

describe('a policy', () => {
  test('is none without a certificate, live with one, held until it is released', () => {
    expect(policyState([]).state).toBe('none')
    expect(policyState(ACTIVE)).toMatchObject({ state: 'live', by: 'ada' })
    const held = written(ACTIVE, holdPolicy(ACTIVE, HOLD))
    expect(policyState(held)).toMatchObject({ state: 'held', cause: 'monitor', reason: 'too many wrong', note: null })
    const released = written(held, releasePolicy(held, BY_ADA))
    expect(policyState(released)).toMatchObject({ state: 'live', cause: null, reason: null, ...BY_ADA })
  })

  test('stays held under a new certificate, and keeps the first reason', () => {
    const held = written(ACTIVE, holdPolicy(ACTIVE, HOLD))
    const later = [
      ...held,
      event({ kind: 'activate', certificateId: 'c2', by: 'ada' }),
      event({ kind: 'hold', cause: 'drift', note: 'another' }),
    ]
    expect(policyState(later)).toEqual(policyState(held))
    expect(activeCertificate(later)).toBe('c2')
  })

  test('can be held before there is a certificate, and is none again after its release', () => {
    const held = written([], holdPolicy([], { cause: 'admin', reason: 'not yet', by: 'ada' }))
    expect(policyState(held).state).toBe('held')
    expect(policyState(written(held, releasePolicy(held, BY_ADA))).state).toBe('none')
  })

  test('refuses a second hold, a release of nothing, a release without a note or a name', () => {
    const held = written(ACTIVE, holdPolicy(ACTIVE, HOLD))
    expect(holdPolicy(held, HOLD).kind).toBe('refused')
    expect(holdPolicy(ACTIVE, { ...HOLD, reason: ' ' }).kind).toBe('refused')
    expect(holdPolicy(ACTIVE, { cause: 'admin', reason: 'stop', by: null }).kind).toBe('refused')
    expect(releasePolicy(ACTIVE, BY_ADA)).toEqual({ kind: 'refused', reason: 'The policy is not held.' })
    expect(releasePolicy(held, { by: 'ada', note: ' \n' }).kind).toBe('refused')
    expect(releasePolicy(held, { by: '', note: 'fine' }).kind).toBe('refused')
  })

  test('begins to monitor anew at a release, not at a hold nor at a new certificate', () => {
    expect(lastRelease([])).toBeNull()
    const held = written(ACTIVE, holdPolicy(ACTIVE, HOLD), 500)
    expect(lastRelease(held)).toBeNull()
    const released = written(held, releasePolicy(held, BY_ADA), 700)
    expect(lastRelease(released)).toMatchObject({ kind: 'release', arrival: 700 })
    const renewed = [...released, event({ kind: 'activate', certificateId: 'c2' })]
    expect(lastRelease(renewed)).toBe(released.at(-1))
  })

  test('is never live again after a hold without a release, whatever else happens', () => {
    const other = fc.constantFrom<PolicyEvent['kind']>('hold', 'activate')
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, after) => {
        const kinds = [...before, 'hold' as const, ...after]
        const state = policyState(kinds.map((kind) => event({ kind, cause: kind === 'hold' ? 'monitor' : null })))
        expect(state.state).toBe('held')
        expect(() => policyStateSchema.parse(state)).not.toThrow()
      }),
    )
  })
})

describe('a hold is due', () => {
  const settings = {
    ...{ beta: 0.1, spotCheckRate: 0.05, eta: 0.05, since: 0, arrivals: 2000, now: ARRIVED, undoMs: 0, frozenAt: null },
    rates: [{ from: 1, spotCheckRate: 0.05 }],
  }
  const wrong = Array.from({ length: 12 }, (_, at) => sampled(20 * (at + 1), 'wrong'))
  const noneMissing = { wealth: 1, alarmAt: 200, counted: 0, isAlarm: false, share: null, limit: 0.01, at: null }
  const quiet = { wealth: 1, now: 1, alarmAt: 20, counted: 0, isAlarm: false, at: null, missing: noneMissing }
  const calm = {
    beta: 0.1,
    risk: riskReport({ ...settings, spotChecks: [] }),
    classes: [],
    drift: quiet,
    mismatch: [],
    others: [],
  }
  const alarmed = { ...calm, risk: riskReport({ ...settings, spotChecks: wrong }) }

  test('never without evidence, nor while the policy is not live', () => {
    expect(holdDue(ACTIVE, calm)).toBeNull()
    expect(holdDue([], alarmed)).toBeNull()
    expect(holdDue(written(ACTIVE, holdPolicy(ACTIVE, HOLD)), alarmed)).toBeNull()
  })

  test('when spot checks contradict the budget, saying after how many', () => {
    const hold = holdDue(ACTIVE, alarmed)
    expect(hold).toMatchObject({ cause: 'monitor', by: null })
    expect(hold?.reason).toContain('after 6 of them')
    expect(hold?.reason).toContain('0.100')
  })

  test('when another certificate raises the alarm, which is named, also while none is active', () => {
    const other = { certificateId: 'c9', beta: 0.25, alarm: riskAlarm({ ...settings, spotChecks: [] }), drift: quiet }
    expect(holdDue(ACTIVE, { ...calm, others: [other] })).toBeNull()
    const wrongThere = { ...other, alarm: riskAlarm({ ...settings, spotChecks: wrong }) }
    expect(wrongThere.alarm.at).toEqual(alarmed.risk.alarm.at)
    expect(holdDue(ACTIVE, { ...calm, others: [other, wrongThere] })).toMatchObject({
      ...{ cause: 'monitor', by: null },
      reason: expect.stringMatching(
        /^Under the certificate c9, which is not the active one: .*after 6 of them.*0\.250/,
      ),
    })
    expect(holdDue([], { ...calm, others: [wrongThere] })?.cause).toBe('monitor')
    const drifted = { ...other, drift: { ...quiet, wealth: 31, isAlarm: true, at: 812 } }
    expect(holdDue(ACTIVE, { ...calm, others: [drifted] })).toMatchObject({
      cause: 'drift',
      reason: expect.stringContaining('c9'),
    })
  })

  test('when debates no longer look like the calibration', () => {
    const silent = { ...noneMissing, wealth: 500, counted: 12, isAlarm: true, share: 1, at: 6 }
    const unstated = holdDue(ACTIVE, { ...calm, drift: { ...quiet, missing: silent } })
    expect(unstated).toMatchObject({ cause: 'fingerprint', by: null })
    expect(unstated?.reason).toContain('state no confidence')
    expect(unstated?.reason).toContain('after 6 questions')
    const drift = { ...quiet, wealth: 31, counted: 900, isAlarm: true, at: 812 }
    expect(holdDue(ACTIVE, { ...calm, drift })).toMatchObject({
      cause: 'drift',
      reason: expect.stringMatching(/812 debates.*same questions again and again/),
    })
  })

  test('when the panel is another, before all else; not once an admin has accepted that very difference', () => {
    const evidence = { ...alarmed, mismatch: ['models', 'prompts'] }
    const hold = holdDue(ACTIVE, evidence)
    expect(hold).toEqual({ cause: 'fingerprint', reason: mismatchReason(['models', 'prompts']), by: null })
    if (hold === null) return
    const held = written(ACTIVE, holdPolicy(ACTIVE, hold))
    const released = written(held, releasePolicy(held, BY_ADA))
    expect(holdDue(released, { ...calm, mismatch: ['models', 'prompts'] })).toBeNull()
    expect(holdDue(released, { ...calm, mismatch: ['models', 'prompts', 'rounds'] })?.cause).toBe('fingerprint')
    const renewed = [...released, event({ kind: 'activate', certificateId: 'c2' })]
    expect(holdDue(renewed, { ...calm, mismatch: ['models', 'prompts'] })?.cause).toBe('fingerprint')
  })
})
