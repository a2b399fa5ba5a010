import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { type CalibrateOptions, type Certificate, calibrate } from '../../src/certificate/calibrate.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { type Decision, decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const labelled = simulatedDebates({ count: 900, seed: 1, groups: ['law', 'art'] })
const fresh = simulatedDebates({ count: 150, seed: 2, groups: ['law', 'art', 'unseen', null] })
const split = { pilotFraction: 0.5, seed: 7 }
const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const prefix = (debate: Debate, rounds: number): Debate => ({ ...debate, rounds: debate.rounds.slice(0, rounds) })

const KINDS: readonly [string, Omit<CalibrateOptions, 'budget'>][] = [
  ['paper', { profile: 'paper', kFamily: [60, 300] }],
  ['tight, learned state', { profile: 'tight', kFamily: [20, 60] }],
  ['tight, votes, by group', { profile: 'tight', kFamily: [20, 60], beliefs: 'vote', groupConditional: true }],
  ['path cells', { profile: 'cells', cells: 'path' }],
  ['nominate cells', { profile: 'cells', cells: 'nominate' }],
  ['cells by group', { profile: 'cells', groupConditional: true }],
]

describe('turns that lack what the certificate was calibrated on', () => {
  const agreed = (fields: object): Debate => ({
    id: 'agreed',
    options: ['A', 'B', 'C'],
    rounds: [1, 2, 3].map(() => ['x', 'y', 'z'].map((agent) => ({ agent, answer: 'A', ...fields }))),
  })
  const beliefs = { A: 0.9, B: 0.05, C: 0.05 }
  const given = labelled.map((debate) => ({
    ...debate,
    rounds: debate.rounds.map((turns) =>
      turns.map(({ agent, answer, conf }) => {
        const sure = conf?.verbal ?? 0
        const rest = (1 - sure) / 2
        return {
          agent,
          answer,
          beliefs: answer === null ? null : { A: rest, B: rest, C: rest, [answer]: sure },
          samples: [answer, answer, null],
        }
      }),
    ),
  }))
  const all = { conf: { verbal: 0.9 }, beliefs, samples: ['A', 'A', null] }
  const lacking = (...names: readonly (keyof typeof all)[]) =>
    agreed(Object.fromEntries(Object.entries(all).filter(([name]) => !names.some((lost) => lost === name))))

  test.each([
    ['stated, as the debates have it', labelled, undefined, 'conf'],
    ['stated', labelled, 'stated', 'conf'],
    ['given, as the debates have it', given, undefined, 'beliefs'],
    ['given', given, 'given', 'beliefs'],
    ['samples', given, 'samples', 'samples'],
  ] as const)('%s: nobody is sure, and nothing acts', (_, debates, reading, needed) => {
    for (const profile of ['cells', 'tight'] as const) {
      const certificate = calibrate(debates, {
        profile,
        budget,
        split,
        ...(profile === 'tight' && { kFamily: [20, 60] }),
        ...(reading && { beliefs: reading }),
      })
      expect(decide(certificate, agreed(all)).kind, 'with everything it acts').toBe('act')
      expect(decide(certificate, lacking(needed)).kind).toBe('defer')
      expect(decide(certificate, agreed({})).kind).toBe('defer')
      expect(decide(certificate, agreed({ conf: null, beliefs: null, samples: null })).kind).toBe('defer')
    }
  })

  test('the fingerprint has how often calibration lacked it', () => {
    const some = labelled.map((debate, row) => (row % 10 === 0 ? { ...debate, rounds: agreed({}).rounds } : debate))
    const { turns, elicitation } = calibrate(some, { profile: 'cells', budget, split }).fingerprint
    expect(elicitation).toBe('stated')
    expect(turns?.missing).toBe(90 * 9)
    expect(turns?.answered).toBeGreaterThan(900 * 8)
  })
})

