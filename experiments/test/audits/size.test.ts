import { type Audit, audit, type CheckName, type Debate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../tools/lane.ts'
import { simulateLumpyWorld } from '../../src/audits/lumpy-world.ts'
import { sufficientTwin } from '../../src/twins/sufficient-twin.ts'

interface World {
  readonly profile: Audit['profile']
  readonly beta: number
  readonly runs: number
  readonly draw: (seed: number) => readonly Debate[]
}

const lumpy = (count: number) => (seed: number) => simulateLumpyWorld({ count, seed })

/** Budgets at which the certificate acts on half of the debates or more. */
const WORLDS: readonly World[] = [
  {
    profile: 'paper',
    beta: 0.45,
    runs: sized({ short: 4, full: 10 }),
    draw: (seed) => sufficientTwin({ seed, count: 3000 }).map(({ debate }) => debate),
  },
  { profile: 'paper', beta: 0.35, runs: sized({ short: 25, full: 60 }), draw: lumpy(1500) },
  { profile: 'tight', beta: 0.2, runs: sized({ short: 26, full: 65 }), draw: lumpy(1000) },
  { profile: 'cells', beta: 0.15, runs: sized({ short: 25, full: 65 }), draw: lumpy(1000) },
  { profile: 'total', beta: 0.15, runs: sized({ short: 20, full: 50 }), draw: lumpy(1000) },
]

/**
 * Where all assumptions hold, an audit falsifies one of them with probability 1 % at most. More than `most` such audits
 * then have a probability below 2 %.
 */
const { runs: RUNS, most: MOST } = sized({ short: { runs: 100, most: 3 }, full: { runs: 250, most: 6 } })

/**
 * Least numbers of rows that could have been falsified, over 250 runs. Without them an audit that tests nothing would
 * pass. Smoothness has three rounds in each of 70 runs of `paper` and one in each of 65 runs of `tight`, where later rounds
 * without news never act.
 */
const FEWEST_ROWS: Readonly<Record<CheckName, number>> = {
  total: 80,
  classes: 40,
  kinds: 200,
  'stopping-rounds': 300,
  groups: 450,
  'bound-calibration': 1400,
  smoothness: 270,
  'representation-gap': 30,
  'exchangeability-permutation': 550,
  'exchangeability-martingale': 380,
}

describe('where all assumptions hold', () => {
  const audits = WORLDS.flatMap(({ profile, beta, runs, draw }) =>
    Array.from({ length: runs }, (_, index) =>
      audit(readDebates(draw(index + 1)), {
        profile,
        seed: index + 1,
        budget: { beta, delta: 0.03, epsilon: 0.02 },
      }),
    ),
  )

  test(`at most ${MOST} of ${RUNS} audits falsify one`, () => {
    expect(audits).toHaveLength(RUNS)
    expect(audits.filter(({ verdict }) => verdict === 'falsified').length).toBeLessThanOrEqual(MOST)
  })

  test('every check had rows that could have been falsified', () => {
    const testable = (wanted: CheckName) =>
      audits.flatMap(({ checks }) =>
        checks
          .filter(({ name }) => name === wanted)
          .flatMap(({ rows }) => rows.filter(({ pValue }) => pValue !== null)),
      ).length
    // The type of Object.keys is string[].
    const counted = Object.fromEntries(Object.keys(FEWEST_ROWS).map((name) => [name, testable(name as CheckName)]))
    const short = Object.entries(FEWEST_ROWS).filter(([name, fewest]) => counted[name]! < fewest * (RUNS / 250))
    expect(short, `rows: ${JSON.stringify(counted)}`).toEqual([])
  })

  test('nearly every certificate acts on something', () => {
    const acting = audits.filter(({ checks }) => checks[0]!.rows.some(({ n }) => n! > 50))
    expect(acting.length).toBeGreaterThanOrEqual(0.76 * RUNS)
  })
})
