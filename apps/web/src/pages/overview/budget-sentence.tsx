import type { MonitorView } from 'quorate/contract'
import { budgetStanding } from './budget-standing.ts'

const MARKS = { within: '●', over: '✕', open: '○', idle: '■' } as const

/** The first thing an owner asks: does the budget hold? */
export function BudgetSentence({ view }: { readonly view: MonitorView }) {
  const said = budgetStanding(view)
  if (said === null) return null
  return (
    <p className={`budget-sentence is-${said.state}`}>
      <span aria-hidden="true">{MARKS[said.state]}</span> {said.text}
    </p>
  )
}
