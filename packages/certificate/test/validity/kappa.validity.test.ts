import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { cohenKappa } from '../../src/evaluation/kappa.ts'
import type { Random } from '../../src/random.ts'
import { allowed, inWords, streamRate } from './failure-rate.ts'

/**
 * Two raters: with probability `kappa` the second repeats the first, else it follows its own marginal rates. So kappa
 * is the truth.
 */
interface Raters {
  readonly habits: readonly number[]
  readonly kappa: number
  readonly items: number
}

const DRAWS = sized({ short: 1500, full: 20_000 })
const WORLDS: readonly Raters[] = [
  { habits: [0.5, 0.5], kappa: 0, items: 20 },
  { habits: [0.5, 0.5], kappa: 0.8, items: 20 },
  { habits: [0.9, 0.1], kappa: 0.4, items: 60 },
  { habits: [0.6, 0.3, 0.1], kappa: 0.95, items: 60 },
  { habits: [0.3, 0.25, 0.15, 0.1, 0.1, 0.1], kappa: 0.8, items: 200 },
]

function drawn(habits: readonly number[], random: Random): string {
  let left = random()
  const at = habits.findIndex((share) => {
    left -= share
    return left < 0
  })
  return String(at < 0 ? habits.length - 1 : at)
}

function pairs({ habits, kappa, items }: Raters, random: Random): [string, string][] {
  return Array.from({ length: items }, () => {
    const one = drawn(habits, random)
    return [one, random() < kappa ? one : drawn(habits, random)]
  })
}

type Interval = (
  rated: readonly (readonly [string, string])[],
) => { readonly lower: number; readonly upper: number } | null

function missed(world: Raters, interval: Interval, seed: number) {
  return streamRate(DRAWS, seed, (random) => {
    const found = interval(pairs(world, random))
    return found !== null && (world.kappa < found.lower || world.kappa > found.upper)
  })
}

/** Kappa plus or minus 1.96 of its standard error (Fleiss, Cohen and Everitt 1969). */
const wald: Interval = (rated) => {
  const found = cohenKappa(rated)
  if (found === null) return null
  const { kappa, byChance } = found
  const share = (of: (pair: readonly [string, string]) => boolean) => rated.filter(of).length / rated.length
  const names = [...new Set(rated.flat())]
  const first = new Map(names.map((name) => [name, share(([one]) => one === name)]))
  const second = new Map(names.map((name) => [name, share(([, other]) => other === name)]))
  let alike = 0
  let apart = 0
  for (const [one, other] of rated) {
    if (one === other) alike += (1 - ((first.get(one) ?? 0) + (second.get(one) ?? 0)) * (1 - kappa)) ** 2
    else apart += ((second.get(one) ?? 0) + (first.get(other) ?? 0)) ** 2
  }
  const spread =
    alike / rated.length + (apart / rated.length) * (1 - kappa) ** 2 - (kappa - byChance * (1 - kappa)) ** 2
  const error = Math.sqrt(Math.max(0, spread) / rated.length) / (1 - byChance)
  return { lower: kappa - 1.96 * error, upper: kappa + 1.96 * error }
}

describe('the interval of kappa', () => {
  test.each(WORLDS)('misses the truth in at most 5 %: %o', (world) => {
    const found = missed(world, cohenKappa, 1)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(0.05, found))
  })

  test('and the usual one of standard errors does not, which this test would notice', () => {
    const found = missed({ habits: [0.5, 0.5], kappa: 0.95, items: 20 }, wald, 1)
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(0.05, found))
  })
})
