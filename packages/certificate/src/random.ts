import { CertificateError } from './certificate-error.ts'

/** Uniform numbers in [0, 1). */
export type Random = () => number

/** xoshiro128** (Blackman and Vigna 2018), with its state filled by a mixing counter. Not for cryptography. */
export function seededRandom(seed: number): Random {
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) {
    throw new CertificateError('seededRandom', 'seed', 'an integer in [0, 2^32)', seed)
  }
  const next = mixingCounter(seed)
  return xoshiro([next(), next(), next(), next()])
}

/** The generator from an explicit state of four 32-bit words, not all zero. */
export function xoshiro(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotateLeft(d, 11)
    return result / 2 ** 32
  }
}

/** Fisher-Yates permutation of 0..count-1. */
export function permutation(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = order[last]!
    order[last] = order[other]!
    order[other] = kept
  }
  return order
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

function mixingCounter(seed: number): () => number {
  let counter = seed
  return () => {
    counter = (counter + 0x9e3779b9) | 0
    const first = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad)
    const second = Math.imul(first ^ (first >>> 15), 0x735a2d97)
    return (second ^ (second >>> 15)) >>> 0
  }
}
