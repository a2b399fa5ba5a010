import { expect, test } from 'vitest'
import { type MonitorPower, monitorPower } from '../../src/monitoring/monitor-power.ts'
import type { MonitorSettings } from '../../src/monitoring/monitor-settings.ts'
import { readReference } from '../reference/read-reference.ts'

const recorded: readonly (MonitorSettings & MonitorPower)[] = readReference('monitoring.json').power

test.each(recorded)('at p $spotCheckRate, beta $beta, eta $eta it is what NumPy counts', (expected) => {
  const found = monitorPower(expected)
  expect(found.horizon).toBe(expected.horizon)
  expect(found.falseAlarm).toBeCloseTo(expected.falseAlarm, 12)
  expect(found.delays).toEqual(expected.delays)
})

test('several questions in one step change delays by less than a hundredth', () => {
  const fine = monitorPower({ beta: 0.05, spotCheckRate: 0.1, eta: 0.05 })
  const coarse = monitorPower({ beta: 0.05, spotCheckRate: 0.001, eta: 0.05 })
  expect(coarse.horizon).toBe(100 * fine.horizon)
  expect(Math.abs(coarse.falseAlarm / fine.falseAlarm - 1)).toBeLessThan(0.03)
  for (const [at, { median }] of fine.delays.entries()) {
    expect(Math.abs(coarse.delays[at]!.median! / (100 * median!) - 1)).toBeLessThan(0.01)
  }
})

test('the smallest of rates takes no longer', () => {
  expect(monitorPower({ beta: 1e-5, spotCheckRate: 1e-3, eta: 0.05 }).delays[1]!.median).toBeGreaterThan(1e8)
})

test('leaves out rates of 1 and more, and says null where half are not caught within the horizon', () => {
  expect(monitorPower({ beta: 0.5, spotCheckRate: 1, eta: 0.05 }).delays.map(({ rate }) => rate)).toEqual([0.75])
  expect(monitorPower({ beta: 0.1, spotCheckRate: 0.05, eta: 0.05 }, [1.05]).delays[0]!.median).toBeNull()
})

test('a stricter eta has fewer false alarms and longer delays', () => {
  const [usual, strict] = [0.05, 0.005].map((eta) => monitorPower({ beta: 0.1, spotCheckRate: 0.05, eta }))
  expect(strict!.falseAlarm).toBeLessThan(usual!.falseAlarm)
  expect(strict!.delays[2]!.median!).toBeGreaterThan(usual!.delays[2]!.median!)
})
