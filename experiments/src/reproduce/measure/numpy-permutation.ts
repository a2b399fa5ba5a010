const LOW_32 = 0xffff_ffffn
const LOW_64 = (1n << 64n) - 1n
const LOW_128 = (1n << 128n) - 1n
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n
const POOL = 4

/**
 * `numpy.random.default_rng(seed).permutation(count)`, number by number: SeedSequence, PCG64 and its shuffle. The
 * prototype of `total` draws its halves with it, so ours can be run on the same halves.
 */
export function numpyPermutation(count: number, seed: number): number[] {
  const next = pcg64(seed)
  const values = Array.from({ length: count }, (_, at) => at)
  for (let at = count - 1; at > 0; at--) {
    const other = atMost(next, at)
    ;[values[at], values[other]] = [values[other]!, values[at]!]
  }
  return values
}

/** Draws under the smallest mask that covers `most` until a value is not above it. */
function atMost(next: () => number, most: number): number {
  const mask = 2 ** (32 - Math.clz32(most)) - 1
  for (;;) {
    const value = (next() & mask) >>> 0
    if (value <= most) return value
  }
}

/** Generates words of 32 bits: the low half of each output, then its high half. */
function pcg64(seed: number): () => number {
  const [high, low, incrementHigh, incrementLow] = seedWords(seed)
  const increment = ((((incrementHigh! << 64n) | incrementLow!) << 1n) | 1n) & LOW_128
  let state = 0n
  const step = () => {
    state = (state * MULTIPLIER + increment) & LOW_128
  }
  step()
  state = (state + ((high! << 64n) | low!)) & LOW_128
  step()
  let kept: number | null = null
  return () => {
    if (kept !== null) {
      const word = kept
      kept = null
      return word
    }
    step()
    const folded = (state >> 64n) ^ (state & LOW_64)
    const turn = state >> 122n
    const output = ((folded >> turn) | (folded << (64n - turn))) & LOW_64
    kept = Number(output >> 32n)
    return Number(output & LOW_32)
  }
}

/** Four words of 64 bits from a seed below 2^32, by SeedSequence. */
function seedWords(seed: number): bigint[] {
  const pool = new Uint32Array(POOL)
  const hash = hashing(0x43b0d7e5, 0x931e8875)
  for (let at = 0; at < POOL; at++) pool[at] = hash(at === 0 ? seed : 0)
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) {
      if (from === to) continue
      const mixed = (Math.imul(0xca01f9dd, pool[to]!) - Math.imul(0x4973f715, hash(pool[from]!))) >>> 0
      pool[to] = mixed ^ (mixed >>> 16)
    }
  }
  const draw = hashing(0x8b51f9dd, 0x58f38ded)
  const words = Array.from({ length: 2 * POOL }, (_, at) => BigInt(draw(pool[at % POOL]!)))
  return Array.from({ length: POOL }, (_, at) => words[2 * at]! | (words[2 * at + 1]! << 32n))
}

function hashing(start: number, multiplier: number): (value: number) => number {
  let constant = start
  return (value) => {
    const mixed = (value ^ constant) >>> 0
    constant = Math.imul(constant, multiplier) >>> 0
    const product = Math.imul(mixed, constant) >>> 0
    return (product ^ (product >>> 16)) >>> 0
  }
}
