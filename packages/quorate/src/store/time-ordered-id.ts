import type { Random } from '@quorate/certificate'

const COUNTS = 2 ** 12

/**
 * UUIDs of version 7 (RFC 9562, method 1): milliseconds, then a counter that starts at a random value in each millisecond,
 * then random bits. Each id is greater than the previous one, even if the clock stands still or goes back. Only `random` keeps
 * the ids of several processes distinct, so they must not share its seed.
 */
export function timeOrderedIds({ now, random }: { readonly now: () => number; readonly random: Random }): () => string {
  let millis = -1
  let count = 0
  return () => {
    const time = Math.floor(now())
    if (time > millis) {
      millis = time
      // The lower half leaves room to count up.
      count = Math.floor(random() * (COUNTS / 2))
    } else if (++count === COUNTS) {
      millis++
      count = 0
    }
    const variant = 0x8000 + Math.floor(random() * 0x4000)
    const time12 = hex(millis, 12)
    const chance = hex(bits(random, 24), 6) + hex(bits(random, 24), 6)
    return `${time12.slice(0, 8)}-${time12.slice(8)}-${hex(0x7000 + count, 4)}-${hex(variant, 4)}-${chance}`
  }
}

function bits(random: Random, count: number): number {
  return Math.floor(random() * 2 ** count)
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
