import type { MonitorView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { ENOUGH } from '../../parts/number-text.ts'

/** The possible verdicts on the promise. */
export type VerdictKind = 'none' | 'shadow' | 'suspended' | 'over' | 'idle' | 'unsampled' | 'few' | 'open' | 'within'

/** Uses bounds that stay valid however often they are checked. There is no verdict below 30 counted spot checks. */
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

/** How many spot checks were chosen and counted. The figures end before the oldest hidden question, to reveal nothing of it. */
export function sampledText(spotChecks: MonitorView['spotChecks'], hidden: number): string {
  const { sampled, wrong, uncounted, openSpotChecks } = spotChecks
  const until = hidden === 0 ? '' : ' before the oldest question that waits in Review, where these figures end'
  if (sampled === 0) return `None was chosen in this period${until === '' ? ' yet' : until}.`
  const parts = partsText(wrong?.of ?? 0, uncounted.count, openSpotChecks.count)
  return `${countText(sampled)} ${sampled === 1 ? 'was' : 'were'} chosen in this period${until}: ${parts}.`
}

/** The counted, uncounted and open spot checks, which add up to all of them. */
function partsText(counted: number, uncounted: number, open: number): string {
  const parts = [`${countText(counted)} counted`]
  if (uncounted > 0) parts.push(`${countText(uncounted)} known but counted only after an open one that came before`)
  parts.push(`${countText(open)} open`)
  return parts.join(', ')
}
