import { KINDS_PER_ROUND, type KindCode } from '../kinds/kind.ts'
import type { ActedRows } from './exact-tests.ts'
import type { Cuts } from './policy-path.ts'
import { type OwnCuts, type StoppingRows, stopsOf } from './stopping-rows.ts'

/** The result of one policy for every row. */
export interface Replayed extends ActedRows {
  readonly stops: Int8Array
  readonly kinds: ReadonlyMap<KindCode, RightCount>
  /** Index of the answer that each row ends with; -1 for an answer without its own budget. Null if no answer has one. */
  readonly answers: Int16Array | null
}

export interface RightCount {
  readonly rows: number
  readonly right: number
}

export function replayPolicy(rows: StoppingRows, allowed: Uint8Array, cuts: Cuts, own: OwnCuts | null): Replayed {
  const stops = stopsOf(rows, allowed, cuts, own ?? undefined)
  const answers =
    own && Int16Array.from(stops, (round, row) => own.of[row * rows.rounds + (round < 0 ? rows.rounds - 1 : round)]!)
  const acts = new Uint8Array(stops.length)
  const wrong = new Uint8Array(stops.length)
  const most = rows.rounds * KINDS_PER_ROUND
  const [seen, right] = [new Uint32Array(most), new Uint32Array(most)]
  for (let row = 0; row < stops.length; row++) {
    const round = stops[row]!
    if (round < 0) continue
    const at = row * rows.rounds + round
    acts[row] = 1
    wrong[row] = 1 - rows.right[at]!
    seen[rows.kinds[at]!]!++
    right[rows.kinds[at]!]! += rows.right[at]!
  }
  const kinds = new Map<KindCode, RightCount>()
  for (let kind = 0; kind < most; kind++) {
    if (seen[kind]! > 0) kinds.set(kind, { rows: seen[kind]!, right: right[kind]! })
  }
  return { stops, acts, wrong, kinds, answers }
}
