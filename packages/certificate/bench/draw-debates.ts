import type { Debate } from '../src/beliefs/debate.ts'
import type { Random } from '../src/random.ts'

const OPTIONS = ['A', 'B', 'C', 'D']

/** Simulated debates of three agents over four rounds; A is right. */
export function drawDebates(random: Random, count: number, name: string): readonly Debate[] {
  return Array.from({ length: count }, (_, row) => drawDebate(random, `${name}-${row}`))
}

function drawDebate(random: Random, id: string): Debate {
  const difficulty = random()
  const rounds = [0, 1, 2, 3].map((round) =>
    ['ada', 'bob', 'cleo'].map((agent) => {
      const isRight = random() < 0.98 - 0.5 * difficulty + 0.02 * round
      const verbal = Math.round(20 * (0.95 - 0.4 * difficulty * random())) / 20
      return { agent, answer: isRight ? 'A' : OPTIONS[1 + Math.floor(3 * random())]!, conf: { verbal } }
    }),
  )
  return { id, options: OPTIONS, gold: 'A', rounds }
}
