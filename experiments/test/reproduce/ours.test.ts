import { type PolicyName, policyNamed, replay } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { usualBudget } from '../../src/reproduce/measure/budgets.ts'
import { calibrateOurs } from '../../src/reproduce/measure/ours.ts'
import { openWorld, splitInHalves } from '../../src/reproduce/measure/worlds.ts'

// Fewer neighbour rows than the smallest neighbourhood of the paper.
const read = openWorld({ kind: 'twin', name: 'logiqa', draw: 7, count: 120 })

test.each(['paper', 'knn-no-envelope', 'final-round'] as const)(
  '%s as shipped cuts its neighbourhoods to the rows there are',
  (name) => {
    expect(actionsOf(name)).toBeGreaterThan(0)
  },
)

test('the paper without its envelope acts wherever the paper acts', () => {
  expect(actionsOf('knn-no-envelope')).toBeGreaterThanOrEqual(actionsOf('paper'))
})

test('the row Ours and the shipped policy act on the same debates', () => {
  const { train, test: held } = splitInHalves(read, 7)
  const ours = replay(calibrateOurs(train, 7), held).at(usualBudget(0.9)).actedAt
  const shipped = policyNamed('paper').fit(train, { seed: 7 })
  if (shipped.kind === 'unfit') throw new Error(shipped.reason)
  expect([...shipped.replay(held).at(usualBudget(0.9)).actedAt]).toEqual([...ours])
})

function actionsOf(name: PolicyName): number {
  const fitted = policyNamed(name).fit(read, { seed: 7 })
  if (fitted.kind === 'unfit') throw new Error(fitted.reason)
  return fitted
    .replay(read)
    .at(usualBudget(0.9))
    .actedAt.filter((round) => round > 0).length
}
