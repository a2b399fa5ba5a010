import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import type { CalibrationRows } from '../knn/calibration-rows.ts'

/** Digest of the bytes of the numbers, little-endian as on all supported machines. This is fast even for a million rows. */
export function rowsDigest({ rounds, groups }: CalibrationRows): string {
  const digests = rounds.map(({ points, correct }) => sha256(bytesOf(points)) + sha256(correct))
  return canonicalDigest([digests, groups])
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
