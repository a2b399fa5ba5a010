const CONSTANTS = fractionalBits(64, Math.cbrt)
const INITIAL = fractionalBits(8, Math.sqrt)

/** SHA-256 (FIPS 180-4) of bytes, or of a text's UTF-8 bytes, as hex. Synchronous, the same in browser and Node. */
export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? utf8(data) : data
  const whole = bytes.length - (bytes.length % 64)
  const tail = paddedTail(bytes.subarray(whole), bytes.length)
  const hash = Int32Array.from(INITIAL)
  const words = new Int32Array(64)
  for (const part of [bytes.subarray(0, whole), tail]) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    for (let start = 0; start < part.length; start += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i)
      compress(hash, words)
    }
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
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

/** TextEncoder is no part of the language; lone surrogates become U+FFFD as there. */
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let size = 0
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i)
    if (code < 0x80) {
      bytes[size++] = code
      continue
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = text.charCodeAt(i + 1)
      const isPair = code < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
      code = isPair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd
      if (isPair) i++
    }
    if (code < 0x800) {
      bytes[size++] = 0xc0 | (code >> 6)
    } else {
      if (code < 0x10000) {
        bytes[size++] = 0xe0 | (code >> 12)
      } else {
        bytes[size++] = 0xf0 | (code >> 18)
        bytes[size++] = 0x80 | ((code >> 12) & 0x3f)
      }
      bytes[size++] = 0x80 | ((code >> 6) & 0x3f)
    }
    bytes[size++] = 0x80 | (code & 0x3f)
  }
  return bytes.subarray(0, size)
}