describe.each(KINDS)('%s', (_, options) => {
  const certificate = calibrate(labelled, { ...options, split, budget })
  const decisions = fresh.map((debate) => decide(certificate, debate))

  test('acts on some debates and defers others, so the following tests mean something', () => {
    const kinds = new Set(decisions.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['act', 'defer']))
  })

  test('acts at the first round whose bound reaches the threshold, with the answer of that round', () => {
    for (const decision of decisions) {
      const passing = decision.path.filter(({ lower }) => lower !== null && lower >= certificate.threshold)
      expect(decision.path.map(({ round }) => round)).toEqual(decision.path.map((_, at) => at + 1))
      expect(passing).toEqual(decision.kind === 'act' ? [decision.path.at(-1)] : [])
      if (decision.kind !== 'act') continue
      const { round, answer, lower } = decision.path.at(-1)!
      expect(decision).toMatchObject({ round, answer, bound: lower })
    }
  })

  test('continues on a prefix until it acts or no later round can, then returns the same as for the whole debate', () => {
    const lengthOf = (row: number) => decisions[row]!.path.length
    const roundsOf = (row: number) => Array.from({ length: Math.max(1, lengthOf(row)) }, (_, at) => at + 1)
    const live = fresh.map((debate, row) => roundsOf(row).map((rounds) => decide(certificate, prefix(debate, rounds))))
    expect(live).toEqual(
      decisions.map((whole, row) =>
        roundsOf(row).map((rounds) =>
          rounds < lengthOf(row) ? { kind: 'continue', path: whole.path.slice(0, rounds) } : whole,
        ),
      ),
    )
  })

  test('defers after the last calibrated round, whatever is said later', () => {
    const longer = fresh.map((debate) => ({ ...debate, rounds: [...debate.rounds, debate.rounds[0]!] }))
    expect(longer.map((debate) => decide(certificate, debate))).toEqual(decisions)
  })

  test('every step can be recomputed: lower = mean - envelope - slack, mean = successes / neighbours', () => {
    const wrong = decisions
      .flatMap(({ path }) => path)
      .filter((step) => {
        if (step.lower === null) return false
        const { lower, mean, envelope, slack, successes, neighbours, threshold } = step
        const isSum = Math.abs(mean - envelope - slack - lower) < 0.5e-14
        return !(isSum && successes / neighbours === mean && threshold === certificate.threshold)
      })
    expect(wrong).toEqual([])
  })

  test('replay decides as decide does, at this budget and at others', () => {
    const stored = replay(certificate, fresh)
    for (const other of [budget, { ...budget, beta: 0.3 }, { ...budget, delta: 0.1 }, { ...budget, epsilon: 0.2 }]) {
      const { actedAt, bounds, threshold } = stored.at(other)
      const asked = certificate.withBudget(other)
      expect(threshold).toBe(asked.threshold)
      const decided = decisionsOf(asked)
      expect([...actedAt]).toEqual(decided.map((decision) => (decision.kind === 'act' ? decision.round : 0)))
      const boundAt = (row: number, round: number) => bounds[row * certificate.rounds + round - 1]
      expect(decided.map(({ path }, row) => path.map(({ round }) => boundAt(row, round)))).toEqual(
        decided.map(({ path }) => path.map(({ lower }) => lower ?? Number.NaN)),
      )
    }
  })

  test('a budget that is not feasible defers everything before looking', () => {
    for (const beta of [0.0009, 0.02, 0.021, 0.05, 0.051, 0.07, 0.0700001]) {
      const asked = certificate.withBudget({ beta, delta: 0.05, epsilon: 0.02 })
      expect(asked.feasible).toBe(asked.budget.alpha > 0.001)
      if (!asked.feasible) {
        expect(decide(asked, fresh[0]!)).toEqual({ kind: 'defer', reason: 'budget-infeasible', path: [] })
        expect(
          replay(certificate, fresh)
            .at(asked.budget)
            .actedAt.some((round) => round > 0),
        ).toBe(false)
      }
    }
    const never = calibrate(labelled, { ...options, split, budget: { beta: 0.0009, delta: 0.05, epsilon: 0.02 } })
    expect(never.feasible).toBe(false)
    expect(decide(never, fresh[0]!)).toEqual({ kind: 'defer', reason: 'budget-infeasible', path: [] })
  })

  test('withBudget is the certificate fitted again', () => {
    for (const other of [
      { beta: 0.4, delta: 0.1, epsilon: 0.01 },
      { ...budget, beta: 0.2, deltaOmega: 0.02 },
    ]) {
      const refitted = calibrate(labelled, { ...options, split, budget: other })
      const asked = certificate.withBudget(other)
      expect(asked.budget).toEqual(refitted.budget)
      expect(JSON.stringify(asked)).toBe(JSON.stringify(refitted))
      expect(decisionsOf(asked)).toEqual(decisionsOf(refitted))
    }
    expect(decisionsOf(certificate.withBudget({ beta: 0.9, delta: 0.1, epsilon: 0 }).withBudget(budget))).toEqual(
      decisions,
    )
  })
})

