import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import type { CellsCertificate } from '../../src/certificate/cells-certificate.ts'
import type { KnnCertificate } from '../../src/certificate/knn-certificate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from './simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const half = { pilotFraction: 0.5, seed: 7 }
const debates = simulatedDebates({ count: 900, seed: 11 })
const fresh = simulatedDebates({ count: 60, seed: 12 })
const knn = (input: readonly Debate[], options: Partial<CalibrateOptions> = {}) =>
  calibrate(input, { profile: 'tight', budget, split: half, kFamily: [20, 60], ...options }) as KnnCertificate // by profile
const cells = (input: readonly Debate[], options: Partial<CalibrateOptions> = {}) =>
  calibrate(input, { profile: 'cells', budget, split: half, ...options }) as CellsCertificate // by profile
const statesOf = (certificate: KnnCertificate) =>
  certificate.toJSON().states!.map((state) => (state.kind === 'named' ? state.name : state.kind))

describe('the state of a round', () => {
  test('is learned from 400 pilot rows on, and the support path below', () => {
    expect(statesOf(knn(debates.slice(0, 800)))).toEqual(['learned', 'learned', 'learned'])
    expect(knn(debates.slice(0, 800)).split.pilot).toHaveLength(400)
    expect(statesOf(knn(debates.slice(0, 799)))).toEqual(['support-path', 'support-path', 'support-path'])
    expect(knn(debates.slice(0, 799)).split.pilot).toHaveLength(399)
  })

  test('is the support path where the pilot labels of that round are of one kind, and such a round has no bound', () => {
    const pilot = knn(debates).split.pilot
    // In the last round every pilot panel is right.
    const agreed = debates.map((debate, row) =>
      pilot.includes(row)
        ? {
            ...debate,
            rounds: debate.rounds.with(
              2,
              debate.rounds[2]!.map(({ agent }) => ({ agent, answer: debate.gold!, conf: { verbal: 1 } })),
            ),
          }
        : debate,
    )
    const certificate = knn(agreed)
    expect(statesOf(certificate)).toEqual(['learned', 'learned', 'support-path'])
    const { path } = decide(certificate.withBudget({ beta: 0.05, delta: 0.05, epsilon: 0.02 }), fresh[0]!)
    expect(path.map(({ lower }) => lower === null)).toEqual([false, false, true])
    expect(path[2]).toMatchObject({ lower: null, reason: 'too-few-labels' })
  })

  test('is the paper state for the paper, and any other by name', () => {
    expect(statesOf(knn(debates.slice(0, 50), { profile: 'paper' }))).toEqual(['paper', 'paper', 'paper'])
    for (const [state, dimension] of [
      ['paper', 2],
      ['paper-1d', 1],
      ['paper-3d', 3],
      ['paper-4d', 4],
      ['support-path', 2],
    ] as const) {
      const { data } = knn(debates.slice(0, 50), { state }).toJSON()
      expect(data.map((round) => round.dimension)).toEqual([dimension, dimension, dimension])
    }
  })

  test("may be a function of one's own, which sees the rounds so far and none later", () => {
    const seen: number[] = []
    const of = (prefix: readonly { p1: number }[]) => {
      seen.push(prefix.length)
      return [prefix.at(-1)!.p1, prefix.length]
    }
    const certificate = knn(debates.slice(0, 50), { state: { name: 'depth', of } })
    expect(new Set(seen)).toEqual(new Set([1, 2, 3]))
    expect(certificate.fingerprint.state).toBe('custom:depth')
    expect(certificate.toJSON().data[1]!.states.filter((_, at) => at % 2 === 1)).toEqual(Array(50).fill(2))
  })

  test.each<[string, unknown]>([
    ['a number', 1],
    ['nothing', undefined],
    ['null', null],
    ['no coordinates', []],
    ['NaN', [Number.NaN]],
    ['a text', ['1']],
    ['an object', { length: 1 }],
  ])("of one's own that gives %s is refused, when calibrating, deciding and replaying", (_, given) => {
    const small = debates.slice(0, 50)
    const bad = { name: 'bad', of: () => given as number[] }
    expect(() => knn(small, { state: bad })).toThrow(CertificateError)
    let isBad = false
    const turning = { name: 'turning', of: () => (isBad ? (given as number[]) : [0.5]) }
    const certificate = knn(small, { state: turning, kFamily: [5], envelope: 'none' })
    isBad = true
    expect(() => decide(certificate, fresh[0]!)).toThrow(CertificateError)
    expect(() => replay(certificate, fresh)).toThrow(CertificateError)
  })

  test("of one's own must have as many coordinates for every debate", () => {
    const state = { name: 'ragged', of: (_: unknown, { id }: { id: string }) => (id === 'q11-3' ? [1, 2] : [1]) }
    expect(() => knn(debates.slice(0, 9), { state })).toThrow(
      'calibrate: state of debates[3] at round 1 must be 1 finite numbers',
    )
  })
})

