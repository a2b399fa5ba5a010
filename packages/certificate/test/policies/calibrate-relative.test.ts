import { describe, expect, test } from 'vitest'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'
import { loadCertificate } from '../../src/index.ts'
import { calibrateRelative } from '../../src/policies/calibrate-relative.ts'
import { paperPolicy } from '../../src/policies/certificate-policy.ts'
import { selectRelativeBudget } from '../../src/policies/relative-budget.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const read = readDebates(simulatedDebates({ count: 900, seed: 71 }))
const last = read.debates[0]!.rounds.length
const budget = { beta: 0.6, delta: 0.03, epsilon: 0.02 }

describe('a budget relative to the error of the panel', () => {
  test.each(['paper', 'tight', 'cells'] as const)(
    '%s: all labels give the error, and the selection is paid for',
    (profile) => {
      const made = calibrateRelative(read, 1.5, { profile, budget })
      if (made.kind !== 'made') throw new Error('deferred')
      const error = made.relative.error
      expect(made.relative).toMatchObject({ lambda: 1.5, isSelected: false, labels: 900, atMost: 0.6, sweep: [] })
      const beta = Math.floor(1.5 * error * 1e6) / 1e6
      expect(made.certificate.budget).toMatchObject({ beta, selectedUpTo: 0.6, delta: 0.03 })
      const declared = calibrate(read, { profile, budget: { ...budget, beta } })
      const given = calibrate(read, { profile, budget: { ...budget, beta, selectedUpTo: 0.6 } })
      expect(made.certificate.toJSON()).toEqual(given.toJSON())
      if (profile === 'paper') expect(made.certificate.threshold).toBe(declared.threshold)
      else expect(made.certificate.threshold).toBeGreaterThan(declared.threshold)
      expect(budgetSentences(made.certificate)[0]).toContain(
        `at most the mean of the betas that such sets select. This set selected beta = ${beta}; none could have selected more than 0.6.`,
      )
      expect(loadCertificate(JSON.stringify(made.certificate.toJSON())).budget).toEqual(made.certificate.budget)
    },
  )

  test('total: pilot rows alone give the error, so that counted labels choose nothing', () => {
    const made = calibrateRelative(read, 1, { profile: 'total', budget })
    if (made.kind !== 'made') throw new Error('deferred')
    const { split } = made.certificate
    expect(made.relative.labels).toBe(split.pilot.length)
    const beta = made.certificate.budget.beta
    const direct = calibrate(read, {
      profile: 'total',
      budget: { ...budget, beta, selectedUpTo: 0.6, total: { attempt: 1 } },
    })
    expect(made.certificate.toJSON()).toEqual(direct.toJSON())

    expect(loadCertificate(JSON.stringify(made.certificate.toJSON())).budget.selectedUpTo).toBe(0.6)

    // Flipping all counted labels changes neither lambda nor beta.
    const counted = new Set(split.neighbours)
    const turned = simulatedDebates({ count: 900, seed: 71 }).map((debate, row) =>
      counted.has(row) ? { ...debate, gold: debate.gold === 'A' ? 'B' : 'A' } : debate,
    )
    const other = calibrateRelative(readDebates(turned), 1, { profile: 'total', budget })
    expect(other).toMatchObject({ kind: 'made', relative: { error: made.relative.error } })
  })

  test('selected: the lambda of the paper among the multiples within the declared beta', () => {
    const made = calibrateRelative(read, 'selected', { profile: 'paper', budget: { ...budget, beta: 0.99 } })
    const printed = selectRelativeBudget(read, { policy: paperPolicy, seed: 7, delta: 0.03, epsilon: 0.02 })
    if (made.kind !== 'made' || printed.kind !== 'selected') throw new Error('deferred')
    expect(made.relative).toMatchObject({ lambda: printed.lambda, isSelected: true })
    expect(made.relative.sweep).toEqual(printed.sweep)
    expect(made.certificate.budget.beta).toBeCloseTo(printed.beta, 5)
    const low = calibrateRelative(read, 'selected', {
      profile: 'paper',
      budget: { ...budget, beta: 0.06, delta: 0.01 },
    })
    expect(low.kind).toBe('defer')
    expect(low.kind === 'defer' && low.sweep.every(({ beta }) => beta <= 0.06)).toBe(true)
  })

  test('a multiple above the declared beta, and a panel without an error, are refused', () => {
    const options = { profile: 'cells', budget: { ...budget, beta: 0.05 } } as const
    expect(() => calibrateRelative(read, 5, options)).toThrow(
      /lambda must be at most [\d.]+, so that its budget is within/,
    )
    expect(() => calibrateRelative(read, 0, options)).toThrow("choice must be a number above 0, or 'selected'")
    expect(() => calibrateRelative(read, Number.NaN, options)).toThrow('choice must be')
    const right = read.debates.filter((debate) => debate.rounds[last - 1]!.prediction === debate.record.gold)
    expect(() => calibrateRelative({ ...read, debates: right }, 1, options)).toThrow('a multiple of an error of 0')
  })
})
