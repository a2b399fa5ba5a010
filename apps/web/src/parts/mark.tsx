import '../style/mark.css'

export type MarkName = 'act' | 'defer' | 'wrong' | 'right' | 'few' | 'none' | 'stopped'

/** One shape and one colour each, everywhere: a word always stands beside it. */
export function Mark({ name, isLarge = false }: { readonly name: MarkName; readonly isLarge?: boolean }) {
  return (
    <svg className={`mark is-${name} ${isLarge ? 'is-large' : ''}`} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[name]}
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