describe('agents whose names are not the same in every row', () => {
  // One neighbour row has another agent; every pilot row has x, y and z.
  const { pilot, neighbours } = knn(debates).split
  const odd = neighbours[0]!
  const mixed = debates.with(odd, {
    ...debates[odd]!,
    rounds: debates[odd]!.rounds.map((turns) =>
      turns.map((turn) => (turn.agent === 'x' ? { ...turn, agent: 'w' } : turn)),
    ),
  })

  test('count by minimum, median and maximum, also when all pilot rows have the same', () => {
    expect(pilot).not.toContain(odd)
    const certificate = knn(mixed)
    for (const state of certificate.toJSON().states!) {
      expect(state).toMatchObject({ kind: 'learned', score: { layout: { agents: null } } })
    }
    expect(decide(certificate, mixed[odd]!).kind).not.toBe('continue')
    expect(cells(mixed).toJSON().score.layout.agents).toEqual([null, null, null])
  })
})

describe('runs of one question', () => {
  test('stay on one side of the split, and one run of each is counted', () => {
    const runs = simulatedDebates({ count: 300, seed: 4 })
    const questionOf = (id: string) => `question ${Number(id.split('-')[1]) % 100}`
    for (const certificate of [knn(runs, { questionOf }), cells(runs, { questionOf })]) {
      const asked = (rows: readonly number[]) => rows.map((row) => questionOf(certificate.ids![row]!))
      const { pilot, neighbours } = certificate.split
      expect(asked(pilot).filter((question) => asked(neighbours).includes(question))).toEqual([])
      expect(pilot).toHaveLength(150)
      expect(neighbours).toHaveLength(50)
      expect(new Set(asked(neighbours)).size).toBe(50)
    }
  })

  test('are named in the debates themselves, with the same result', () => {
    const runs = simulatedDebates({ count: 300, seed: 4 })
    const questionOf = (id: string) => `question ${Number(id.split('-')[1]) % 100}`
    const named = runs.map((debate) => ({ ...debate, question_of: questionOf(debate.id) }))
    expect(knn(named).toJSON()).toEqual(knn(runs, { questionOf }).toJSON())
    expect(cells(named).toJSON()).toEqual(cells(runs, { questionOf }).toJSON())
    expect(cells(named).toJSON()).not.toEqual(cells(runs).toJSON())
  })
})

describe('folds of the pilot', () => {
  const rows = Array.from({ length: 900 }, (_, row) => row)
  const split = { pilot: rows.slice(0, 300), neighbours: rows.slice(300) }
  const folded = (dealt: (at: number) => number) => ({ ...split, folds: split.pilot.map((_, at) => dealt(at)) })

  test('are an argument of total and of cells', () => {
    const total = (chosen: CalibrateOptions['split']) =>
      JSON.stringify(calibrate(debates, { profile: 'total', budget: { ...budget, beta: 0.2 }, split: chosen! }))
    const dealt = folded((at) => at % 5)
    expect(total(dealt)).toBe(total(dealt))
    expect(total(dealt)).not.toBe(total(folded((at) => Math.floor(at / 60))))
    const design = (chosen: CalibrateOptions['split']) => JSON.stringify(cells(debates, { split: chosen! }))
    expect(design(dealt)).not.toBe(design(folded((at) => Math.floor(at / 60))))
  })

  test('are refused where no score competes', () => {
    expect(() => knn(debates, { split: folded((at) => at % 5) })).toThrow(
      'split.folds must be left out, or used with profile total or cells',
    )
    const mixed: CalibrateOptions['split'] = { seed: 7, ...{ folds: [0, 1] } }
    expect(() => cells(debates, { split: mixed })).toThrow(
      'split.folds must be left out, or beside split.pilot and split.neighbours',
    )
  })
})

