import type { Confidence } from './confidence.ts'
import type { KnnOptions } from './knn-options.ts'
import { bestLower } from './local-bound.ts'
import type { LocalEvidence } from './local-evidence.ts'

/** Local evidence of many debates over all rounds, which is all that a new delta needs. Unused slots have count 0. */
export interface EvidenceColumns {
  readonly slots: number
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  readonly envelopes: Float64Array
}

/**
 * `read` returns the evidence of a debate after a round, null if there is none, or the index of an earlier debate and
 * round with the same evidence. Indices are row-major over rows x rounds.
 */
export function gatherEvidence(
  slots: number,
  rows: number,
  rounds: number,
  read: (row: number, round: number, place: number) => LocalEvidence | number | null,
): EvidenceColumns {
  const size = rows * rounds * slots
  const columns = {
    slots,
    counts: new Uint32Array(size),
    successes: new Uint32Array(size),
    envelopes: new Float64Array(size),
  }
  for (let at = 0; at < rows * rounds; at++) {
    const found = read(Math.floor(at / rounds), (at % rounds) + 1, at)
    if (found === null) continue
    if (typeof found === 'number') {
      for (const column of [columns.counts, columns.successes, columns.envelopes]) {
        column.copyWithin(at * slots, found * slots, (found + 1) * slots)
      }
      continue
    }
    columns.counts.set(found.counts, at * slots)
    columns.successes.set(found.successes, at * slots)
    columns.envelopes.set(found.envelopes, at * slots)
  }
  return columns
}

/** NaN where there is no evidence. */
export function lowerOf(columns: EvidenceColumns, confident: Confidence, options: KnnOptions): Float64Array {
  const { slots, counts, successes, envelopes } = columns
  const lower = new Float64Array(counts.length / slots).fill(Number.NaN)
  for (let at = 0; at < lower.length; at++) {
    const start = at * slots
    let end = start
    while (end < start + slots && counts[end]! > 0) end++
    if (end === start) continue
    const local = {
      counts: counts.subarray(start, end),
      successes: successes.subarray(start, end),
      envelopes: envelopes.subarray(start, end),
    }
    lower[at] = bestLower(local, confident, options)
  }
  return lower
}
