import type { CertificateRow, MonitorView } from 'quorate/contract'
import { dayText } from 'quorate/record'
import { useMonitor } from '../../api/queries.ts'
import { Mark, type MarkName } from '../../parts/mark.tsx'

type Kind = MonitorView['state']['kind']

/** What an active certificate does, as the sidebar says it: only one that acts is blue. */
const STATES: Readonly<Record<Kind, readonly [MarkName, string, string]>> = {
  acting: ['act', 'active', 'is-act'],
  idle: ['none', 'active, never acts', ''],
  shadow: ['none', 'active, in shadow', ''],
  suspended: ['stopped', 'active, suspended', ''],
  none: ['none', 'active', ''],
}

function useStanding() {
  const monitor = useMonitor().data
  return { kind: monitor?.state.kind ?? 'none', since: monitor?.policy.since ?? null } as const
}

/** In the list of certificates. */
export function ActiveMark({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  const [mark, words] = STATES[useStanding().kind]
  return (
    <>
      <span className={isActive ? (mark === 'act' ? 'text-act active' : 'active') : 'soft'}>
        <Mark name={isActive ? mark : 'none'} /> {isActive ? words : 'not active'}
      </span>
      {feasible ? null : <span className="bad infeasible">✕ cannot act: its budget is too small</span>}
    </>
  )
}

/** Beside the name of one certificate. */
export function ActiveChip({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  const { kind, since } = useStanding()
  if (!feasible) return <span className="chip is-wrong">cannot act: its budget is too small</span>
  if (!isActive) return <span className="chip">not active</span>
  const [mark, words, style] = STATES[kind]
  return (
    <span className={`chip ${style}`}>
      <Mark name={mark} /> {words.charAt(0).toUpperCase() + words.slice(1)}
      {since === null ? '' : ` since ${dayText(since)}`}
    </span>
  )
}
