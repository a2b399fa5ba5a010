import type { PolicyState } from 'quorate/contract'
import { TEXT } from '../text/english.ts'

/** Never colour alone: a word and a shape. */
export function PolicyBadge({ policy }: { readonly policy: PolicyState | undefined }) {
  const state = policy?.state ?? 'unknown'
  return (
    <span className={`badge policy-${state}`} title={policy?.reason ?? undefined}>
      <span aria-hidden="true">{MARKS[state]}</span> {TEXT.policy[state]}
    </span>
  )
}

const MARKS = { live: '●', held: '■', none: '○', unknown: '·' } as const
