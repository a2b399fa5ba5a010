import type { Debate } from '../../src/beliefs/debate.ts'
import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'

/** The option one agent names in a round, and its belief in it: p1 is the belief, and the margin 2 p1 - 1. */
export type Spoken = readonly [option: 'A' | 'B', belief: number]

/** A debate of one agent whose remaining belief goes to the other option of A and B; the right one may be C. */
export function spokenDebate(id: string, gold: string | null, ...rounds: readonly Spoken[]): Debate {
  return {
    id,
    options: ['A', 'B', 'C'],
    gold,
    rounds: rounds.map(([answer, belief]) => {
      const other = answer === 'A' ? 'B' : 'A'
      return [{ agent: 'x', answer, beliefs: { [answer]: belief, [other]: 1 - belief } }]
    }),
  }
}

/**
 * Ten debates of two rounds. Acted on and wrong, of those acted on, by the threshold:
 * (.9, .95] 0 of 6, (.8, .9] 1 of 6, (.7, .8] 2 of 8, (.6, .7] 2 of 9, (.55, .6] 3 of 9, up to .55 4 of 10.
 */
export function tenDebates(): ReadDebates {
  return readDebates([
    ...['1', '2', '3', '4', '5'].map((id) => spokenDebate(id, 'A', ['A', 0.95], ['A', 0.95])),
    spokenDebate('wrong, then right', 'B', ['A', 0.9], ['B', 0.95]),
    spokenDebate('7', 'A', ['A', 0.8], ['A', 0.8]),
    spokenDebate('8', 'C', ['A', 0.8], ['A', 0.8]),
    spokenDebate('9', 'B', ['A', 0.6], ['B', 0.7]),
    spokenDebate('10', 'C', ['A', 0.55], ['A', 0.55]),
  ])
}

export function budgetOf(beta: number, delta = 0.03, epsilon = 0.02) {
  return { beta, delta, epsilon }
}
