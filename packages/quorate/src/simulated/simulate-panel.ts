import { seededRandom } from '@quorate/certificate'
import { pick } from './draws.ts'
import { FAMILY_NAMES } from './questions/draw-question.ts'
import { type SimulatedDebate, simulateDebate } from './simulate-debate.ts'

export interface SimulationOptions {
  /** An integer in [0, 2^32). */
  readonly seed: number
  /** Debates to draw, independent of each other. */
  readonly count: number
}

/** Labelled debates of a simulated panel. No question is asked twice: a repeated one would be two labels for one. */
export function simulatePanel({ seed, count }: SimulationOptions): SimulatedDebate[] {
  const random = seededRandom(seed)
  const asked = new Set<string>()
  const debates: SimulatedDebate[] = []
  while (debates.length < count) {
    const id = `simulated-${String(debates.length + 1).padStart(5, '0')}`
    const debate = simulateDebate(random, id, pick(random, FAMILY_NAMES))
    if (asked.has(debate.question)) continue
    asked.add(debate.question)
    debates.push(debate)
  }
  return debates
}
