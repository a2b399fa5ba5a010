import type { MonitorView } from 'quorate/contract'
import { ENOUGH } from '../../parts/number-text.ts'

/** What can be said of the promise, in the order in which it is asked. */
export type VerdictKind = 'none' | 'shadow' | 'suspended' | 'over' | 'idle' | 'unsampled' | 'few' | 'open' | 'within'

/** By the bounds that hold however often somebody looks, and never below 30 counted spot checks. */
export function verdictKind({ policy, certificate, spotChecks }: MonitorView): VerdictKind {
  const { wrong, uniform, rate, sampled } = spotChecks
  if (policy.state === 'none' || certificate === null) return 'none'
  const isEnough = wrong !== null && uniform !== null && wrong.of >= ENOUGH
  const isOver = isEnough && uniform.lower > certificate.promised
  if (policy.cause === 'shadow') return 'shadow'
  if (policy.state === 'suspended') return policy.cause === 'monitor' && isOver ? 'over' : 'suspended'
  if (!certificate.canAct) return 'idle'
  if (isOver) return 'over'
  if (rate === 0 && sampled === 0) return 'unsampled'
  if (!isEnough) return 'few'
  return uniform.upper > certificate.promised ? 'open' : 'within'
}
