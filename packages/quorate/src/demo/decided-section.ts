import { countText } from '../report/number-text.ts'
import { rateText } from '../report/operating-table.ts'
import type { PageFrame } from '../report/page-frame.ts'
import type { RunResult } from '../runs/run-questions.ts'
import { actedWrongly, type Decided } from './decided.ts'
import { aside } from './page-text.ts'

export interface DecidedRun {
  readonly result: RunResult
  readonly decided: readonly Decided[]
  /** Calls that all rounds of the same questions take. */
  readonly callsOfAllRounds: number
}

/** What became of the new questions, and what spot checks say about it. */
export function decidedSection({ result, decided, callsOfAllRounds }: DecidedRun, page: PageFrame): string[] {
  const acted = decided.filter(({ decision }) => decision.kind === 'act').length
  const calls = result.spend.calls.answered
  const outcome =
    `${countText(acted)} acted on, ${countText(decided.length - acted)} handed to a person; ${countText(calls)} calls, ` +
    `where all rounds take ${countText(callsOfAllRounds)}`
  return [...aside('', outcome, page), ...aside('Check', spotCheckText(decided), page)]
}

function spotCheckText(decided: readonly Decided[]): string {
  const drawn = decided.filter(({ isDrawn }) => isDrawn)
  const [seen, all] = [drawn, decided].map((some) => some.filter(actedWrongly).length)
  return (
    `${countText(drawn.length)} questions were drawn for a spot check before anyone was asked. Labelled by a person, they ` +
    `estimate how often it acts wrongly: ${seen} of ${countText(drawn.length)}, ` +
    `${rateText(seen ?? 0, drawn.length)} %. Here all answers are known: ${all} of ${countText(decided.length)}, ` +
    `${rateText(all ?? 0, decided.length)} %.`
  )
}
