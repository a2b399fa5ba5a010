import type { Certificate } from '@quorate/certificate'
import { budgetUsedText } from '../report/total-lines.ts'
import type { RunResult } from '../run/run-to-end.ts'
import { countText, percentText } from '../text/number-text.ts'
import type { PageFrame } from '../text/page-frame.ts'
import { actedWrongly, type Decided } from './decided.ts'
import { aside } from './page-text.ts'

export interface DecidedRun {
  readonly result: RunResult
  readonly decided: readonly Decided[]
  /** Calls that all rounds of the same questions take. */
  readonly callsOfAllRounds: number
  readonly certificate: Pick<Certificate, 'budget'>
}

/** What became of the new questions. */
export function decidedSection(run: DecidedRun, page: PageFrame): string[] {
  const { result, decided, callsOfAllRounds, certificate } = run
  const acted = decided.filter(({ decision }) => decision.kind === 'act').length
  const calls = result.spend.calls.answered
  const outcome =
    `${countText(acted)} acted on, ${countText(decided.length - acted)} handed to a person; ${countText(calls)} calls, ` +
    `where all rounds take ${countText(callsOfAllRounds)}`
  const wrong = decided.filter(actedWrongly).length
  const used = budgetUsedText(wrong, decided.length, certificate.budget.beta)
  const share = decided.length === 0 ? '0' : percentText(acted / decided.length)
  const spent = `${share} % acted on, ${countText(wrong)} of them wrong: ${used}, all answers being known here`
  return [...aside('', outcome, page), ...aside('', spent, page)]
}
