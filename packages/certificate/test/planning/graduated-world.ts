import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { seededRandom } from '../../src/random.ts'

/** One agent that states a confidence c between .5 and 1 and is right with chance 1 - 1.2 (1 - c): no cell is like another. */
export function graduatedWorld(count: number, seed: number): ReadDebates {
  const random = seededRandom(seed)
  const debates = Array.from({ length: count }, (_, row) => {
    const verbal = 0.5 + 0.5 * random()
    const gold = random() < 1 - 1.2 * (1 - verbal) ? 'A' : 'B'
    return {
      id: `graduated-${row}`,
      options: ['A', 'B'],
      gold,
      rounds: [[{ agent: 'x', answer: 'A', conf: { verbal } }]],
    }
  })
  return readDebates(debates, { beliefs: 'stated' })
}

/** Two agents against one. Where the expert x is the one, the others are right 55 times of 100, else 98. */
export function dissenterWorld(count: number, seed: number): ReadDebates {
  const random = seededRandom(seed)
  const agents = ['x', 'y', 'z']
  return readDebates(
    Array.from({ length: count }, (_, row) => {
      const alone = agents[Math.floor(random() * 3)]!
      const gold = random() < (alone === 'x' ? 0.55 : 0.98) ? 'A' : 'B'
      const round = agents.map((agent) => ({ agent, answer: agent === alone ? 'B' : 'A' }))
      return { id: `dissent-${row}`, options: ['A', 'B'], gold, rounds: [round] }
    }),
  )
}
