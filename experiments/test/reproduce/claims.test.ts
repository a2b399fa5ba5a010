import { describe, expect, test } from 'vitest'
import { CLAIMS } from '../../src/reproduce/claims/all-claims.ts'
import type { Claim } from '../../src/reproduce/claims/claim.ts'
import type { TwinSplit } from '../../src/reproduce/measure/twin-split.ts'
import type { TwinName } from '../../src/twins/targets.ts'
import { madeCell, madeMeasurements, madeSplit, madeTwin } from './made-measurements.ts'

const ALL = CLAIMS.flatMap(({ claims }) => claims)

function claimThat(words: string): Claim {
  const found = ALL.filter(({ claim }) => claim.includes(words))
  expect(found).toHaveLength(1)
  return found[0]!
}

type Paper = TwinSplit['paper']

/** The verdict if the cells of the paper's method on one twin are these. */
function verdictWith(words: string, twin: TwinName, paper: Partial<Paper>): string {
  const changed = madeTwin(twin, { paper: { ...madeSplit(twin).paper, ...paper } })
  return claimThat(words).test(madeMeasurements({ [twin]: changed })).verdict
}

const absolute = (acts: readonly number[], accuracy = 0.99) =>
  acts.map((act, at) => madeCell([0.1, 0.15, 0.2, 0.25, 0.3, 0.35][at]!, act, accuracy))

test('every claim has a place and gives a verdict with a sentence', () => {
  expect(ALL.length).toBeGreaterThan(35)
  for (const claim of ALL) {
    const { verdict, sentence } = claim.test(madeMeasurements())
    expect(['holds', 'does not hold', 'not testable on a twin']).toContain(verdict)
    expect(sentence).toMatch(/\S.*\.$/)
    expect(sentence).not.toMatch(/NaN|undefined|null/)
    expect(claim.place).not.toBe('')
  }
})

test('a run without a twin does not judge claims about it', () => {
  const claim = claimThat('At beta = .10 nothing certifies')
  const { twins, ...rest } = madeMeasurements()
  const some = new Map([...twins].filter(([name]) => name === 'arc'))
  expect(claim.test({ ...rest, twins: some }).verdict).toBe('not measured in this run')
})

