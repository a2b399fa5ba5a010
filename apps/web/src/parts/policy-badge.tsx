import type { MonitorView } from 'quorate/contract'
import { TEXT } from '../text/english.ts'

/** Never colour alone: a word and a shape. */
export function PolicyBadge({ monitor }: { readonly monitor: MonitorView | undefined }) {
  const known = monitor?.policy.state ?? 'unknown'
  const state = known === 'live' && monitor?.certificate?.canAct === false ? 'idle' : known
  return (
    <span className={`badge policy-${state}`} title={monitor?.policy.reason ?? undefined}>
      <span aria-hidden="true">{MARKS[state]}</span> {TEXT.policy[state]}
    </span>
  )
}

const MARKS = { live: '●', idle: '■', suspended: '■', none: '○', unknown: '·' } as const
