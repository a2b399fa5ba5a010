import { permutation, seededRandom } from '../random.ts'
import { rowsByQuestion } from './split-rows.ts'

/** Rows for training and rows for testing, which share no question. */
export interface Halves {
  readonly train: Uint32Array
  readonly test: Uint32Array
}

/**
 * A random half of the questions for training and the other half for testing. `questions` has the key of each row's
 * question. Rows with the same key stay together, so no policy is tested on a question that it has seen.
 */
export function halves(questions: readonly string[], seed: number): Halves {
  const blocks = rowsByQuestion(questions)
  const order = permutation(blocks.length, seededRandom(seed))
  const middle = Math.floor(blocks.length / 2)
  const rowsIn = (places: Uint32Array) => Uint32Array.from(Array.from(places, (place) => blocks[place]!).flat())
  return { train: rowsIn(order.subarray(0, middle)), test: rowsIn(order.subarray(middle)) }
}
