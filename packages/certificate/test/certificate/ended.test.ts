import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { calibrate, PROFILES } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { fingerprintDifferences } from '../../src/certificate/fingerprint.ts'
import { debateReader } from '../../src/certificate/read-debates.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from './simulated-debates.ts'

/** A debate lacks rounds because it broke off, because its protocol ended it, or because a decision stopped it. */
const debates = simulatedDebates({ count: 300, seed: 21 })
const fresh = simulatedDebates({ count: 30, seed: 22 })
const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const options = { budget, split: { pilotFraction: 0.5, seed: 7 } } as const

/** Every fifth debate has one round fewer. */
function shortened(input: readonly Debate[], mark: Partial<Debate>): Debate[] {
  return input.map((debate, row) =>
    row % 5 === 2 ? { ...debate, rounds: debate.rounds.slice(0, 2), ...mark } : debate,
  )
}

describe('the field `ended` of a debate', () => {
  test('is null, "protocol" or "stopped"', () => {
    for (const ended of [undefined, null, 'protocol', 'stopped'] as const) {
      const debate = ended === undefined ? debates[0]! : { ...debates[0]!, ended }
      expect(parseDebate(debate).ended).toBe(ended ?? null)
    }
    for (const ended of ['', 'consensus', 1, {}, true]) {
      expect(() => parseDebate({ ...debates[0], ended })).toThrow('debate.ended must be null, "protocol" or "stopped"')
    }
  })

  test('stands beside no failure', () => {
    expect(() => parseDebate({ ...debates[0], ended: 'protocol', failure: {} })).toThrow(
      'ended must be null beside a failure',
    )
  })

  test('is kept by debates in columns', () => {
    const reader = debateReader({}, 'test', { isCompact: true })
    for (const debate of shortened(debates.slice(0, 5), { ended: 'protocol' })) reader.add(debate, debate.id)
    const kept = reader.debates()
    expect(kept.debates.map(({ record }) => record.ended)).toEqual([null, null, 'protocol', null, null])
  })
})

describe('a debate that its protocol ended', () => {
  const ended = shortened(debates, { ended: 'protocol' })
  const certificate = calibrate(ended, { ...options, profile: 'total' })

  test('counts for total, and never acts in rounds that it lacks', () => {
    const { neighbours, ids, split } = certificate.toJSON()
    expect(ids).toHaveLength(300)
    for (const [at, row] of split.neighbours.entries()) {
      expect(neighbours.excluded[3 * at + 2]).toBe(row % 5 === 2 ? '1' : neighbours.excluded[3 * at + 2])
    }
    expect(certificate.canAct()).toBe(true)
  })

  test('counts like one that broke off', () => {
    const broken = calibrate(shortened(debates, { failure: {} }), { ...options, profile: 'total' })
    expect(broken.toJSON().outcomes).toEqual(certificate.toJSON().outcomes)
  })

  test('is part of the fingerprint, saved and compared with the deployed protocol', () => {
    const whole = calibrate(debates, { ...options, profile: 'total' })
    expect(whole.fingerprint.endsEarly).toBe(false)
    expect(certificate.fingerprint.endsEarly).toBe(true)
    expect(loadCertificate(JSON.stringify(certificate)).fingerprint.endsEarly).toBe(true)
    expect(fingerprintDifferences(certificate.fingerprint, { endsEarly: false })).toEqual(['endsEarly'])
    expect(fingerprintDifferences(whole.fingerprint, { endsEarly: true })).toEqual(['endsEarly'])
    expect(fingerprintDifferences(whole.fingerprint, { endsEarly: false })).toEqual([])
  })

  test('is decided on the rounds that it has, and deferred after its last', () => {
    const short = shortened(fresh, { ended: 'protocol' })
    const { actedAt } = replay(certificate, short).at(budget)
    for (const [row, debate] of short.entries()) {
      const decision = decide(certificate, debate)
      expect(decision.kind).not.toBe('continue')
      expect(decision.kind === 'act' ? decision.round : 0).toBe(actedAt[row])
    }
  })

  test.each(['cells', 'tight', 'paper'] as const)('is refused by profile %s', (profile) => {
    expect(() => calibrate(ended, { ...options, profile, kFamily: [20] })).toThrow(
      'debates[2].rounds must be of 3 rounds like debates[0], since calibration needs every round (a protocol that ends early needs the profile total), got 2',
    )
  })

  test('gives the number of rounds where every debate ended so', () => {
    const all = debates.map((debate, row): Debate => {
      return { ...debate, rounds: debate.rounds.slice(0, 1 + (row % 3)), ended: 'protocol' }
    })
    expect(calibrate(all, { ...options, profile: 'total' }).rounds).toBe(3)
  })
})

describe('a debate that a decision stopped', () => {
  test.each(PROFILES)('is refused by profile %s with what to do, even where all have as many rounds', (profile) => {
    const sentence =
      /^calibrate: debates\[2\]\.ended must be null or "protocol": a decision stopped this debate, so the answers of later rounds are unknown\. Calibrate on debates that went on to their last round, such as spot checks, got "stopped"$/
    expect(() => calibrate(shortened(debates, { ended: 'stopped' }), { ...options, profile })).toThrow(sentence)
    const all = debates.map((debate): Debate => ({ ...debate, rounds: debate.rounds.slice(0, 1), ended: 'stopped' }))
    expect(() => calibrate(all, { ...options, profile })).toThrow('a decision stopped this debate')
  })
})

test('a short debate that does not state its end is refused by total', () => {
  expect(() => calibrate(shortened(debates, {}), { ...options, profile: 'total' })).toThrow(
    'debates[2].rounds must be of 3 rounds like debates[0], since calibration needs every round, got 2',
  )
})

test('a debate that broke off is a deferral for total from there on', () => {
  const certificate = calibrate(shortened(debates, { failure: { agent: 'x' } }), { ...options, profile: 'total' })
  const { neighbours, split } = certificate.toJSON()
  for (const [at, row] of split.neighbours.entries())
    if (row % 5 === 2) expect(neighbours.excluded[3 * at + 2]).toBe('1')
  expect(certificate.fingerprint.endsEarly).toBe(false)
})
