import type { CertificateRow, MonitorView } from 'quorate/contract'
import { dayText } from 'quorate/record'
import { useMonitor } from '../../api/queries.ts'
import { Mark, type MarkName } from '../../parts/mark.tsx'

type Kind = MonitorView['state']['kind']

/** The state of an active certificate, as in the sidebar. Only one that acts is blue. */
const STATES: Readonly<Record<Kind, readonly [MarkName, string, string]>> = {
  acting: ['act', 'active', 'is-act'],
  idle: ['none', 'active, never acts', ''],
  shadow: ['none', 'active, in shadow', ''],
  suspended: ['stopped', 'active, suspended', ''],
  none: ['none', 'active', ''],
}

function usePolicyState() {
  const monitor = useMonitor().data
  return { kind: monitor?.state.kind ?? 'none', since: monitor?.policy.since ?? null } as const
}

/** The state of a certificate in the list. */
export function ActiveMark({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  const [mark, words] = STATES[usePolicyState().kind]
  return (
    <>
      <span className={isActive ? (mark === 'act' ? 'text-act active' : 'active') : 'soft'}>
        <Mark name={isActive ? mark : 'none'} /> {isActive ? words : 'not active'}
      </span>
      {feasible ? null : <span className="bad infeasible">✕ cannot act: its budget is too small</span>}
    </>
  )
}

/** The state of a certificate beside its name. */
export function ActiveChip({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  const { kind, since } = usePolicyState()
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
