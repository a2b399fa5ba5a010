import { jsonLine } from '../report/json-line.ts'
import { countOf } from '../report/number-text.ts'
import type { SharedRunOpened } from '../workers/share-run.ts'

/** What there is to know of a run that somebody else holds. */
export function detachedText({ run, questions, isResumed, lostCalls }: SharedRunOpened, isJson: boolean): string {
  if (isJson) return jsonLine({ quorate: 1, runId: run.id, kind: run.kind, queued: questions, isResumed, lostCalls })
  const lost =
    lostCalls === 0 ? '' : ` ${countOf(lostCalls, 'call')} of the process before, lost, with the reserve kept.`
  const what = run.kind === 'decide' ? 'decisions' : 'debates'
  return `Run ${run.id}: ${countOf(questions, 'question')} ${isResumed ? 'again ' : ''}in the queue.${lost}

Next
  quorate worker                 here and on other machines, as many as you like
  quorate status --watch         progress, speed, money, workers
  quorate export --run ${run.id} --what ${what} --out ${what}.jsonl
`
}
