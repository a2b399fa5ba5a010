import { calibrate } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { planCommandText } from '../../src/cli/text/plan-command-text.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'

const DEBATES = simulatePanel({ seed: 5, count: 200 })

test('the command that plans more labels plans them for the promise of the certificate', () => {
  const flags = (options: Parameters<typeof calibrate>[1]) => {
    const [program, rest] = planCommandText(calibrate(DEBATES, options), '--run r1').split(' plan --run r1 ')
    expect(program).toMatch(/quorate$/u)
    return rest
  }
  const usual = { delta: 0.03, epsilon: 0.02 }
  expect(flags({ profile: 'total', budget: { beta: 0.1, ...usual } })).toBe('--beta 0.1')
  const total = { floor: 0.999, delta: 0.001 }
  expect(flags({ profile: 'total', budget: { beta: 0.3, ...usual, total } })).toBe(
    '--beta 0.3 --delta 0.001 --floor 0.999',
  )
  const average = { kind: 'average', floor: 'none' } as const
  expect(flags({ profile: 'total', budget: { beta: 0.3, ...usual, total: average } })).toBe(
    '--beta 0.3 --promise average --floor none',
  )
  const selective = { kind: 'selective' } as const
  expect(flags({ profile: 'total', budget: { beta: 0.1, ...usual, total: selective } })).toBe(
    '--beta 0.1 --promise selective',
  )
  expect(flags({ profile: 'cells', budget: { beta: 0.2, ...usual, delta: 0.05 } })).toBe(
    '--beta 0.2 --profile cells --delta 0.05',
  )
  const local = { envelope: { lipschitz: 0.4 }, kFamily: [32, 64] }
  expect(flags({ profile: 'tight', budget: { beta: 0.2, ...usual, epsilon: 0.01 }, ...local })).toBe(
    '--beta 0.2 --profile tight --epsilon 0.01 --state learned --envelope lipschitz:0.4 --smoother gam --rho 1 ' +
      '--concentration clopper-pearson --k-family 32,64',
  )
})
