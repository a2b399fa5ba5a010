import type { MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { TEXT } from '../../text/english.ts'

export interface BudgetStanding {
  readonly state: 'within' | 'over' | 'open' | 'idle'
  readonly text: string
}

/** By the bounds that hold however often they are looked at. Null: there is no budget. */
export function budgetStanding(view: MonitorView): BudgetStanding | null {
  const { certificate, spotChecks, alarm } = view
  if (certificate === null) return null
  const words = TEXT.overview.budget
  const allowed = percentText(certificate.budget.beta)
  if (!certificate.canAct) return { state: 'idle', text: words.idle(allowed) }
  const { wrong, uniform, rate } = spotChecks
  if (wrong === null || uniform === null) {
    return { state: 'open', text: rate === 0 ? words.unsampled(allowed) : words.unknown(allowed) }
  }
  const figures = {
    now: percentText(uniform.rate ?? wrong.share),
    lower: percentText(uniform.lower),
    upper: percentText(uniform.upper),
    allowed,
    checks: countText(wrong.of),
  }
  if (uniform.lower > certificate.budget.beta || alarm.isAlarm) return { state: 'over', text: words.over(figures) }
  if (uniform.upper > certificate.budget.beta) return { state: 'open', text: words.open(figures) }
  return { state: 'within', text: words.within(figures) }
}
