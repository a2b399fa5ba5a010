import { type Debate, type Random, seededRandom } from '@quorate/certificate'

/** Which assumption simulated debates violate; `sound` violates none. Twins have knobs for the others. */
export type Violation = 'sound' | 'rough' | 'shifted-groups'

export interface KnownWorld {
  readonly violation: Violation
  readonly count: number
  readonly seed: number
}

const OPTIONS = ['A', 'B', 'C', 'D'] as const
const AGENTS = ['x', 'y', 'z'] as const
const ROUNDS = 3
const GROUPS = ['algebra', 'biology', 'chemistry', 'economics', 'history', 'law', 'physics', 'statistics'] as const
const SHIFTED = 'law'

/**
 * Debates whose chance of being right is known. All agents back one option with the same stated confidence, which moves
 * from round to round as a Markov chain. The chance depends on the last confidence. The state of a round then contains
 * everything about a debate, correctness is smooth in it, groups are alike and questions are independent draws. All
 * assumptions of a certificate hold until the violation breaks one of them.
 */
export function simulateKnownWorld({ violation, count, seed }: KnownWorld): Debate[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const group = GROUPS[Math.floor(random() * GROUPS.length)]!
    const path = drawPath(violation, random)
    const chance = chanceOf(violation, path.at(-1)!, group)
    const leader = Math.floor(random() * OPTIONS.length)
    const gold = random() < chance ? leader : (leader + 1 + Math.floor(random() * 3)) % OPTIONS.length
    const rounds = path.map((verbal) => AGENTS.map((agent) => ({ agent, answer: OPTIONS[leader]!, conf: { verbal } })))
    return { id: `known-${violation}-${seed}-${index}`, group, options: OPTIONS, gold: OPTIONS[gold]!, rounds }
  })
}

const LOWEST = 0.4
const SURE = 0.75

/** Confidence round by round, in steps of .05 as models state it. The rough truth needs finer steps. */
function drawPath(violation: Violation, random: Random): number[] {
  const isSure = random() < 0.7
  const isCertain = violation !== 'rough' && random() < 0.6
  const path = [isSure ? (isCertain ? 1 : SURE + (1 - SURE) * random()) : LOWEST + (SURE - LOWEST) * random()]
  while (path.length < ROUNDS) {
    const next = path.at(-1)! + (random() < 0.3 ? 0.2 * (random() - 0.5) : 0)
    // Reflected at both ends.
    path.push(next > 1 ? 2 - next : next < LOWEST ? 2 * LOWEST - next : next)
  }
  return violation === 'rough' ? path : path.map((value) => Math.round(20 * value) / 20)
}

/** The chance by the last confidence: smooth, alternating in bands of .02, or far lower in one of the groups. */
function chanceOf(violation: Violation, last: number, group: string): number {
  if (violation === 'rough') return Math.floor(last * 50) % 2 === 0 ? 0.98 : 0.1
  const smooth = 0.5 + 0.47 / (1 + Math.exp(-25 * (last - 0.68)))
  return violation === 'shifted-groups' && group === SHIFTED ? 0.4 * smooth : smooth
}
