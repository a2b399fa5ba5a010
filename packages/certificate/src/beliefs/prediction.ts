import { CertificateError } from '../certificate-error.ts'
import { tiedMaxima } from './tied-maxima.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Index of the panel's answer: the option with the largest social probability.
 *
 * Ties are broken by a hash of the question's id and the round (from 1), which gives each tied option the same chance.
 * The paper breaks ties at random, but a decision must be reproducible, whether the question is decided alone or among
 * others.
 */
export function predict(social: ArrayLike<number>, id: string, round: number, seed: number): number {
  checkWord('round', round)
  checkWord('seed', seed)
  const tied = tiedMaxima(social)
  const chosen = tied.length === 1 ? tied[0] : tied[Math.floor((seededHash(id, round, seed) / 2 ** 32) * tied.length)]
  if (chosen === undefined) throw new CertificateError('predict', 'social', 'one probability or more', social)
  return chosen
}

function checkWord(parameter: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) {
    throw new CertificateError('predict', parameter, 'an integer in [0, 2^32)', value)
  }
}

/**
 * A hash in [0, 2^32) of (text, round, seed) that looks random and is the same on every engine, since it uses integer
 * arithmetic only. Not for cryptography.
 *
 * It is FNV-1a (Fowler, Noll and Vo) over the bytes of the text's UTF-16 code units, low byte first, then of the round
 * and of the seed, four bytes each. The finaliser of MurmurHash3 (Appleby) follows, because FNV alone leaves
 * neighbouring rounds of one text close together.
 */
export function seededHash(text: string, round: number, seed: number): number {
  let hash = FNV_OFFSET
  for (let unit = 0; unit < text.length; unit++) hash = withBytes(hash, text.charCodeAt(unit), 2)
  hash = withBytes(hash, round, 4)
  hash = withBytes(hash, seed, 4)
  return avalanche(hash)
}

function withBytes(hash: number, word: number, bytes: number): number {
  let mixed = hash
  for (let byte = 0; byte < bytes; byte++) mixed = Math.imul(mixed ^ ((word >>> (8 * byte)) & 0xff), FNV_PRIME)
  return mixed
}

function avalanche(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}
