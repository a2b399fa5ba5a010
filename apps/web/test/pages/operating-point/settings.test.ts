import { describe, expect, test } from 'vitest'
import { latestWins } from '../../../src/pages/operating-point/latest-wins.ts'
import {
  alphaOf,
  configLines,
  fromQuery,
  isUsualSplit,
  moved,
  type Settings,
  toQuery,
  usualSplit,
  withProfile,
} from '../../../src/pages/operating-point/replay/settings.ts'

const DECLARED: Settings = { beta: 0.1, delta: 0.03, epsilon: 0.02, profile: 'tight', floor: null }

describe('settings', () => {
  test("under the paper's rule delta and epsilon stop where nothing would be left to act with; beta moves freely", () => {
    const paper: Settings = { ...DECLARED, profile: 'paper' }
    expect(moved(paper, 'delta', 0.2)).toMatchObject({ delta: 0.078 })
    expect(moved(paper, 'epsilon', 0.2)).toMatchObject({ epsilon: 0.068 })
    const own = { ...paper, delta: 0.04 }
    expect(alphaOf(moved(own, 'beta', 0.04), 3)).toBe(-0.02)
    expect(moved(paper, 'beta', 9)).toMatchObject({ beta: 0.5 })
  })

  test('under other rules delta moves freely, because it takes little of beta, and epsilon stops', () => {
    expect(moved(DECLARED, 'delta', 0.2)).toMatchObject({ delta: 0.2 })
    const { epsilon } = moved(DECLARED, 'epsilon', 0.2)
    expect(epsilon).toBeGreaterThan(0.09)
    expect(alphaOf({ ...DECLARED, epsilon }, 3)).toBeCloseTo(0.002, 5)
  })

  test('delta and epsilon follow beta as --beta splits it, until they are moved', () => {
    expect(moved(DECLARED, 'beta', 0.05)).toMatchObject({ beta: 0.05, delta: 0.015, epsilon: 0.01 })
    expect(moved(moved(DECLARED, 'beta', 0.05), 'beta', 0.2)).toMatchObject({ delta: 0.03, epsilon: 0.02 })
    const own = moved(DECLARED, 'delta', 0.02)
    expect(moved(own, 'beta', 0.05)).toMatchObject({ delta: 0.02, epsilon: 0.02 })
    expect([DECLARED, own, usualSplit(own)].map(isUsualSplit)).toEqual([true, false, true])
    const cells: Settings = { ...DECLARED, epsilon: 0, profile: 'cells' }
    expect(moved(cells, 'beta', 0.05)).toMatchObject({ delta: 0.015, epsilon: 0 })
  })

  test('cells spend nothing on epsilon', () => {
    const cells = withProfile(DECLARED, 'cells')
    expect(alphaOf(cells, 4)).toBeCloseTo(0.0987, 4)
    expect(moved(cells, 'delta', 0.2)).toMatchObject({ delta: 0.2 })
    expect(withProfile({ ...cells, epsilon: 0 }, 'paper')).toMatchObject({ epsilon: 0.02 })
  })

  test('an address contains the sliders, and nothing if they are as declared', () => {
    const settings = { ...DECLARED, beta: 0.125, profile: 'cells' } as const
    expect(fromQuery(new URLSearchParams(toQuery(settings, DECLARED)), DECLARED)).toEqual(settings)
    expect(toQuery(DECLARED, DECLARED)).toEqual({})
  })

  test.each(['beta=9', 'beta=', 'beta=NaN', 'beta=-1', 'profile=__proto__', 'delta=1e9'])(
    'an address with %s is ignored',
    (query) => {
      expect(fromQuery(new URLSearchParams(query), DECLARED)).toEqual(DECLARED)
    },
  )

  test("the usual split leaves half of beta to act with under the paper's rule, and nearly all to cells", () => {
    expect(alphaOf(usualSplit({ ...DECLARED, profile: 'paper', beta: 0.04 }), 3)).toBe(0.02)
    expect(alphaOf(usualSplit({ ...DECLARED, profile: 'cells', beta: 0.04 }), 3)).toBeGreaterThan(0.0395)
  })

  test('the config lines are valid in the config file', () => {
    expect(configLines(DECLARED)).toBe(
      'budget: { beta: 0.1, delta: 0.03, epsilon: 0.02 }\ncertificate: { profile: tight }\n',
    )
  })
})

test('of the tasks that arrive while one runs, only the latest runs', () => {
  const sent: number[] = []
  const moves = latestWins<number>((value) => sent.push(value))
  for (const value of [1, 2, 3, 4]) moves.submit(value)
  expect(sent).toEqual([1])
  moves.done()
  expect(sent).toEqual([1, 4])
  moves.done()
  moves.submit(5)
  expect(sent).toEqual([1, 4, 5])
})

describe('profile total', () => {
  const total = withProfile(DECLARED, 'total')

  test('has a floor in place of epsilon, and a delta of its own', () => {
    expect(total).toEqual({ beta: 0.1, delta: 0.05, epsilon: 0, profile: 'total', floor: 0.8 })
    expect(withProfile(total, 'tight')).toEqual(DECLARED)
  })

  test('beta moves alone, and the floor stays', () => {
    expect(moved(total, 'beta', 0.05)).toMatchObject({ beta: 0.05, floor: 0.8, delta: 0.05 })
    const chosen = moved(total, 'floor', 0.85)
    expect(moved(chosen, 'beta', 0.05)).toMatchObject({ beta: 0.05, floor: 0.85 })
  })

  test('is restored from an address, also without a floor', () => {
    for (const settings of [moved(total, 'floor', 0.9), { ...total, floor: null }]) {
      expect(fromQuery(new URLSearchParams(toQuery(settings, DECLARED)), DECLARED)).toEqual({
        ...settings,
        epsilon: DECLARED.epsilon,
      })
      expect(configLines(settings)).toContain(`floor: ${settings.floor ?? 'none'}`)
    }
  })
})
