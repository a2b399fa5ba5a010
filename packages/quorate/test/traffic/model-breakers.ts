import type { SharedBreaker, SharedLimits } from '../../src/traffic/shared-breakers.ts'

interface Row {
  failures: number
  rests: number
  restsUntil: number | null
  probeBy: string | null
  probeUntil: number | null
  pausedUntil: number | null
}

/**
 * What processes share about failing models, in memory. It follows the same rules as the database, and each change is
 * visible at once.
 */
export function modelLimits(now: () => number): SharedLimits {
  const rows = new Map<string, Row>()
  const rowOf = (name: string): Row => {
    const fresh = { failures: 0, rests: 0, restsUntil: null, probeBy: null, probeUntil: null, pausedUntil: null }
    const row = rows.get(name) ?? fresh
    rows.set(name, row)
    return row
  }
  const from = (time: number | null) => (time === null ? null : time - now())
  return {
    breakers: async () =>
      [...rows].map(
        ([name, { failures, rests, restsUntil, probeBy, probeUntil, pausedUntil }]): SharedBreaker => ({
          name,
          failures,
          rests,
          probeBy,
          restsForMs: from(restsUntil),
          probeForMs: from(probeUntil),
          pausedForMs: from(pausedUntil),
        }),
      ),
    async failed({ name, by, failures, restMs, mostRestMs }) {
      const row = rowOf(name)
      const isProbe = row.probeBy === by
      if (row.restsUntil === null) row.failures += 1
      if (isProbe || (row.restsUntil === null && row.failures >= failures)) {
        row.restsUntil = now() + Math.min(mostRestMs, restMs * 2 ** row.rests)
        row.rests += 1
      }
      if (isProbe) Object.assign(row, { probeBy: null, probeUntil: null })
    },
    async succeeded(name) {
      Object.assign(rowOf(name), { failures: 0, rests: 0, restsUntil: null, probeBy: null, probeUntil: null })
    },
    async probe(name, by, forMs) {
      const row = rowOf(name)
      const isTaken = row.probeUntil !== null && row.probeUntil >= now()
      if (row.restsUntil === null || row.restsUntil > now() || isTaken) return false
      Object.assign(row, { probeBy: by, probeUntil: now() + forMs })
      return true
    },
    async pause(name, forMs) {
      const row = rowOf(name)
      row.pausedUntil = Math.max(row.pausedUntil ?? 0, now() + forMs)
    },
  }
}
