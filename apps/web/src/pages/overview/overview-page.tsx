import './overview.css'
import type { MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { dayText, deferText } from 'quorate/record'
import { useMonitor, useSession } from '../../api/queries.ts'
import { linkTo, usePlace } from '../../app/router.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Term } from '../../parts/term.tsx'
import { CertificateOffers } from '../certificates/certificate-offers.tsx'
import { ExportAll } from '../runs/export-all.tsx'
import { LatestRuns } from '../runs/latest-runs.tsx'
import { ClassRows } from './class-rows.tsx'
import { Figures } from './figures.tsx'
import { NeedsYou } from './needs-you.tsx'
import { PolicyButton } from './policy-dialog.tsx'
import { RateSection } from './rate-section.tsx'
import { VerdictSection } from './verdict-section.tsx'
import { Watch } from './watch.tsx'

/** Answers: does the policy keep its promise, and what needs me? */
export function OverviewPage() {
  const monitor = useMonitor()
  const session = useSession()
  const view = monitor.data
  const isAdmin = session.data?.role === 'admin' && session.data.kind === 'human'
  const period = view?.periods.at(-1)
  const isAll = usePlace().query.get('periods') !== 'this'
  return (
    <>
      <PageHead
        title="Overview"
        tools={
          view === undefined ? undefined : (
            <>
              <ExportAll />
              {isAdmin ? <PolicyButton view={view} /> : null}
            </>
          )
        }
      >
        {period === undefined ? null : (
          <span className="chip only-wide">
            <span>
              <Term name="period">Period {period.number}</Term>, since {dayText(period.from)}
              {period.to === null ? '' : `, ended ${dayText(period.to)}`}
            </span>
          </span>
        )}
        {view === undefined || view.periods.length < 2 ? null : (
          <nav className="tabs only-wide" aria-label="Periods">
            <a href={linkTo('', [], { periods: 'this' })} aria-current={isAll ? undefined : 'true'}>
              This period
            </a>
            <a href={linkTo('')} aria-current={isAll ? 'true' : undefined}>
              All periods
            </a>
          </nav>
        )}
      </PageHead>
      <div className="body overview">
        {view === undefined ? (
          monitor.isError ? (
            <Failure error={monitor.error} again={() => void monitor.refetch()} />
          ) : (
            <Loading what="what the monitor knows" />
          )
        ) : (
          <>
            {monitor.isError ? (
              <Failure error={monitor.error} again={() => void monitor.refetch()} shownFrom={monitor.dataUpdatedAt} />
            ) : null}
            <Overview view={view} isAdmin={isAdmin} isAll={isAll} />
          </>
        )}
      </div>
    </>
  )
}

interface OverviewProps {
  readonly view: MonitorView
  readonly isAdmin: boolean
  readonly isAll: boolean
}

function Overview({ view, isAdmin, isAll }: OverviewProps) {
  return (
    <>
      <VerdictSection view={view} />
      {view.policy.state === 'none' ? <CertificateOffers isAdmin={isAdmin} /> : null}
      <NeedsYou view={view} />
      <Figures view={view} />
      <div className={view.classes.length === 0 ? '' : 'two'}>
        <RateSection view={view} isAll={isAll} />
        {view.classes.length === 0 ? null : <ClassRows classes={view.classes} />}
      </div>
      <div className="half">
        <Reasons view={view} />
        <LatestRuns />
      </div>
      {view.certificate === null ? null : <Watch view={view} />}
    </>
  )
}

function Reasons({ view }: { readonly view: MonitorView }) {
  const rows = Object.entries(view.automation.deferred).sort(([, left], [, right]) => right - left)
  const all = rows.reduce((total, [, count]) => total + count, 0)
  const most = Math.max(1, ...rows.map(([, count]) => count))
  return (
    <section className="section">
      <header>
        <h2>Why questions went to people</h2>
        <span className="right">{all === 0 ? null : `${countText(all)} questions`}</span>
      </header>
      {rows.length === 0 ? (
        <p className="blank">
          {view.hidden > 0
            ? 'Questions that wait in Review are not counted until they are reviewed.'
            : 'No question went to people in these figures.'}
        </p>
      ) : (
        <table className="stack">
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <td>
                  <a href={linkTo('debates', [], { kind: 'defer', reason })}>{sentence(deferText(reason))}</a>
                </td>
                <td className="gone bar-cell">
                  <svg className="chart share-bar" viewBox="0 0 160 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect className="track" width="160" height="8" />
                    <rect className="defer" width={(count / most) * 160} height="8" />
                  </svg>
                </td>
                <td className="number">{countText(count)}</td>
                <td className="number interval gone">{percentText(count / all)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
