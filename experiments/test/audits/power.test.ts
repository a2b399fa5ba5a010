import { type Audit, audit, type CheckName, type Debate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../tools/lane.ts'
import { simulateKnownWorld } from '../../src/audits/known-worlds.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'

/** How many files are audited, and how many of the audits must find what was planted. */
const { files: FILES, enough: ENOUGH } = sized({ short: { files: 2, enough: 2 }, full: { files: 25, enough: 20 } })
const SEEDS = Array.from({ length: FILES }, (_, index) => index + 1)
/** Seeds of the comparison with files in which nothing was planted. */
const COMPARED = SEEDS.slice(0, 8)

function audited(debates: readonly Debate[], beta: number, seed: number): Audit {
  return audit(readDebates(debates), { profile: 'paper', budget: { beta, delta: 0.03, epsilon: 0.02 }, seed })
}

function isCaughtBy(intended: readonly CheckName[], { checks }: Audit): boolean {
  return checks.some(({ name, verdict }) => verdict === 'falsified' && intended.includes(name))
}

/** How many audits falsify one of these checks. No further file is audited once they are enough. */
function caught(intended: readonly CheckName[], beta: number, simulate: (seed: number) => readonly Debate[]): number {
  let found = 0
  for (const seed of SEEDS) {
    if (found >= ENOUGH) break
    if (isCaughtBy(intended, audited(simulate(seed), beta, seed))) found += 1
  }
  return found
}

describe('late agreement under the paper state', () => {
  const audits = SEEDS.map((seed) =>
    audited(simulateTwin('bbh', { seed, beliefs: 'soft', lateAgreement: 1 }), 0.3, seed),
  )

  test('is caught by the check of what the state forgets', () => {
    expect(audits.filter((found) => isCaughtBy(['representation-gap'], found)).length).toBeGreaterThanOrEqual(ENOUGH)
  })

  test('is acted on: later rounds act on 75 more debates per audit than without it, and are right far less often', () => {
    const late = (found: Audit) => found.checks[0]!.rows.find(({ name }) => name === 'after round 1')!
    const pooled = (all: readonly Audit[]) => {
      const n = all.reduce((sum, found) => sum + late(found).n!, 0)
      return { n, right: all.reduce((sum, found) => sum + late(found).n! * (late(found).figure ?? 0), 0) / n }
    }
    const plain = pooled(COMPARED.map((seed) => audited(simulateTwin('bbh', { seed, beliefs: 'soft' }), 0.3, seed)))
    const persuaded = pooled(audits.slice(0, COMPARED.length))
    expect(persuaded.n - plain.n).toBeGreaterThan(75 * COMPARED.length)
    expect(persuaded.right).toBeLessThan(plain.right - 0.15)
  })
})

test('a truth that alternates in narrow bands is caught by the check of smoothness', () => {
  const simulate = (seed: number) => simulateKnownWorld({ violation: 'rough', count: 4000, seed })
  expect(caught(['smoothness'], 0.25, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})

test('a group that is right less often at the same state is caught by the check of groups', () => {
  const simulate = (seed: number) => simulateKnownWorld({ violation: 'shifted-groups', count: 4000, seed })
  expect(caught(['groups'], 0.28, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})

// A drift of 2.5 (81 % right in the first quarter, 75 % in the last) is caught in about half of such files.
test('questions that grow harder, from 80 % right to 69 % over 2,000, are caught by the checks of arrival order', () => {
  const simulate = (seed: number) => simulateTwin('mmlu-pro', { seed, beliefs: 'soft', drift: 3.5, count: 2000 })
  const order = ['exchangeability-permutation', 'exchangeability-martingale'] as const
  expect(caught(order, 0.25, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})
