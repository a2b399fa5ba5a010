import { type Audit, audit, type Measure, type ReadDebates } from '@quorate/certificate'
import type { TwinName } from '../../twins/targets.ts'
import { usualBudget } from './budgets.ts'
import { firstRoundPilot, modulusOf, type SmootherName } from './pilot-modulus.ts'
import { splitInHalves } from './worlds.ts'

/** Results of the package's checks of the paper's profile on a twin. */
export interface TwinAudit {
  readonly beta: number
  readonly verdict: Audit['verdict']
  readonly checks: readonly { readonly name: string; readonly verdict: Audit['verdict']; readonly finding: string }[]
  /** The diagnostics of the paper, for MMLU-Pro only. */
  readonly diagnostics: Diagnostics | null
}

export interface Diagnostics {
  /** What the package measures at beta = .15 in addition to its checks. */
  readonly measures: readonly Measure[]
  /** Moduli at round 1 of the first split, at radii .05 and .10. */
  readonly moduli: Readonly<Record<SmootherName, readonly [number, number]>>
}

/** A twin without a training-selected budget is audited at the largest of the fixed ones. */
const FALLBACK_BETA = 0.3

export function measureTwinAudit(
  read: ReadDebates,
  { twin, seed, beta }: { readonly twin: TwinName; readonly seed: number; readonly beta: number | null },
): TwinAudit {
  const found = audit(read, { profile: 'paper', budget: usualBudget(beta ?? FALLBACK_BETA), seed })
  return {
    beta: found.beta,
    verdict: found.verdict,
    checks: found.checks.map(({ name, verdict, finding }) => ({ name, verdict, finding })),
    diagnostics: twin === 'mmlu-pro' ? diagnosticsOf(read, seed) : null,
  }
}

function diagnosticsOf(read: ReadDebates, seed: number): Diagnostics {
  const { measures } = audit(read, { profile: 'paper', budget: usualBudget(0.15), seed })
  const pilot = firstRoundPilot(splitInHalves(read, seed).train, seed)
  const at = (smoother: SmootherName) => {
    const modulus = modulusOf(pilot, smoother)
    return [modulus(0.05), modulus(0.1)] as const
  }
  return { measures, moduli: { gam: at('gam'), isotonic: at('isotonic') } }
}
