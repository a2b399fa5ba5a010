import type { TwinName } from '../../twins/targets.ts'
import type { Printed } from './printed.ts'

export interface AuditRow {
  /** (1 - alpha) less the bound; negative where the certificate reaches its threshold. */
  readonly gap: number
  readonly diagnostic: string
  /** Percentage points of Act that a doubled modulus costs; null if none is printed. */
  readonly doubledModulus: Printed
  readonly outcome: string
}

/** Table 11 (tab:audit). */
export const AUDIT_TABLE: Readonly<Record<TwinName, AuditRow>> = {
  'mmlu-pro': {
    gap: 0.055,
    diagnostic: 'not falsified; epsilon proxy 0',
    doubledModulus: -2,
    outcome: 'partial safe act',
  },
  bbh: { gap: -0.016, diagnostic: 'not falsified; epsilon proxy 0', doubledModulus: -2.6, outcome: 'strong act' },
  arc: { gap: 0.036, diagnostic: 'not falsified', doubledModulus: -1, outcome: 'partial act (lambda* about 4.4)' },
  logiqa: { gap: 0.202, diagnostic: 'not falsified', doubledModulus: null, outcome: 'partial act' },
  gpqa: { gap: 0.473, diagnostic: 'not falsified; low n', doubledModulus: null, outcome: 'defers (small n)' },
  musr: { gap: 0.534, diagnostic: 'not falsified; high e_T', doubledModulus: null, outcome: 'defers' },
}

/** Section on representation-gap stress tests: acted-on accuracy over subgroups, per cent; entropy in nats. */
export const SUBTASK_ACCURACY = { bbh: [94.6, 99.2], 'mmlu-pro': [91.5, 96.8] } as const
export const NEIGHBOUR_ENTROPY = { activated: [0.14, 0.27], musrDeferredAbove: 0.55 } as const
