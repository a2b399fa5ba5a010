import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { carriedForward } from '../../src/certificate/carry-forward.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { debateReader, readDebates } from '../../src/certificate/read-debates.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from './simulated-debates.ts'

const debates = simulatedDebates({ count: 300, seed: 21 })
const fresh = simulatedDebates({ count: 20, seed: 22 })
const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const split = { pilotFraction: 0.5, seed: 7 }
const PROFILES: readonly Pick<CalibrateOptions, 'profile' | 'kFamily'>[] = [
  { profile: 'cells' },
  { profile: 'tight', kFamily: [20, 60] },
  { profile: 'paper', kFamily: [20, 60] },
]

/** Every seventh debate breaks off after one or two rounds. */
function withFailures(input: readonly Debate[]): Debate[] {
  return input.map((debate, row) =>
    row % 7 === 0
      ? { ...debate, rounds: debate.rounds.slice(0, 1 + (row % 2)), failure: { round: 2 + (row % 2) } }
      : debate,
  )
}

/** Labels by round, one digit per row. */
function correctOf(certificate: ReturnType<typeof calibrate>): readonly string[] {
  const file = certificate.toJSON()
  if (file.method === 'knn') return file.data.map(({ correct }) => correct)
  const { rounds } = file.neighbours
  const correct = Array.from(file.neighbours.right, (label, at) => (file.neighbours.excluded[at] === '1' ? '0' : label))
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: correct.length / rounds }, (_, row) => correct[row * rounds + round]).join(''),
  )
}

describe.each(PROFILES)('calibrate with profile $profile', (options) => {
  const of = (input: readonly Debate[]) => calibrate(input, { ...options, budget, split })

  test('counts the rounds that a failed debate lacks as wrong or excludes them, and those that it has as they were', () => {
    const failing = withFailures(debates)
    const [whole, certificate] = [of(debates), of(failing)]
    expect(certificate.ids).toEqual(whole.ids)
    const rows = certificate.kind === 'cells' ? certificate.split.neighbours : debates.map((_, row) => row)
    const rounds = rows.map((row) => failing[row]!.rounds.length)
    const expected = correctOf(whole).map((labels, round) =>
      labels.replace(/./g, (label, at: number) => (rounds[at]! > round ? label : '0')),
    )
    expect(correctOf(certificate)).toEqual(expected)
  })

  test('reports the same for read debates, and after it is loaded again', () => {
    const failing = withFailures(debates)
    const reader = debateReader()
    for (const debate of failing) reader.add(debate, debate.id)
    const certificate = of(failing)
    expect(calibrate(readDebates(failing), { ...options, budget, split }).toJSON()).toEqual(certificate.toJSON())
    expect(calibrate(reader.debates(), { ...options, budget, split }).toJSON()).toEqual(certificate.toJSON())
    const loaded = loadCertificate(JSON.stringify(certificate))
    for (const debate of fresh) expect(decide(loaded, debate)).toEqual(decide(certificate, debate))
  })

  test('takes a debate with a failure and all its rounds for what it is, whole', () => {
    const marked = debates.map((debate) => ({ ...debate, failure: { round: 4 } }))
    expect(of([debates[0]!, ...marked.slice(1)]).toJSON()).toEqual(of(debates).toJSON())
  })

  test('finds the number of rounds at the first debate that did not fail', () => {
    const failing = withFailures(debates)
    expect(failing[0]!.rounds).toHaveLength(1)
    expect(of(failing).rounds).toBe(3)
  })

  test('refuses short debates that did not fail, failed ones that are too long, and failed ones alone', () => {
    const [first, second] = [debates[0]!, debates[1]!]
    const short = { ...second, rounds: second.rounds.slice(1) }
    const rounds = 'debates[1].rounds must be of 3 rounds like debates[0], since calibration needs every round'
    expect(() => of([first, short])).toThrow(`${rounds}, got 2`)
    const long = { ...second, rounds: [...second.rounds, ...second.rounds], failure: {} }
    expect(() => of([first, long])).toThrow(`${rounds}, got 6`)
    expect(() => of([{ ...short, failure: {} }])).toThrow('calibrate: debates must be at least one that did not fail')
  })
})

test('a failed debate cannot be asked what it would have done later', () => {
  const certificate = calibrate(debates, { profile: 'cells', budget, split })
  expect(() => replay(certificate, withFailures(fresh))).toThrow('at least 3 rounds, got 1')
})

describe('a round that is carried forward', () => {
  const [whole, failed] = readDebates(
    [debates[1]!, { ...debates[2]!, rounds: debates[2]!.rounds.slice(0, 2), failure: {} }],
    {},
  ).debates

  test('is the last debated one without news, and whole debates stay the very ones', () => {
    const debates = [whole!, failed!]
    const names = ['x', 'y', 'z']
    const carried = carriedForward(debates, [names, names, names])
    expect(carried[0]).toBe(whole)
    expect(carried[1]!.rounds).toEqual([...failed!.rounds, { ...failed!.rounds[1], hasNews: false }])
    expect(carriedForward([whole!], [names, names, names])).toEqual([whole])
    const all = [whole!]
    expect(carriedForward(all, [names, names, names])).toBe(all)
  })

  test('of a growing panel has the later agents think like the panel', () => {
    const last = failed!.rounds[1]!
    const carried = carriedForward(
      [failed!],
      [
        ['x', 'y', 'z'],
        ['x', 'y', 'z'],
        ['v', 'x', 'y', 'z'],
      ],
    )
    const round = carried[0]!.rounds[2]!
    expect(round.agents).toEqual(['v', 'x', 'y', 'z'])
    expect([...round.agentSupport]).toEqual([last.social[last.prediction], ...last.agentSupport])
    expect(carriedForward([failed!], [null, null, null])[0]!.rounds[2]).toEqual({ ...last, hasNews: false })
  })
})

test('a growing panel of which some debates failed keeps its agents by name', () => {
  const growing = simulatedDebates({ count: 300, seed: 23, agents: ['a', 'b', 'c', 'd', 'e', 'f'] }).map((debate) => ({
    ...debate,
    rounds: debate.rounds.map((turns, round) => turns.slice(0, 2 + 2 * round)),
  }))
  for (const options of PROFILES) {
    const { fingerprint } = calibrate(withFailures(growing), { ...options, budget, split })
    expect(fingerprint.panels).toBe('same')
    expect(fingerprint.agents).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd', 'e', 'f'],
    ])
  }
})
