import { permutation, seededRandom } from '@quorate/certificate'

/** Seeds of the ten random 50/50 splits of the paper's protocol. */
export const SPLIT_SEEDS = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41] as const

/** A random half for calibration and the other for testing. */
export function halves<Item>(items: readonly Item[], seed: number): { train: Item[]; test: Item[] } {
  const order = Array.from(permutation(items.length, seededRandom(seed)), (index) => items[index]!)
  const middle = Math.floor(items.length / 2)
  return { train: order.slice(0, middle), test: order.slice(middle) }
}
