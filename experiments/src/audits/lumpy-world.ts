import { type Debate, type Random, seededRandom } from '@quorate/certificate'

export interface LumpyWorld {
  readonly count: number
  readonly seed: number
}

/** The possible confidences, the share of debates that start with each, and the chance of being right if it is the last. */
const ATOMS = [
  { verbal: 0.5, share: 0.15, chance: 0.55 },
  { verbal: 0.7, share: 0.15, chance: 0.72 },
  { verbal: 0.85, share: 0.15, chance: 0.85 },
  { verbal: 0.95, share: 0.15, chance: 0.93 },
  { verbal: 1, share: 0.4, chance: 0.98 },
] as const
const OPTIONS = ['A', 'B', 'C', 'D'] as const
const AGENTS = ['x', 'y', 'z'] as const
const GROUPS = ['g0', 'g1', 'g2', 'g3'] as const
const ROUNDS = 3
const MOVE = 0.3

/**
 * Debates in which all assumptions hold, and a bound is too high for many debates at once or for none. All agents back
 * one option with one of five confidences, which sometimes moves by a step as a Markov chain. The chance depends on the
 * last confidence.
 */
export function simulateLumpyWorld({ count, seed }: LumpyWorld): Debate[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const group = GROUPS[Math.floor(random() * GROUPS.length)]!
    const path = drawPath(random)
    const leader = Math.floor(random() * OPTIONS.length)
    const isRight = random() < ATOMS[path.at(-1)!]!.chance
    const gold = OPTIONS[isRight ? leader : (leader + 1 + Math.floor(random() * 3)) % OPTIONS.length]!
    const rounds = path.map((atom) =>
      AGENTS.map((agent) => ({ agent, answer: OPTIONS[leader]!, conf: { verbal: ATOMS[atom]!.verbal } })),
    )
    return { id: `lumpy-${seed}-${index}`, group, options: OPTIONS, gold, rounds }
  })
}

function drawPath(random: Random): number[] {
  const path = [firstAtom(random)]
  while (path.length < ROUNDS) {
    const step = random() < MOVE ? (random() < 0.5 ? -1 : 1) : 0
    path.push(Math.min(ATOMS.length - 1, Math.max(0, path.at(-1)! + step)))
  }
  return path
}

function firstAtom(random: Random): number {
  let left = random()
  const found = ATOMS.findIndex(({ share }) => {
    left -= share
    return left < 0
  })
  return found < 0 ? ATOMS.length - 1 : found
}
