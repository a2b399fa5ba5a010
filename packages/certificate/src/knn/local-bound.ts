import type { Confidence } from './confidence.ts'
import type { KnnOptions } from './knn-options.ts'
import { countLooks, type LocalEvidence } from './local-evidence.ts'

/** The lower bound on correctness at a state, with its arithmetic: `lower = mean - envelope - slack`, not clamped. */
export interface Bound {
  readonly lower: number
  /** The smallest size that attains the largest lower bound: a member of the family, or all rows if there are fewer. */
  readonly k: number
  /** Rows in the neighbourhood: k, or more where ties are included. */
  readonly neighbours: number
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly radius: number
}

export interface NoBound {
  readonly lower: null
  readonly reason: 'too-few-labels'
}

export const TOO_FEW_LABELS: NoBound = Object.freeze({ lower: null, reason: 'too-few-labels' })

export function bestBound(evidence: LocalEvidence, confident: Confidence, options: KnnOptions): Bound {
  const slot = bestSlot(evidence, confident, options)
  const neighbours = evidence.counts[slot]!
  const mean = evidence.successes[slot]! / neighbours
  const envelope = evidence.envelopes[slot]!
  const looks = countLooks(evidence.counts, options.kFamily.length, options.looks)
  const slack = mean - confident(evidence.successes[slot]!, neighbours, looks)
  const radius = evidence.radii[slot]!
  return Object.freeze({
    lower: mean - envelope - slack,
    k: evidence.kFamily[slot]!,
    neighbours,
    mean,
    envelope,
    slack,
    radius,
  })
}

/** The same number as `bestBound(...).lower`, without the object. */
export function bestLower(evidence: Counted, confident: Confidence, options: KnnOptions): number {
  const slot = bestSlot(evidence, confident, options)
  const looks = countLooks(evidence.counts, options.kFamily.length, options.looks)
  const mean = evidence.successes[slot]! / evidence.counts[slot]!
  return mean - evidence.envelopes[slot]! - (mean - confident(evidence.successes[slot]!, evidence.counts[slot]!, looks))
}

function bestSlot({ counts, successes, envelopes }: Counted, confident: Confidence, options: KnnOptions): number {
  const looks = countLooks(counts, options.kFamily.length, options.looks)
  let best = 0
  let largest = -Infinity
  for (let slot = 0; slot < counts.length; slot++) {
    const lower = confident(successes[slot]!, counts[slot]!, looks) - envelopes[slot]!
    if (lower > largest) {
      best = slot
      largest = lower
    }
  }
  return best
}

type Counted = Pick<LocalEvidence, 'counts' | 'successes' | 'envelopes'>
