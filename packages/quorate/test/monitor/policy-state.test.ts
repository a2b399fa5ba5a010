import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policyStateSchema } from '../../src/contract/monitor.ts'
import {
  activeCertificate,
  type ChangeResult,
  lastRelease,
  policyState,
  releasePolicy,
  suspendPolicy,
} from '../../src/monitor/policy-state.ts'
import { riskAlarm, riskReport } from '../../src/monitor/risk-report.ts'
import { mismatchReason, suspensionDue } from '../../src/monitor/suspension-due.ts'
import type { PolicyEvent } from '../../src/store/decisions/policy-events.ts'
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

/** The events with this change, as the store would record it. */
function written(events: readonly PolicyEvent[], changing: ChangeResult, arrival = 0): PolicyEvent[] {
  if (changing.kind === 'refused') throw new Error(changing.reason)
  return [...events, event({ ...changing.change, arrival })]
}

const ACTIVE = [event({ kind: 'activate', certificateId: 'c1', by: 'ada', arrival: 10 })]
const BY_ADA = { by: 'ada', note: 'looked at all of them' }
const SUSPENSION = { cause: 'monitor', reason: 'too many wrong', by: null } as const

describe('a policy', () => {
  test('has the state none without a certificate, live with one, and suspended until it is released', () => {
    expect(policyState([]).state).toBe('none')
    expect(policyState(ACTIVE)).toMatchObject({ state: 'live', by: 'ada' })
    const suspended = written(ACTIVE, suspendPolicy(ACTIVE, SUSPENSION))
    expect(policyState(suspended)).toMatchObject({
      state: 'suspended',
      cause: 'monitor',
      reason: 'too many wrong',
      note: null,
    })
    const released = written(suspended, releasePolicy(suspended, BY_ADA))
    expect(policyState(released)).toMatchObject({ state: 'live', cause: null, reason: null, ...BY_ADA })
  })

  test('stays suspended under a new certificate, and keeps the first reason', () => {
    const suspended = written(ACTIVE, suspendPolicy(ACTIVE, SUSPENSION))
    const later = [
      ...suspended,
      event({ kind: 'activate', certificateId: 'c2', by: 'ada' }),
      event({ kind: 'suspend', cause: 'drift', note: 'another' }),
    ]
    expect(policyState(later)).toEqual(policyState(suspended))
    expect(activeCertificate(later)).toBe('c2')
  })

  test('can be suspended before there is a certificate, and is none again after its release', () => {
    const suspended = written([], suspendPolicy([], { cause: 'admin', reason: 'not yet', by: 'ada' }))
    expect(policyState(suspended).state).toBe('suspended')
    expect(policyState(written(suspended, releasePolicy(suspended, BY_ADA))).state).toBe('none')
  })

  test('refuses a second suspension, a release of nothing, a release without a note or a name', () => {
    const suspended = written(ACTIVE, suspendPolicy(ACTIVE, SUSPENSION))
    expect(suspendPolicy(suspended, SUSPENSION).kind).toBe('refused')
    expect(suspendPolicy(ACTIVE, { ...SUSPENSION, reason: ' ' }).kind).toBe('refused')
    expect(suspendPolicy(ACTIVE, { cause: 'admin', reason: 'stop', by: null }).kind).toBe('refused')
    expect(releasePolicy(ACTIVE, BY_ADA)).toEqual({ kind: 'refused', reason: 'The policy is not suspended.' })
    expect(releasePolicy(suspended, { by: 'ada', note: ' \n' }).kind).toBe('refused')
    expect(releasePolicy(suspended, { by: '', note: 'fine' }).kind).toBe('refused')
  })

  test('restarts the monitors at a release, not at a suspension nor at a new certificate', () => {
    expect(lastRelease([])).toBeNull()
    const suspended = written(ACTIVE, suspendPolicy(ACTIVE, SUSPENSION), 500)
    expect(lastRelease(suspended)).toBeNull()
    const released = written(suspended, releasePolicy(suspended, BY_ADA), 700)
    expect(lastRelease(released)).toMatchObject({ kind: 'release', arrival: 700 })
    const renewed = [...released, event({ kind: 'activate', certificateId: 'c2' })]
    expect(lastRelease(renewed)).toBe(released.at(-1))
  })

  test('is never live again after a suspension without a release, whatever else happens', () => {
    const other = fc.constantFrom<PolicyEvent['kind']>('suspend', 'activate')
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, after) => {
        const kinds = [...before, 'suspend' as const, ...after]
        const state = policyState(kinds.map((kind) => event({ kind, cause: kind === 'suspend' ? 'monitor' : null })))
        expect(state.state).toBe('suspended')
        expect(() => policyStateSchema.parse(state)).not.toThrow()
      }),
    )
  })
})

