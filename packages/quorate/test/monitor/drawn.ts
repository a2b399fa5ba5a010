import type { DrawnQuestion } from '../../src/monitor/spot-check-outcome.ts'

export type Kind = 'wrong' | 'right' | 'cannot-tell' | 'bad-question' | 'unlabelled' | 'deferred' | 'undecided'

/** A draw of each kind; the panel answers A. */
export function drawn(arrival: number, kind: Kind): DrawnQuestion {
  const decision = { kind: 'act', answer: 'A' } as const
  switch (kind) {
    case 'undecided':
      return { arrival, decision: null, label: null }
    case 'deferred':
      return { arrival, decision: { kind: 'defer', answer: null }, label: null }
    case 'unlabelled':
      return { arrival, decision, label: null }
    case 'wrong':
      return { arrival, decision, label: { gold: 'B', verdict: 'option' } }
    case 'right':
      return { arrival, decision, label: { gold: 'A', verdict: 'option' } }
    default:
      return { arrival, decision, label: { gold: null, verdict: kind } }
  }
}
