import { type ReactNode, useId } from 'react'

const MEANINGS = {
  beta: 'Beta: the largest share of all questions that may be acted on and wrong.',
  floor: 'Floor: the smallest share right that every class must reach. A class for which it is not shown is refused.',
  class: 'Class: debates that went the same way, by round, agreement of the agents, and whether the answer changed.',
  threshold: 'Threshold: the score that a debate needs in a round to be acted on.',
  spotCheck: 'Spot check: a question chosen at random when it arrives. A person labels it whatever the panel decided.',
  period: 'Period: the time from one activation or release to the next. Tests restart in each period. Figures stay.',
  suspended: 'Suspended: nothing is acted on. Everything goes to people.',
  drift: 'Drift: do new debates still look like the labelled ones after round 1?',
} as const

export type TermName = keyof typeof MEANINGS

interface TermProps {
  readonly name: TermName
  readonly children: ReactNode
  /** Opens the definition to the left, for a word near the right edge. */
  readonly opensLeft?: boolean
}

/** A word whose definition appears on hover and on focus. */
export function Term({ name, children, opensLeft = false }: TermProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the definition must be reachable with the keyboard
    <span className={`term ${opensLeft ? 'opens-left' : ''}`} tabIndex={0} aria-describedby={id}>
      {children}
      <span role="tooltip" id={id}>
        {MEANINGS[name]}
      </span>
    </span>
  )
}