describe('names like properties of every object', () => {
  const names = ['__proto__', 'constructor', 'toString']
  const strange = simulatedDebates({ count: 900, seed: 5, agents: names, options: names, groups: names })
  const asked = simulatedDebates({ count: 30, seed: 6, agents: names, options: names, groups: names })
  const ordinary = (debate: Debate): Debate => {
    const plain = (name: string) => `n${names.indexOf(name)}`
    return {
      id: debate.id,
      group: plain(debate.group!),
      options: names.map(plain),
      gold: plain(debate.gold!),
      rounds: debate.rounds.map((turns) =>
        turns.map((turn) => ({ ...turn, agent: plain(turn.agent), answer: turn.answer && plain(turn.answer) })),
      ),
    }
  }
  const weights = JSON.parse('{"__proto__":3,"constructor":0.5}')
  const plainWeights = { n0: 3, n1: 0.5 }

  test.each(['paper', 'tight', 'cells'] as const)(
    'are names under %s: the decisions are those of a panel with plain names',
    (profile) => {
      const options = { profile, budget, split: half, kFamily: [20, 60], groupConditional: true } as const
      const certificate = calibrate(strange, { ...options, weights })
      const plain = calibrate(strange.map(ordinary), { ...options, weights: plainWeights })
      for (const debate of asked) {
        const [found, expected] = [decide(certificate, debate), decide(plain, ordinary(debate))]
        expect(found.kind).toBe(expected.kind)
        expect(found.path.map(({ lower }) => lower)).toEqual(expected.path.map(({ lower }) => lower))
      }
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    },
  )
})

describe('bad debates and options are refused with their place', () => {
  const few = debates.slice(0, 20)
  const calibrating = (input: unknown, options: unknown) => () =>
    calibrate(input as Debate[], options as CalibrateOptions)

  test.each<[string, unknown, string]>([
    ['no list', { 0: few[0] }, 'calibrate: debates must be an array'],
    ['nothing', undefined, 'calibrate: debates must be an array'],
    ['an empty set', [], 'calibrate: debates must be at least one labelled debate'],
    ['no debate', [few[0], null], 'calibrate: debates[1] must be an object'],
    ['an id twice', [...few, few[3]], 'calibrate: debates[20].id must be a unique id: debates[3] has the same'],
    [
      'an unknown option',
      [few[0], { ...few[1]!, rounds: [[{ agent: 'x', answer: 'Q' }]] }],
      'calibrate: debates[1].rounds[0][0].answer must be',
    ],
    [
      'a belief in an unknown option',
      [{ ...few[1]!, rounds: [[{ agent: 'x', answer: 'A', beliefs: { Q: 1 } }]] }],
      'calibrate: debates[0].rounds[0][0].beliefs.Q must be',
    ],
    [
      'beliefs that sum to .9',
      [{ ...few[1]!, rounds: [[{ agent: 'x', answer: 'A', beliefs: { A: 0.9 } }]] }],
      'calibrate: debates[0].rounds[0][0].beliefs must be',
    ],
    ['no gold', [few[0], { ...few[1]!, gold: null }], 'calibrate: debates[1].gold must be'],
    ['an unknown gold', [few[0], { ...few[1]!, gold: 'Q' }], 'calibrate: debates[1].gold must be'],
    [
      'fewer rounds',
      [few[0], { ...few[1]!, rounds: few[1]!.rounds.slice(1) }],
      'calibrate: debates[1].rounds must be of 3 rounds like debates[0], since calibration needs every round, got 2',
    ],
  ])('%s', (_, input, message) => {
    expect(calibrating(input, { profile: 'paper', budget })).toThrow(CertificateError)
    expect(calibrating(input, { profile: 'paper', budget })).toThrow(message)
  })

  test.each<[string, object | null, string]>([
    ['null', null, 'calibrate: profile must be one of total, cells, tight, paper'],
    ['an unknown profile', { profile: 'loose' }, 'calibrate: profile must be one of total, cells, tight, paper'],
    ['no budget', { budget: undefined }, 'calibrate: budget must be'],
    ['beta 0', { budget: { ...budget, beta: 0 } }, 'calibrate: budget.beta must be'],
    ['beta 0 for cells', { profile: 'cells', budget: { ...budget, beta: 0 } }, 'calibrate: budget.beta must be'],
    ['k = 0', { kFamily: [0] }, 'calibrate: kFamily[0] must be'],
    ['a split that is no split', { split: 1 }, 'calibrate: split must be'],
    ['a split that is no split, for cells', { profile: 'cells', split: 1 }, 'calibrate: split must be'],
    [
      'an unknown state',
      { state: 'shape' },
      'calibrate: state must be one of learned, paper, paper-1d, paper-3d, paper-4d, support-path',
    ],
    ['a state without a function', { state: { name: 'mine' } }, 'calibrate: state must be'],
    ['a state without a name', { state: { of: () => [1] } }, 'calibrate: state must be'],
    ['unknown beliefs', { beliefs: 'guessed' }, 'calibrate: beliefs must be one of given, samples, stated, vote'],
    ['a seed of -1', { seed: -1 }, 'calibrate: seed must be'],
    [
      'an unknown cell variant',
      { profile: 'cells', cells: 'tree' },
      'calibrate: cells must be one of auto, path, nominate',
    ],
    ['an unknown group level', { groupLevel: 'both' }, 'calibrate: groupLevel must be'],
    ['a flag that is no flag', { groupConditional: 'yes' }, 'calibrate: groupConditional must be'],
    ['weights of null', { weights: null }, 'calibrate: weights must be'],
    ['weights in a list', { weights: [1, 2] }, 'calibrate: weights must be'],
    ['a weight below 0', { weights: { x: -1 } }, 'calibrate: weights.x must be'],
    ['a weight of NaN', { weights: { x: Number.NaN } }, 'calibrate: weights.x must be'],
    ['a weight as text', { weights: { x: '1' } }, 'calibrate: weights.x must be'],
    [
      'a bad weight of an agent that is not there',
      { weights: { ghost: Infinity } },
      'calibrate: weights.ghost must be',
    ],
    ['questions that are no function', { questionOf: 'id' }, 'calibrate: questionOf must be'],
    ['a question without a key', { questionOf: () => undefined }, 'calibrate: questionOf must be'],
    ['models that are no names', { models: { x: 4 } }, 'calibrate: models.x must be'],
    ['prompts that are no digest', { prompts: 4 }, 'calibrate: prompts must be'],
  ])('%s', (_, change, message) => {
    const options = change && { profile: 'paper', budget, ...change }
    expect(calibrating(few, options)).toThrow(CertificateError)
    expect(calibrating(few, options)).toThrow(message)
  })

  test('weights that leave a round without a voice', () => {
    const silent = { profile: 'paper', budget, weights: { x: 0, y: 0, z: 0 } }
    expect(calibrating(few, silent)).toThrow(CertificateError)
  })
})

