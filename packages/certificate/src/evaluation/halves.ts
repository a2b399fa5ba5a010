import { permutation, seededRandom } from '../random.ts'

/** Rows for training and rows for testing, which share no question. */
export interface Halves {
  readonly train: Uint32Array
  readonly test: Uint32Array
}

/**
 * A random half of the questions for training and the other for testing. `questions` holds the key of each row's
 * question; rows with one key stay together, so that no policy is tested on a question it has seen.
 */
export function halves(questions: readonly string[], seed: number): Halves {
  const rowsOf = new Map<string, number[]>()
  for (const [row, key] of questions.entries()) {
    const rows = rowsOf.get(key)
    if (rows === undefined) rowsOf.set(key, [row])
    else rows.push(row)
  }
  const distinct = [...rowsOf.values()]
  const order = permutation(distinct.length, seededRandom(seed))
  const middle = Math.floor(distinct.length / 2)
  const rowsIn = (places: Uint32Array) => Uint32Array.from(Array.from(places, (place) => distinct[place]!).flat())
  return { train: rowsIn(order.subarray(0, middle)), test: rowsIn(order.subarray(middle)) }
}
