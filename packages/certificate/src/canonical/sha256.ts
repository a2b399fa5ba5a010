const CONSTANTS = fractionalBits(64, Math.cbrt)
const INITIAL = fractionalBits(8, Math.sqrt)

/**
 * SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 bytes of a string, as hex. Synchronous, and the same in browsers and
 * Node.
 */
export function sha256(data: string | Uint8Array): string {
  const digest = sha256Stream()
  digest.add(data)
  return digest.hex()
}

/** The same for data that comes in pieces. A string must not be split inside a surrogate pair. */
export interface Sha256Stream {
  add(data: string | Uint8Array): void
  /** The digest of everything added. Nothing can be added afterwards. */
  hex(): string
}

export function sha256Stream(): Sha256Stream {
  const hash = Int32Array.from(INITIAL)
  const words = new Int32Array(64)
  // Bytes that do not fill a block yet.
  const rest = new Uint8Array(64)
  let filled = 0
  let length = 0

  function addBlocks(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let start = 0; start < bytes.length; start += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i)
      compress(hash, words)
    }
  }

  function addBytes(bytes: Uint8Array): void {
    length += bytes.length
    const first = filled === 0 ? 0 : Math.min(64 - filled, bytes.length)
    rest.set(bytes.subarray(0, first), filled)
    filled += first
    if (filled === 64) {
      addBlocks(rest)
      filled = 0
    }
    if (first === bytes.length) return
    const end = bytes.length - ((bytes.length - first) % 64)
    addBlocks(bytes.subarray(first, end))
    rest.set(bytes.subarray(end))
    filled = bytes.length - end
  }

  return {
    add(data) {
      if (typeof data === 'string') for (const bytes of utf8(data)) addBytes(bytes)
      else addBytes(data)
    },
    hex() {
      addBlocks(paddedTail(rest.subarray(0, filled), length))
      return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}

/** The last bytes, a one bit, zeros, and the length in bits: one block or two. */
function paddedTail(rest: Uint8Array, length: number): Uint8Array {
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128)
  tail.set(rest)
  tail[rest.length] = 0x80
  const view = new DataView(tail.buffer)
  view.setUint32(tail.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(tail.length - 4, length << 3)
  return tail
}

function compress(hash: Int32Array, words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15]!
    const late = words[i - 2]!
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1
  }
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[i]! + words[i]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** First 32 bits of the fractional parts of roots of the first primes, as the standard defines its constants. */
function fractionalBits(count: number, root: (value: number) => number): Int32Array {
  const bits = new Int32Array(count)
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false
    if (isPrime) bits[found++] = Math.floor((root(candidate) % 1) * 2 ** 32)
  }
  return bits
}

/** Code units that are encoded at a time. */
const CHUNK_UNITS = 2 ** 14

/**
 * UTF-8 chunks of a string. `TextEncoder` is not part of the language itself. As with it, lone surrogates become
 * U+FFFD. Each yielded array is valid only until the next one.
 */
function* utf8(text: string): Generator<Uint8Array> {
  // One more unit than the chunk size, since a surrogate pair that begins at the last unit is encoded whole.
  const bytes = new Uint8Array((Math.min(text.length, CHUNK_UNITS) + 1) * 3)
  for (let i = 0; i < text.length; ) {
    const end = Math.min(text.length, i + CHUNK_UNITS)
    let size = 0
    while (i < end) {
      const code = codePointAt(text, i)
      size = writeCode(bytes, size, code)
      i += code > 0xffff ? 2 : 1
    }
    yield bytes.subarray(0, size)
  }
}

function codePointAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 0xd800 || code > 0xdfff) return code
  const low = text.charCodeAt(at + 1)
  const isPair = code < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
  return isPair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd
}

/** Writes one code point and returns the position after it. */
function writeCode(bytes: Uint8Array, from: number, code: number): number {
  let at = from
  if (code < 0x80) {
    bytes[at++] = code
    return at
  }
  if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6)
  } else {
    if (code < 0x10000) {
      bytes[at++] = 0xe0 | (code >> 12)
    } else {
      bytes[at++] = 0xf0 | (code >> 18)
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f)
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
  }
  bytes[at++] = 0x80 | (code & 0x3f)
  return at
}