describe('what was passed in', () => {
  test('does not reach the certificate once it is made', () => {
    const weights = { x: 2 }
    const models = { x: 'model-1' }
    const certificate = knn(debates.slice(0, 60), { profile: 'paper', kFamily: [5], weights, models })
    const [before, text] = [fresh.map((debate) => decide(certificate, debate)), JSON.stringify(certificate)]
    weights.x = 0
    models.x = 'model-2'
    expect(fresh.map((debate) => decide(certificate, debate))).toEqual(before)
    expect(JSON.stringify(certificate)).toBe(text)
  })

  test('may be read once and used for several certificates', () => {
    const read = readDebates(debates, { beliefs: 'vote', seed: 3 })
    const options = { profile: 'tight', budget, split: half, kFamily: [20, 60] } as const
    const certificate = calibrate(read, options)
    expect(JSON.stringify(certificate)).toBe(
      JSON.stringify(calibrate(debates, { ...options, beliefs: 'vote', seed: 3 })),
    )
    const asked = readDebates(fresh, { beliefs: 'vote', seed: 3 })
    expect(replay(certificate, asked).at(budget)).toEqual(replay(certificate, fresh).at(budget))
    expect(() => replay(certificate, readDebates(fresh))).toThrow('replay: debates.reading must be')
  })
})

describe('one to ten debates', () => {
  test.each(['paper', 'tight', 'cells'] as const)('give a %s certificate that defers', (profile) => {
    for (let count = 1; count <= 10; count++) {
      for (const split of [
        { pilotFraction: 0.2, seed: 7 },
        { pilotFraction: 0, seed: 1 },
        { pilotFraction: 0.9, seed: 1 },
      ]) {
        const certificate = calibrate(debates.slice(0, count), { profile, budget, split })
        expect(decide(certificate, fresh[0]!).kind).toBe('defer')
      }
    }
  })

  test.each(['paper', 'tight', 'cells'] as const)(
    'a set of one class only gives a %s certificate that defers, unless cells count it as right',
    (profile) => {
      for (const right of [true, false]) {
        const one = debates.map((debate) => {
          const turns = debate.rounds.map((round) => round.map(({ agent }) => ({ agent, answer: 'A' })))
          return { ...debate, gold: right ? 'A' : 'B', rounds: turns }
        })
        const certificate = calibrate(one, { profile, budget, split: half, kFamily: [20, 60] })
        const decision = decide(certificate, fresh[0]!)
        // Cells count: a panel that was always right is acted on, one that was always wrong is not.
        if (certificate.kind === 'cells') expect(decision.kind).toBe(right ? 'act' : 'defer')
        else expect(decision).toMatchObject({ kind: 'defer', reason: 'too-few-labels' })
      }
    },
  )
})
