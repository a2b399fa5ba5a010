import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { binOf } from '../../src/cells/cell-design.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import type { CellsCertificate } from '../../src/certificate/cells-certificate.ts'
import type { KnnCertificate } from '../../src/certificate/knn-certificate.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { decide } from '../../src/decision/decide.ts'
import { simulatedDebates } from './simulated-debates.ts'

const NAMES = ['__proto__', 'law', null]
const debates = simulatedDebates({ count: 600, seed: 31, groups: NAMES })
const fresh = simulatedDebates({ count: 30, seed: 32, groups: NAMES })
const base = {
  budget: { beta: 0.4, delta: 0.06, epsilon: 0.02 },
  split: { pilotFraction: 0.5, seed: 7 },
  kFamily: [10, 30],
}
const knn = (options: Partial<CalibrateOptions> = {}) =>
  calibrate(debates, { ...base, profile: 'tight', groupConditional: true, ...options }) as KnnCertificate // by profile
const cells = (options: Partial<CalibrateOptions> = {}) =>
  calibrate(debates, { ...base, profile: 'cells', groupConditional: true, ...options }) as CellsCertificate // by profile
const inGroup = (debate: Debate, group: string | null): Debate => ({ ...debate, group })

describe('a group-conditional k-NN certificate', () => {
  test("decides a question from its own group's rows; no group is a group", () => {
    const certificate = knn()
    for (const debate of fresh) {
      for (const { round, state, lower } of decide(certificate, debate).path) {
        expect(lower).toBe(certificate.bound(round, state!, debate.group ?? '').lower)
        expect(lower).not.toBe(certificate.bound(round, state!).lower)
      }
    }
  })

  test('at the simultaneous level divides delta by the number of groups', () => {
    const thirds = { ...base.budget, delta: base.budget.delta / 3 }
    const simultaneous = knn({ groupLevel: 'simultaneous' })
    const ordinary = knn({ budget: thirds })
    for (const debate of fresh) {
      const lowers = (certificate: KnnCertificate) =>
        decide(
          certificate.withBudget({ ...certificate.budget, beta: 0.08 + certificate.budget.delta }),
          debate,
        ).path.map(({ lower }) => lower)
      for (const [at, lower] of lowers(simultaneous).entries()) expect(lower).toBeCloseTo(lowers(ordinary)[at]!, 12)
    }
  })
})

describe.each(['path', 'nominate'] as const)('group-conditional %s cells', (variant) => {
  test.each([
    ['ordinary', 1],
    ['simultaneous', 3],
  ] as const)("count the group's own rows, at the %s level", (groupLevel, divisor) => {
    const certificate = cells({ cells: variant, groupLevel })
    const pooled = cells({ cells: variant, groupConditional: false })
    const { neighbours, neighbourGroups } = certificate.toJSON()
    const level = base.budget.delta / (variant === 'path' ? 3 : 1) / divisor
    const pathOf = (row: number) => ({
      scores: neighbours.scores.slice(row * 3, row * 3 + 3),
      excluded: Array.from(neighbours.excluded.slice(row * 3, row * 3 + 3), Number),
      kinds: neighbours.kinds.slice(row * 3, row * 3 + 3),
    })
    const bins = (row: number, round: number) =>
      certificate.design.cuts
        .slice(0, round)
        .map((cuts, at) => binOf(cuts, pathOf(row).scores[at]!, pathOf(row).excluded[at]!))
    for (const row of [0, 20, 40, 60, 80, 100]) {
      const group = neighbourGroups![row]!
      for (let round = 1; round <= 3; round++) {
        const found = certificate.cell(pathOf(row), round, group)
        const all = pooled.cell(pathOf(row), round, group)
        expect(all.kind).toBe(found.kind)
        if (found.kind !== 'cell' || all.kind !== 'cell') continue
        const { cell } = found
        const own = neighbourGroups!.flatMap((name, other) =>
          name === group && bins(other, round).join() === bins(row, round).join() ? [other] : [],
        )
        const successes = own.filter((other) => neighbours.right[other * 3 + round - 1] === '1').length
        expect(cell).toMatchObject({ rows: own.length, successes })
        expect(cell.lower).toBeCloseTo(clopperPearsonLower(successes, own.length, level), 14)
        expect(all.cell.rows).toBeGreaterThan(cell.rows)
      }
    }
  })
})

test.each([
  ['k-NN', knn()],
  ['cells', cells({ cells: 'path' })],
] as const)('a question of a group without rows defers for too few labels, under %s', (_, certificate) => {
  // A debate whose score is high enough to be tested.
  const sure = fresh.find((debate) => decide(certificate, inGroup(debate, '__proto__')).path[0]!.lower !== null)!
  for (const group of ['unseen', 'constructor', 'toString']) {
    expect(decide(certificate, inGroup(sure, group))).toMatchObject({ kind: 'defer', reason: 'too-few-labels' })
  }
  expect(decide(certificate, inGroup(sure, '__proto__')).path[0]!.lower).not.toBeNull()
  expect(decide(certificate, inGroup(sure, null)).path[0]!.lower).not.toBeNull()
})
