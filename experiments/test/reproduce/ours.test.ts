import type { PolicyName } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { usualBudget } from '../../src/reproduce/measure/budgets.ts'
import { REPRODUCED_POLICIES } from '../../src/reproduce/measure/ours.ts'
import { openWorld } from '../../src/reproduce/measure/worlds.ts'

// Fewer neighbour rows than the smallest neighbourhood of the paper.
const panels = openWorld({ kind: 'twin', name: 'logiqa', count: 120 })

test.each(['paper', 'knn-no-envelope'] as const)(
  '%s is measured on neighbourhoods cut to the rows there are',
  (name) => {
    expect(actionsOf(name)).toBeGreaterThan(0)
  },
)

test('the paper without its envelope acts wherever the paper acts', () => {
  expect(actionsOf('knn-no-envelope')).toBeGreaterThanOrEqual(actionsOf('paper'))
})

function actionsOf(name: PolicyName): number {
  const fitted = REPRODUCED_POLICIES.find((policy) => policy.name === name)!.fit(panels, { seed: 7 })
  if (fitted.kind === 'unfit') throw new Error(fitted.reason)
  return fitted
    .replay(panels)
    .at(usualBudget(0.9))
    .actedAt.filter((round) => round > 0).length
}
