import { countText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Failure } from '../../parts/page-states.tsx'
import { RunBar, RunDecisions } from '../../parts/run-bar.tsx'
import { RunHead } from './run-head.tsx'
import { runCost, runName, useRuns } from './run-queries.ts'

const SHOWN = 4
const REQUESTED = 10

/** The latest runs, for the overview. */
export function LatestRuns() {
  const runs = useRuns(REQUESTED)
  // A server opens a run before its first question arrives, so some runs are empty.
  const rows = (runs.data?.pages[0]?.items ?? []).filter(({ questions }) => questions > 0).slice(0, SHOWN)
  return (
    <section className="section">
      <header>
        <h2>Latest runs</h2>
        <span className="right">
          <a href={linkTo('runs')}>All runs</a>
        </span>
      </header>
      {runs.isError && rows.length === 0 ? (
        <Failure error={runs.error} again={() => void runs.refetch()} />
      ) : rows.length === 0 ? (
        <p className="blank">{runs.isPending ? 'Loading runs …' : 'No run yet.'}</p>
      ) : (
        <table className="stack">
          <RunHead columns={['run', 'progress', 'questions', 'decided', 'cost']} />
          <tbody>
            {rows.map((run) => (
              <tr key={run.id}>
                <td>
                  <a href={linkTo('debates', [], { run: run.id })}>
                    <DataText text={runName(run)} />
                  </a>
                  <br />
                  <span className="interval">
                    {dayText(run.createdAt)}
                    {run.pending > 0
                      ? `, ${countText(run.questions - run.pending)} of ${countText(run.questions)}`
                      : ''}
                  </span>
                </td>
                <td className="gone bar-cell">
                  {run.kind === 'decide' ? (
                    <RunBar acted={run.acted} deferred={run.deferred} of={run.questions} />
                  ) : null}
                </td>
                <td className="number gone">{countText(run.questions)}</td>
                <td className="number">
                  <RunDecisions run={run} />
                </td>
                <td className="number gone">{runCost(run) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