describe('verdicts turn with the numbers', () => {
  test('WA <= beta in every cell', () => {
    expect(verdictWith('WA <= beta in every cell', 'arc', {})).toBe('holds')
    const over = absolute([0.9, 0.9, 0.9, 0.9, 0.9, 0.9], 0.7)
    expect(verdictWith('WA <= beta in every cell', 'arc', { absolute: over })).toBe('does not hold')
  })

  test('nothing certifies at .10', () => {
    const claim = claimThat('At beta = .10 nothing certifies')
    expect(claim.test(madeMeasurements()).verdict).toBe('does not hold')
    const silent = (name: TwinName) =>
      madeTwin(name, { paper: { ...madeSplit(name).paper, absolute: absolute([0, 0.3, 0.4, 0.5, 0.6, 0.7]) } })
    const all = { logiqa: silent('logiqa'), 'mmlu-pro': silent('mmlu-pro'), arc: silent('arc') }
    const rest = { bbh: silent('bbh'), musr: silent('musr'), gpqa: silent('gpqa') }
    expect(claim.test(madeMeasurements({ ...all, ...rest })).verdict).toBe('holds')
  })

  test('order of activation', () => {
    const from = (first: number) => absolute([0.1, 0.15, 0.2, 0.25, 0.3, 0.35].map((beta) => (beta >= first ? 0.5 : 0)))
    const twin = (name: TwinName, first: number) =>
      madeTwin(name, { paper: { ...madeSplit(name).paper, absolute: from(first) } })
    const claim = claimThat('Data activate in order')
    const printed = {
      bbh: twin('bbh', 0.15),
      'mmlu-pro': twin('mmlu-pro', 0.15),
      arc: twin('arc', 0.2),
      logiqa: twin('logiqa', 0.3),
    }
    expect(claim.test(madeMeasurements(printed)).verdict).toBe('holds')
    expect(claim.test(madeMeasurements({ ...printed, arc: twin('arc', 0.15) })).verdict).toBe('does not hold')
  })

  test('2-3 times the budget without the envelope', () => {
    const bare = (wrongShare: number) => (name: TwinName) => {
      const split = madeSplit(name)
      const policies = split.policies.map((policy) =>
        policy.kind === 'ran' && policy.name === 'knn-no-envelope'
          ? { ...policy, operating: madeCell(0.2, 0.5, 1 - wrongShare) }
          : policy,
      )
      return madeTwin(name, { policies })
    }
    const verdict = (make: (name: TwinName) => ReturnType<typeof madeTwin>) =>
      claimThat('2-3 times the budget').test(
        madeMeasurements({ logiqa: make('logiqa'), 'mmlu-pro': make('mmlu-pro'), arc: make('arc'), bbh: make('bbh') }),
      ).verdict
    expect(verdict(bare(0.05))).toBe('holds')
    expect(verdict(bare(0.02))).toBe('does not hold')
    expect(verdict(bare(0.2))).toBe('does not hold')
  })

  test('automation falls with the dimension of the state', () => {
    const withActs = (acts: Readonly<Record<string, number>>) => (name: TwinName) => {
      const variants = madeSplit(name).variants.map((variant) => ({
        ...variant,
        fixed: madeCell(0.15, acts[variant.name] ?? 0.5),
      }))
      return madeTwin(name, { variants })
    }
    const verdict = (acts: Readonly<Record<string, number>>) =>
      claimThat('Automation falls with every dimension').test(
        madeMeasurements({ 'mmlu-pro': withActs(acts)('mmlu-pro'), bbh: withActs(acts)('bbh') }),
      ).verdict
    expect(verdict({ 'paper-1d': 0.6, 'paper-3d': 0.4, 'paper-4d': 0.3 })).toBe('holds')
    expect(verdict({ 'paper-1d': 0.4, 'paper-3d': 0.4, 'paper-4d': 0.3 })).toBe('does not hold')
  })

  test('matched rules agree within 1.6 points', () => {
    const matched = madeSplit('arc').matched!
    const apart = { ...matched, 'confidence-threshold': madeCell(0.2, 0.5, 0.95) }
    const claim = claimThat('At matched automation')
    expect(claim.test(madeMeasurements()).verdict).toBe('holds')
    expect(claim.test(madeMeasurements({ arc: madeTwin('arc', { matched: apart }) })).verdict).toBe('does not hold')
    expect(claim.test(madeMeasurements({ arc: madeTwin('arc', { matched: null }) })).verdict).toBe('does not hold')
  })

  test('checks that fire are reported as firing', () => {
    const twin = madeTwin('arc')
    const checks = [{ name: 'stopping-rounds', verdict: 'falsified', finding: 'Round 3 is too low.' }] as const
    const fired = { ...twin, audit: { ...twin.audit, verdict: 'falsified', checks } } as const
    const { verdict, sentence } = claimThat('None of the falsification checks').test(madeMeasurements({ arc: fired }))
    expect(verdict).toBe('does not hold')
    expect(sentence).toContain('ARC falsified (stopping-rounds)')
  })

  test('a smaller delta and Act: what the paper states and what its table shows', () => {
    const shares = (acts: readonly number[]) =>
      acts.map((act) => [0, 0.01, 0.02, 0.03, 0.05].map(() => madeCell(0.15, act)))
    const verdict = (acts: readonly number[]) => {
      const twin = (name: TwinName) => madeTwin(name, { paper: { ...madeSplit(name).paper, shares: shares(acts) } })
      return claimThat('A smaller delta').test(madeMeasurements({ 'mmlu-pro': twin('mmlu-pro'), bbh: twin('bbh') }))
        .verdict
    }
    expect(verdict([0.3, 0.35, 0.4])).toBe('holds')
    expect(verdict([0.4, 0.35, 0.3])).toBe('does not hold')
  })
})
