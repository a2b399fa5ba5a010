const BYTES = 32
const FORM = /^[0-9a-f]{64}$/

/** A set of digests in hex. A `Set` of strings fits too, but `digestSet` keeps only the bytes, for very many of them. */
export interface DigestSet extends Iterable<string> {
  readonly size: number
  has(digest: string): boolean
}

export interface DigestCollector {
  /** Ignores a text that is no SHA-256 in hex, because no digest ever equals it. */
  add(digest: string): void
  /** The distinct digests in order. */
  set(): DigestSet
}

/** A string of 64 characters in a set takes 130 bytes, here it takes 32. A million questions have four digests each. */
export function collectDigests(): DigestCollector {
  let bytes = Buffer.alloc(64 * BYTES)
  let count = 0
  return {
    add(digest) {
      if (!FORM.test(digest)) return
      if ((count + 1) * BYTES > bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length)
      bytes.write(digest, count * BYTES, 'hex')
      count += 1
    },
    set: () => sortedSet(bytes.subarray(0, count * BYTES)),
  }
}

export function digestSet(digests: Iterable<string>): DigestSet {
  const collected = collectDigests()
  for (const digest of digests) collected.add(digest)
  return collected.set()
}

function sortedSet(bytes: Buffer): DigestSet {
  const count = bytes.length / BYTES
  // The first six bytes as a number nearly always differ. Comparing all bytes takes ten times as long.
  const keys = Float64Array.from({ length: count }, (_, at) => bytes.readUIntBE(at * BYTES, 6))
  const compare = (a: number, b: number) =>
    (keys[a] ?? 0) - (keys[b] ?? 0) || bytes.compare(bytes, b * BYTES, (b + 1) * BYTES, a * BYTES, (a + 1) * BYTES)
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(compare)
  const sorted = Buffer.alloc(bytes.length)
  let size = 0
  for (const [place, at] of order.entries()) {
    if (place > 0 && compare(order[place - 1] ?? 0, at) === 0) continue
    bytes.copy(sorted, size * BYTES, at * BYTES, (at + 1) * BYTES)
    size += 1
  }
  return setOver(sorted, size)
}

function setOver(sorted: Buffer, size: number): DigestSet {
  return {
    size,
    has(digest) {
      if (!FORM.test(digest)) return false
      const wanted = Buffer.from(digest, 'hex')
      let low = 0
      let high = size
      while (low < high) {
        const middle = (low + high) >>> 1
        const found = sorted.compare(wanted, 0, BYTES, middle * BYTES, (middle + 1) * BYTES)
        if (found === 0) return true
        if (found < 0) low = middle + 1
        else high = middle
      }
      return false
    },
    *[Symbol.iterator]() {
      for (let at = 0; at < size; at++) yield sorted.toString('hex', at * BYTES, (at + 1) * BYTES)
    },
  }
}
