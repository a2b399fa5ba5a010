import { canonicalPieces } from './canonical-json.ts'
import { sha256Stream } from './sha256.ts'

/** SHA-256 of the canonical JSON, which is never in memory as a whole: a certificate of a million rows has 400 MB of it. */
export function canonicalDigest(value: unknown): string {
  const digest = sha256Stream()
  canonicalPieces(value, digest.add)
  return digest.hex()
}
