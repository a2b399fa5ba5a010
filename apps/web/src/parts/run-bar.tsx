import type { RunRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import '../style/chart.css'
import { Mark } from './mark.tsx'

/** How many questions were acted on and deferred. A run that only debates decides nothing. */
export function RunDecisions({ run, hasMarks = false }: { readonly run: RunRow; readonly hasMarks?: boolean }) {
  const { kind, questions, acted, deferred } = run
  if (kind !== 'decide' || questions === 0) {
    return <span className="faint">{kind === 'decide' ? 'none yet' : 'decides nothing'}</span>
  }
  return (
    <>
      <span className="text-act">
        {hasMarks ? <Mark name="act" /> : null} {countText(acted)}
      </span>{' '}
      /{' '}
      <span className="text-defer">
        {hasMarks ? <Mark name="defer" /> : null} {countText(deferred)}
      </span>
    </>
  )
}

/** The shares of questions that were acted on, deferred and not decided yet. The numbers are beside the bar. */
export function RunBar({
  acted,
  deferred,
  of,
}: {
  readonly acted: number
  readonly deferred: number
  readonly of: number
}) {
  const x = (count: number) => (of === 0 ? 0 : (count / of) * 120)
  return (
    <svg className="chart run-bar" viewBox="0 0 120 8" height="8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="120" height="8" />
      <rect className="act" width={x(acted)} height="8" />
      <rect className="defer" x={x(acted)} width={x(deferred)} height="8" />
    </svg>
  )
}
