import { describe, expect, test } from 'vitest'
import { type DialSettings, dialsAround } from '../../src/planning/dials.ts'

describe('dialsAround', () => {
  const declared = { beta: 0.1, floor: 0.8 }

  test.each([
    ['beta', ({ beta }: DialSettings) => beta],
    ['floor', ({ floor }: DialSettings) => 1 - floor!],
    ['both', ({ beta, floor }: DialSettings) => beta + 1 - floor!],
    ['neither', () => 0.7],
  ] as const)('%s binds where moving it acts on more', (binds, actAt) => {
    expect(dialsAround(declared, actAt).binds).toBe(binds)
  })

  test('each frontier moves one dial, keeps the other and contains the declared one', () => {
    const { byBeta, byFloor } = dialsAround({ beta: 0.12, floor: 0.77 }, ({ beta, floor }) => beta * floor!)
    expect(byBeta.find(({ value }) => value === 0.12)).toEqual({ value: 0.12, act: 0.12 * 0.77 })
    expect(byBeta.every(({ value, act }) => Math.abs(act - value * 0.77) < 1e-12)).toBe(true)
    expect(byFloor.every(({ value, act }) => Math.abs(act - value * 0.12) < 1e-12)).toBe(true)
    expect(byFloor.map(({ value }) => value)).toEqual([0.6, 0.7, 0.75, 0.77, 0.8, 0.85, 0.9, 0.95])
  })

  test('without a floor only beta can bind', () => {
    const found = dialsAround({ beta: 0.1, floor: null }, ({ beta }) => beta)
    expect(found).toMatchObject({ binds: 'beta', byFloor: [] })
  })
})