function decisionsOf(certificate: Certificate): Decision[] {
  return fresh.map((debate) => decide(certificate, debate))
}

describe('a nomination', () => {
  const certificate = calibrate(labelled, { profile: 'cells', cells: 'nominate', split, budget })

  test('is the only look: refused is deferred at once', () => {
    const decisions = decisionsOf(certificate)
    for (const { path, kind } of decisions) {
      const goesOn = ['not-nominated', 'no-vote', 'tie', 'no-news']
      expect(path.slice(0, -1).every((step) => step.lower === null && goesOn.includes(step.reason))).toBe(true)
      if (kind !== 'defer') continue
      const last = path.at(-1)!
      expect(last.lower !== null || last.reason === 'kind-vetoed' || path.length === certificate.rounds).toBe(true)
    }
  })

  test('that is refused defers in its round, with rounds still to come', () => {
    const refused = [0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.2]
      .flatMap((beta) => decisionsOf(certificate.withBudget({ ...budget, beta })))
      .filter(({ kind, path }) => kind === 'defer' && path.length < certificate.rounds)
    const reasons = new Set(refused.map((decision) => decision.kind === 'defer' && decision.reason))
    expect(reasons).toContain('bound-low')
  })
})

describe('deltaOmega', () => {
  test("is taken from the level and not from the threshold, under the paper's rule", () => {
    const options = { profile: 'tight', kFamily: [20, 60], alphaRule: 'printed', split } as const
    const reserved = calibrate(labelled, { ...options, budget: { ...budget, deltaOmega: 0.02 } })
    const plain = calibrate(labelled, { ...options, budget: { ...budget, delta: 0.03, beta: budget.beta - 0.02 } })
    expect(reserved.threshold).toBe(plain.threshold)
    expect(reserved.threshold).toBe(calibrate(labelled, { ...options, budget }).threshold)
    const bounds = (certificate: Certificate) => replay(certificate, fresh).at(certificate.budget).bounds
    const expected = bounds(plain)
    for (const [at, bound] of bounds(reserved).entries()) {
      // A round that never acts has no bound.
      if (Number.isNaN(expected[at]!)) expect(bound).toBeNaN()
      else expect(bound).toBeCloseTo(expected[at]!, 12)
    }
  })
})

