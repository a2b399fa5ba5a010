import '../style/data-text.css'
import '../style/figure.css'
import '../style/mark.css'

export type MarkName = 'act' | 'defer' | 'wrong' | 'right' | 'few' | 'none' | 'stopped'

/** Each meaning has one shape and one colour on every page. A word is always beside it. */
export function Mark({ name, isLarge = false }: { readonly name: MarkName; readonly isLarge?: boolean }) {
  return (
    <svg className={`mark is-${name} ${isLarge ? 'is-large' : ''}`} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  )
}

export type Outcome = 'act' | 'defer' | 'wrong'

/** A disc for act, a diamond for defer and a cross for wrong, as in the figures. A word is always beside it. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  return (
    <svg className="figure outcome-mark" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {outcome === 'act' ? <circle className="act" cx="6" cy="6" r="5" /> : null}
      {outcome === 'defer' ? <path className="defer" d="M6 0L12 6L6 12L0 6Z" /> : null}
      {outcome === 'wrong' ? <path className="wrong-line" d="M2 2L10 10M2 10L10 2" /> : null}
    </svg>
  )
}

const SHAPES = {
  act: <circle cx="6" cy="6" r="5" />,
  defer: <path d="M6 .5 11.5 6 6 11.5.5 6Z" />,
  wrong: <path d="M2 2 10 10M10 2 2 10" />,
  right: <path d="M1.5 6.5 4.5 9.5 10.5 2.5" />,
  few: <circle cx="6" cy="6" r="4.6" />,
  none: <circle cx="6" cy="6" r="4.6" />,
  stopped: <path d="M3.5 1.5V10.5M8.5 1.5V10.5" />,
} as const
