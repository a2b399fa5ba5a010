import type { Random } from '@quorate/certificate'

/** An integer from `low` to `high`, both included. */
export function integerBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

/** One item, each with the same chance. */
export function pick<Items extends readonly [unknown, ...unknown[]]>(random: Random, items: Items): Items[number] {
  return items[integerBetween(random, 0, items.length - 1)]
}

/** The items in a random order (Fisher and Yates, from the front). */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(integerBetween(random, 0, left.length - 1), 1))
}

/** A draw from the standard normal distribution (Box and Muller 1958). */
export function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