describe('a panel that was not calibrated', () => {
  const renamed = (debate: Debate, rounds: readonly number[]): Debate => ({
    ...debate,
    rounds: debate.rounds.map((turns, at) =>
      rounds.includes(at + 1) ? turns.map((turn) => ({ ...turn, agent: `${turn.agent}2` })) : turns,
    ),
  })

  const fitted = (profile: 'tight' | 'cells') => calibrate(labelled, { profile, kFamily: [20, 60], split, budget })
  const certificates = { tight: fitted('tight'), cells: fitted('cells') }

  test.each(['tight', 'cells'] as const)('defers as uncalibrated under %s', (profile) => {
    const certificate = certificates[profile]
    expect(decide(certificate, renamed(fresh[0]!, [1, 2, 3]))).toEqual({
      kind: 'defer',
      reason: 'uncalibrated',
      path: [],
    })
    const fewer = { ...fresh[0]!, rounds: fresh[0]!.rounds.map((turns) => turns.slice(1)) }
    expect(decide(certificate, fewer)).toMatchObject({ kind: 'defer', reason: 'uncalibrated' })
  })

  test.each([
    ['tight', [1]],
    ['tight', [2]],
    ['tight', [3]],
    ['cells', [1]],
    ['cells', [2]],
    ['cells', [3]],
  ] as const)('replay under %s says what decide says when the panel changes in round %j', (profile, rounds) => {
    const certificate = certificates[profile]
    const changed = fresh.map((debate) => renamed(debate, rounds))
    const { actedAt } = replay(certificate, changed).at(budget)
    const decisions = changed.map((debate) => decide(certificate, debate))
    expect([...actedAt]).toEqual(decisions.map((decision) => (decision.kind === 'act' ? decision.round : 0)))
    const uncalibrated = decisions.filter((decision) => decision.kind === 'defer' && decision.reason === 'uncalibrated')
    expect(uncalibrated.length).toBeGreaterThan(0)
  })

  test.each(['paper', 'tight', 'cells'] as const)(
    'is refused by %s, though a small pilot has no state by agent',
    (profile) => {
      const certificate = calibrate(labelled.slice(0, 300), { profile, kFamily: [20, 60], split, budget })
      const other = renamed(fresh[0]!, [1, 2, 3])
      expect(decide(certificate, other)).toEqual({ kind: 'defer', reason: 'uncalibrated', path: [] })
      expect([...replay(certificate, [other]).at(budget).actedAt]).toEqual([0])
    },
  )
})

describe('a panel without a vote', () => {
  const silent = (debate: Debate, rounds: readonly number[]): Debate => ({
    ...debate,
    rounds: debate.rounds.map((turns, at) =>
      rounds.includes(at + 1) ? turns.map(({ agent }) => ({ agent, answer: null })) : turns,
    ),
  })

  test.each(['paper', 'tight', 'cells'] as const)(
    'never acts under %s, even where every labelled debate was right',
    (profile) => {
      // Nearly always right, whatever the agents say, so every cell and every neighbourhood passes.
      const easy = labelled.map((debate, row) => ({ ...(row % 3 === 0 ? silent(debate, [1, 2, 3]) : debate) }))
      const certificate = calibrate(easy, { profile, kFamily: [20, 60], split, budget: { ...budget, beta: 0.9 } })
      const other = silent(fresh[0]!, [1, 2, 3])
      const decision = decide(certificate, other)
      expect(decision.kind).toBe('defer')
      expect(decision.path.map((step) => step.lower === null && step.reason)).toEqual(['no-vote', 'no-vote', 'no-vote'])
      expect([...replay(certificate, [other]).at({ ...budget, beta: 0.9 }).actedAt]).toEqual([0])
    },
  )
})

describe('where panels vary between rows', () => {
  test('agents that were never seen are not calibrated, and some of those seen are', () => {
    const [first, ...rest] = labelled
    const varying = [{ ...first!, rounds: first!.rounds.map((turns) => turns.slice(1)) }, ...rest]
    const otherAgents = {
      ...fresh[0]!,
      rounds: fresh[0]!.rounds.map((turns) => turns.map((turn) => ({ ...turn, agent: `${turn.agent}'` }))),
    }
    const certificate = calibrate(varying, { profile: 'paper', kFamily: [20, 60], split, budget })
    expect(decide(certificate, otherAgents)).toMatchObject({ kind: 'defer', reason: 'uncalibrated' })
    expect(
      decide(certificate, { ...fresh[0]!, rounds: fresh[0]!.rounds.map((turns) => turns.slice(1)) }).path,
    ).toHaveLength(3)
  })
})

