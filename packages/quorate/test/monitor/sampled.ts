import type { SampledQuestion } from '../../src/monitor/spot-check-outcome.ts'

export const ARRIVED = 1_790_000_000_000

/** From a review at the same moment. */
export const LABEL = { source: 'spot-check', at: ARRIVED } as const

export type Kind = 'wrong' | 'right' | 'cannot-tell' | 'bad-question' | 'unlabelled' | 'deferred' | 'undecided'

/** A spot check of each kind; the panel answers A. */
export function sampled(arrival: number, kind: Kind): SampledQuestion {
  const about = {
    arrival,
    arrivedAt: ARRIVED,
    status: kind === 'undecided' ? 'pending' : 'done',
    debatedAt: null,
  } as const
  const decision = { kind: 'act', answer: 'A' } as const
  switch (kind) {
    case 'undecided':
      return { ...about, decision: null, label: null }
    case 'deferred':
      return { ...about, decision: { kind: 'defer', answer: null }, label: null }
    case 'unlabelled':
      return { ...about, decision, label: null }
    case 'wrong':
      return { ...about, decision, label: { ...LABEL, gold: 'B', verdict: 'option' } }
    case 'right':
      return { ...about, decision, label: { ...LABEL, gold: 'A', verdict: 'option' } }
    default:
      return { ...about, decision, label: { ...LABEL, gold: null, verdict: kind } }
  }
}
