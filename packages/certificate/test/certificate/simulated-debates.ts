import type { AgentTurn, Debate } from '../../src/beliefs/debate.ts'
import { type Random, seededRandom } from '../../src/random.ts'

export interface Simulation {
  readonly count: number
  readonly seed?: number
  readonly rounds?: number
  readonly agents?: readonly string[]
  readonly options?: readonly string[]
  readonly groups?: readonly (string | null)[]
}

/** Labelled debates whose panel is right more often the more it agrees; some agents abstain, some state a confidence. */
export function simulatedDebates(simulation: Simulation): Debate[] {
  const { count, seed = 1, groups = [null] } = simulation
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, row) => ({
    id: `q${seed}-${row}`,
    group: groups[Math.floor(random() * groups.length)]!,
    ...debateOf(random, simulation),
  }))
}

function debateOf(random: Random, { rounds = 3, agents = ['x', 'y', 'z'], options = ['A', 'B', 'C'] }: Simulation) {
  const pick = () => options[Math.floor(random() * options.length)]!
  const gold = pick()
  const ease = random() < 0.6 ? 0.97 : random()
  const answers = agents.map(() => (random() < ease ? gold : pick()))
  const turns = Array.from({ length: rounds }, () =>
    agents.map((agent, at): AgentTurn => {
      if (random() < 0.2) answers[at] = answers[Math.floor(random() * answers.length)]!
      if (random() < 0.03) return { agent, answer: null }
      const verbal = Math.round((0.4 + 0.6 * (0.5 * ease + 0.5 * random())) * 20) / 20
      return { agent, answer: answers[at]!, conf: { verbal } }
    }),
  )
  return { options, gold, rounds: turns }
}