describe('a suspension is due', () => {
  const settings = {
    beta: 0.1,
    spotCheckRate: 0.05,
    eta: 0.05,
    since: 0,
    arrivals: 2000,
    now: ARRIVED,
    undoMs: 0,
    frozenAt: null,
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
    expect(suspensionDue(ACTIVE, calm)).toBeNull()
    expect(suspensionDue([], alarmed)).toBeNull()
    expect(suspensionDue(written(ACTIVE, suspendPolicy(ACTIVE, SUSPENSION)), alarmed)).toBeNull()
  })

  test('when spot checks contradict the budget, stating after how many', () => {
    const suspension = suspensionDue(ACTIVE, alarmed)
    expect(suspension).toMatchObject({ cause: 'monitor', by: null })
    expect(suspension?.reason).toContain('after 6 of them')
    expect(suspension?.reason).toContain('0.100')
    expect(suspensionDue(ACTIVE, { ...alarmed, beta: 0.0126 })?.reason).toContain('more than 0.0126 of questions')
    expect(suspensionDue(ACTIVE, { ...alarmed, beta: 0.0004 })?.reason).toContain('more than 0.0004 of questions')
  })

  test('when another certificate raises the alarm, which is named, also while none is active', () => {
    const other = { certificateId: 'c9', beta: 0.25, alarm: riskAlarm({ ...settings, spotChecks: [] }), drift: quiet }
    expect(suspensionDue(ACTIVE, { ...calm, others: [other] })).toBeNull()
    const wrongThere = { ...other, alarm: riskAlarm({ ...settings, spotChecks: wrong }) }
    expect(wrongThere.alarm.at).toEqual(alarmed.risk.alarm.at)
    expect(suspensionDue(ACTIVE, { ...calm, others: [other, wrongThere] })).toMatchObject({
      cause: 'monitor',
      by: null,
      reason: expect.stringMatching(
        /^Under the certificate c9, which is not the active one: .*after 6 of them.*0\.250/,
      ),
    })
    expect(suspensionDue([], { ...calm, others: [wrongThere] })?.cause).toBe('monitor')
    const drifted = { ...other, drift: { ...quiet, wealth: 31, isAlarm: true, at: 812 } }
    expect(suspensionDue(ACTIVE, { ...calm, others: [drifted] })).toMatchObject({
      cause: 'drift',
      reason: expect.stringContaining('c9'),
    })
  })

  test('when debates no longer look like the calibration', () => {
    const silent = { ...noneMissing, wealth: 500, counted: 12, isAlarm: true, share: 1, at: 6 }
    const unstated = suspensionDue(ACTIVE, { ...calm, drift: { ...quiet, missing: silent } })
    expect(unstated).toMatchObject({ cause: 'fingerprint', by: null })
    expect(unstated?.reason).toContain('state no confidence')
    expect(unstated?.reason).toContain('after 6 questions')
    const drift = { ...quiet, wealth: 31, counted: 900, isAlarm: true, at: 812 }
    expect(suspensionDue(ACTIVE, { ...calm, drift })).toMatchObject({
      cause: 'drift',
      reason: expect.stringMatching(/812 debates.*same questions again and again/),
    })
  })

  test('when the panel differs, before anything else; not once an admin has accepted exactly that difference', () => {
    const evidence = { ...alarmed, mismatch: ['models', 'prompts'] }
    const suspension = suspensionDue(ACTIVE, evidence)
    expect(suspension).toEqual({ cause: 'fingerprint', reason: mismatchReason(['models', 'prompts']), by: null })
    if (suspension === null) return
    const suspended = written(ACTIVE, suspendPolicy(ACTIVE, suspension))
    const released = written(suspended, releasePolicy(suspended, BY_ADA))
    expect(suspensionDue(released, { ...calm, mismatch: ['models', 'prompts'] })).toBeNull()
    expect(suspensionDue(released, { ...calm, mismatch: ['models', 'prompts', 'rounds'] })?.cause).toBe('fingerprint')
    const renewed = [...released, event({ kind: 'activate', certificateId: 'c2' })]
    expect(suspensionDue(renewed, { ...calm, mismatch: ['models', 'prompts'] })?.cause).toBe('fingerprint')
  })
})
