import { expect, test } from 'vitest'
import type { MonitorView } from '../../../../../packages/quorate/src/contract/index.ts'
import { budgetStanding } from '../../../src/pages/overview/budget-standing.ts'
import { BUDGET, MONITOR } from '../../fixture/monitor-fixture.ts'

function checked(parts: Partial<MonitorView['spotChecks']>): MonitorView {
  return { ...MONITOR, spotChecks: { ...MONITOR.spotChecks, ...parts } }
}

const band = (rate: number, lower: number, upper: number) => ({ rate, lower, upper, level: 0.95 })

test('whether the budget holds is said by the band that holds at every look', () => {
  expect(budgetStanding(checked({ uniform: band(0.006, 0, 0.038) }))).toEqual({
    state: 'within',
    text: 'Within budget according to 391 spot checks: 0.6 % wrong, at most 3.8 %, 10.0 % allowed.',
  })
  expect(budgetStanding(checked({ uniform: band(0.296, 0.21, 0.39) }))).toEqual({
    state: 'over',
    text: 'Over budget according to 391 spot checks: 29.6 % wrong, at least 21.0 %, 10.0 % allowed.',
  })
  expect(budgetStanding(checked({ uniform: band(0.05, 0.01, 0.14) }))).toMatchObject({
    state: 'open',
    text: 'Not known yet: 5.0 % of 391 spot checks were wrong, so the rate is 1.0 to 14.0 %, and 10.0 % is allowed.',
  })
})

test('an alarm of the spot checks is over budget, also where the band does not say so yet', () => {
  const view = checked({ uniform: band(0.15, 0.09, 0.2) })
  expect(budgetStanding({ ...view, alarm: { ...view.alarm, isAlarm: true } })?.state).toBe('over')
})

test('without spot checks nothing is claimed, and who never acts cannot be wrong', () => {
  const none = { wrong: null, uniform: null }
  expect(budgetStanding(checked(none))?.text).toContain('no spot check is labelled')
  expect(budgetStanding(checked({ ...none, rate: 0 }))?.text).toContain('no question is sampled')
  expect(budgetStanding({ ...MONITOR, certificate: null })).toBeNull()
  const certificate = { id: 'c', profile: 'cells', rounds: 4, budget: BUDGET, feasible: false, canAct: false }
  expect(budgetStanding({ ...MONITOR, certificate })?.state).toBe('idle')
})
