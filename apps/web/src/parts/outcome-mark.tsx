import '../style/data-text.css'
import '../style/figure.css'

export type Outcome = 'act' | 'defer' | 'wrong'

/** A disc acts, a diamond defers, a cross is wrong; the same as in figures. A word always stands beside it. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  return (
    <svg className="figure outcome-mark" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {outcome === 'act' ? <circle className="act" cx="6" cy="6" r="5" /> : null}
      {outcome === 'defer' ? <path className="defer" d="M6 0L12 6L6 12L0 6Z" /> : null}
      {outcome === 'wrong' ? <path className="wrong-line" d="M2 2L10 10M2 10L10 2" /> : null}
    </svg>
  )
}
