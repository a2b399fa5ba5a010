import './runs.css'
import type { RunRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { shortRunId } from 'quorate/record'
import { useMonitor, useSession } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { ExportLink } from '../../parts/export-link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { RunBar, RunDecisions } from '../../parts/run-bar.tsx'
import { AskButton } from './ask-dialog.tsx'
import { ExportAll } from './export-all.tsx'
import { RunHead } from './run-head.tsx'
import { runCost, runName, useRuns } from './run-queries.ts'
import { UploadButton } from './upload-dialog.tsx'

const PAGE = 30

/** Answers: what was decided when, under which certificate, and at what cost? */
export function RunsPage() {
  const runs = useRuns(PAGE)
  const rows = runs.data?.pages.flatMap(({ items }) => items) ?? []
  const session = useSession().data
  const isRefusing = useMonitor().data?.policy.state === 'none'
  const mayAsk = session !== undefined && session.role !== 'viewer'
  return (
    <>
      <PageHead
        title="Runs"
        tools={
          <>
            <ExportAll />
            {mayAsk ? <AskButton /> : null}
            {mayAsk ? <UploadButton isMain={rows.length === 0 && !isRefusing} /> : null}
          </>
        }
      />
      <div className="body">
        {runs.isPending ? (
          <Loading what="runs" />
        ) : rows.length === 0 ? (
          runs.isError ? (
            <Failure error={runs.error} again={() => void runs.refetch()} />
          ) : (
            <Empty title="No run yet.">
              {isRefusing ? (
                <p>
                  No certificate is active, so questions are refused here.{' '}
                  <a href={linkTo('certificates')}>Activate one</a> first.
                </p>
              ) : null}
              <p>
                {isRefusing ? 'Then upload' : 'Upload'} questions, or run{' '}
                <code>quorate decide questions.csv --certificate certificate.json</code>. Programs ask over HTTP (POST
                /v1/decisions) or post their own debates (POST /v1/certify).
              </p>
            </Empty>
          )
        ) : (
          <>
            <RunTable rows={rows} />
            {runs.hasNextPage ? (
              <p>
                <button type="button" disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                  {runs.isFetchingNextPage ? 'Loading more …' : 'More'}
                </button>
              </p>
            ) : null}
          </>
        )}
      </div>
    </>
  )
}

function RunTable({ rows }: { readonly rows: readonly RunRow[] }) {
  return (
    <table className="stack runs">
      <caption>
        Latest first. A run opens as its debates.
        {rows.some(({ hidden }) => hidden > 0)
          ? ' What is hidden counts as neither acted on nor deferred until it is reviewed.'
          : null}
      </caption>
      <RunHead
        columns={['run', 'certificate', 'progress', 'questions', 'decided', 'failed', 'spotChecks', 'cost', 'export']}
      />
      <tbody>
        {rows.map((run) => (
          <Row key={run.id} run={run} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ run }: { readonly run: RunRow }) {
  const { id, certificate, questions, pending, acted, deferred, failed, hidden, spotChecks } = run
  return (
    <tr>
      <th scope="row" className="wide">
        <a href={linkTo('debates', [], { run: id })}>
          <DataText text={runName(run)} />
        </a>{' '}
        {run.isShadow ? <span className="chip">shadow</span> : null}
        <br />
        <span className="interval">
          <Moment at={run.createdAt} />, {shortRunId(id)}
        </span>
      </th>
      <td>
        {certificate === null ? (
          <span className="faint">none</span>
        ) : (
          <a className="mono" href={linkTo('certificates', [certificate])}>
            {certificate.slice(0, 6)}
          </a>
        )}
      </td>
      <td className="gone bar-cell">
        {run.kind === 'decide' ? <RunBar acted={acted} deferred={deferred} of={questions} /> : null}
        <span className="interval">{progressText(run)}</span>
      </td>
      <td className="number">
        {countText(questions)}
        <span className="only-narrow interval">questions</span>
      </td>
      <td className="number">
        <RunDecisions run={run} hasMarks />
        {hidden === 0 ? null : (
          <>
            <br />
            <span className="interval">{countText(hidden)} hidden until reviewed</span>
          </>
        )}
      </td>
      <td className="number gone">{failed === 0 ? <span className="faint">0</span> : countText(failed)}</td>
      <td className="number gone">
        {spotChecks.sampled === 0 ? (
          <span className="faint">none</span>
        ) : (
          `${countText(spotChecks.labelled)} of ${countText(spotChecks.sampled)} labelled`
        )}
      </td>
      <td className="number">{runCost(run) ?? <span className="faint">–</span>}</td>
      <td className="gone">
        {run.kind === 'decide' && pending < questions ? <ExportLink label="Export" filter={{ run: id }} /> : null}
      </td>
    </tr>
  )
}

/** A run of the server accepts questions as they arrive, so it stays open. */
function progressText({ status, source, questions, pending }: RunRow): string {
  if (pending > 0) return `running, ${countText(questions - pending)} of ${countText(questions)}`
  if (status === 'open') return source === 'cli' ? 'stopped early' : 'takes questions'
  return 'done'
}
