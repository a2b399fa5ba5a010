import { canonicalPieces } from './canonical-json.ts'
import { sha256Stream } from './sha256.ts'

/**
 * SHA-256 of the canonical JSON. The whole text is never in memory at once: for a certificate of a million rows it has
 * 400 MB.
 */
export function canonicalDigest(value: unknown): string {
  const digest = sha256Stream()
  canonicalPieces(value, digest.add)
  return digest.hex()
}