describe('what cannot be decided', () => {
  test('a saved certificate that was not loaded, and anything else', () => {
    const saved = JSON.parse(JSON.stringify(calibrate(labelled.slice(0, 50), { profile: 'cells', budget })))
    for (const other of [saved, undefined, fresh[0]]) {
      expect(() => decide(other, fresh[0]!)).toThrow(
        'decide: certificate must be made by calibrate() or loadCertificate()',
      )
      expect(() => replay(other, fresh)).toThrow('replay: certificate must be made by calibrate() or loadCertificate()')
    }
  })

  test('debates that look as if they had been read', () => {
    const parsed = JSON.parse(JSON.stringify(readDebates(labelled)))
    for (const unread of [parsed, { debates: labelled }]) {
      expect(() => calibrate(unread, { profile: 'cells', budget })).toThrow(CertificateError)
    }
    const { debates, reading } = readDebates(labelled)
    const twice = { reading, debates: [debates[0]!, debates[0]!] }
    expect(() => calibrate(twice, { profile: 'cells', budget })).toThrow(
      'calibrate: debates[1].id must be unlike every other',
    )
  })

  test('options that do not exist', () => {
    const misspelt = { profile: 'cells', budget, spilt: split } as const
    expect(() => calibrate(labelled, misspelt)).toThrow('an option must be one of profile, budget, split')
  })

  test('a certificate fitted from states is asked by bound()', () => {
    const states = fitCertificate({ rounds: [{ states: [[1]], correct: [1] }] }, { profile: 'paper', budget })
    expect(() => decide(states, fresh[0]!)).toThrow(CertificateError)
    expect(() => replay(states, fresh)).toThrow(CertificateError)
  })

  test('a debate that cannot be read', () => {
    const certificate = calibrate(labelled.slice(0, 50), { profile: 'paper', budget })
    const broken = { ...fresh[0]!, rounds: [[{ agent: 'x', answer: 'Z' }]] }
    expect(() => decide(certificate, broken)).toThrow('decide: debate.rounds[0][0].answer must be null or one of')
    expect(() => replay(certificate, [fresh[0]!, broken])).toThrow('replay: debates[1].rounds[0][0].answer must be')
    expect(() => replay(certificate, [prefix(fresh[0]!, 2)])).toThrow(
      'replay: debates[0].rounds must be at least 3 rounds',
    )
    expect(() => replay(certificate, 'all' as unknown as Debate[])).toThrow('replay: debates must be an array')
  })

  test('no row near enough: too few labels', () => {
    const certificate = calibrate(labelled.slice(0, 50), { profile: 'tight', budget })
    const reason = 'too-few-labels'
    expect(decide(certificate, fresh[0]!)).toMatchObject({
      kind: 'defer',
      reason,
      path: Array(3).fill({ lower: null, reason }),
    })
    const cells = calibrate(labelled.slice(0, 4), { profile: 'cells', budget, split: { pilotFraction: 0, seed: 1 } })
    expect(decide(cells, fresh[0]!)).toMatchObject({ kind: 'defer', reason })
  })
})

describe('a tied round', () => {
  const tie = (debate: Debate): Debate => ({
    ...debate,
    rounds: debate.rounds.map((turns) =>
      turns.slice(0, 2).map((turn, at) => ({ agent: turn.agent, answer: at === 0 ? 'A' : 'B' })),
    ),
  })
  // Every panel has two agents that disagree, and the hash happens to be right, so the labels favour acting.
  const tied = simulatedDebates({ count: 600, seed: 8, agents: ['x', 'y'] }).map(tie)
  const lucky = readDebates(tied).debates.map(({ record, rounds }, row) => ({
    ...tied[row]!,
    gold: record.options[rounds[0]!.prediction]!,
  }))

  test.each(['tight', 'cells'] as const)('is never acted on under %s, whatever the labels', (profile) => {
    const certificate = calibrate(lucky, { profile, budget, split, kFamily: [20, 60] })
    for (const debate of lucky.slice(0, 20)) {
      const { kind, path } = decide(certificate, debate)
      expect(kind).toBe('defer')
      expect(path.every((step) => step.lower === null && ['tie', 'no-news'].includes(step.reason))).toBe(true)
    }
    expect(Math.max(...replay(certificate, lucky).at(budget).actedAt)).toBe(0)
  })
})
