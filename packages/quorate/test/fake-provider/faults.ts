import { createHash } from 'node:crypto'

/** What may go wrong. Those in CHARGED count as charged: the worst case, where only the reply got lost. */
export const FAULTS = [
  'rate-limit',
  'rate-limit-retry-after',
  'server-error',
  'overloaded',
  'reset',
  'hang',
  'malformed',
  'truncated',
  'empty',
] as const

export type Fault = (typeof FAULTS)[number]

export const CHARGED: ReadonlySet<Fault> = new Set(['reset', 'hang', 'malformed', 'truncated', 'empty'])

/**
 * The fault of a request, or null: from the seed, the request and how often it was seen. It does not depend on the order
 * in which requests arrive, so that a run with many in flight meets the same faults every time.
 */
export function drawFault(draw: { seed: number; rate: number; key: string; seen: number; faults: readonly Fault[] }) {
  const digest = createHash('sha256').update(`${draw.seed}\n${draw.key}\n${draw.seen}`).digest()
  if (digest.readUInt32BE(0) / 2 ** 32 >= draw.rate) return null
  return draw.faults[digest.readUInt32BE(4) % draw.faults.length] ?? null
}
