import { countText } from '../report/number-text.ts'
import type { PageFrame } from '../report/page-frame.ts'
import type { RunResult } from '../runs/run-questions.ts'
import type { Decided } from './decided.ts'
import { aside } from './page-text.ts'

export interface DecidedRun {
  readonly result: RunResult
  readonly decided: readonly Decided[]
  /** Calls that all rounds of the same questions take. */
  readonly callsOfAllRounds: number
}

/** What became of the new questions. */
export function decidedSection({ result, decided, callsOfAllRounds }: DecidedRun, page: PageFrame): string[] {
  const acted = decided.filter(({ decision }) => decision.kind === 'act').length
  const calls = result.spend.calls.answered
  const outcome =
    `${countText(acted)} acted on, ${countText(decided.length - acted)} handed to a person; ${countText(calls)} calls, ` +
    `where all rounds take ${countText(callsOfAllRounds)}`
  return aside('', outcome, page)
}
