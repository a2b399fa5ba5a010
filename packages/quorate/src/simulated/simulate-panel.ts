import { seededRandom } from '@quorate/certificate'
import { pick } from './draws.ts'
import { type Mix, USUAL_MIX } from './questions/draw-question.ts'
import { type SimulatedDebate, simulateDebate } from './simulate-debate.ts'

export interface SimulationOptions {
  /** An integer in [0, 2^32). */
  readonly seed: number
  /** Number of debates, independent of each other. */
  readonly count: number
  /** Families of the questions; the usual ones by default. */
  readonly mix?: Mix
  /** Texts of questions that must not be asked. */
  readonly except?: Iterable<string>
}

/** Labelled debates of a simulated panel. No question is asked twice, because it would count as two labels. */
export function simulatePanel({ seed, count, mix = USUAL_MIX, except = [] }: SimulationOptions): SimulatedDebate[] {
  const random = seededRandom(seed)
  const asked = new Set(except)
  const debates: SimulatedDebate[] = []
  while (debates.length < count) {
    const id = `simulated-${String(debates.length + 1).padStart(5, '0')}`
    const debate = simulateDebate(random, id, pick(random, mix))
    if (asked.has(debate.question)) continue
    asked.add(debate.question)
    debates.push(debate)
  }
  return debates
}
