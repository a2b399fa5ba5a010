import './overview.css'
import type { MonitorView, Share } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { useMonitor, useSession } from '../../api/queries.ts'
import { linkTo, usePlace } from '../../app/router.ts'
import { ENOUGH } from '../../parts/enough.ts'
import { ExportLink } from '../../parts/export-link.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Term } from '../../parts/term.tsx'
import { TEXT } from '../../text/english.ts'
import { CertificateOffers } from '../certificates/certificate-offers.tsx'
import { LatestRuns } from '../runs/latest-runs.tsx'
import { ClassRows } from './class-rows.tsx'
import { NeedsYou } from './needs-you.tsx'
import { PolicyButton } from './policy-dialog.tsx'
import { RateChart, sentenceOf } from './rate-chart.tsx'
import { addedUp, VerdictSection } from './verdict-section.tsx'
import { Watch } from './watch.tsx'

/** Is it keeping its promise, and what needs me? */
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
              <span className="only-wide">
                <ExportLink label="Export answers" />
              </span>
              {isAdmin ? <PolicyButton view={view} /> : null}
            </>
          )
        }
      >
        {period === undefined ? null : (
          <span className="chip">
            <Term name="period">Period {period.number}</Term>, {dayText(period.from)} to{' '}
            {dayText(period.to ?? view?.at ?? period.from)}
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
            <Loading what={TEXT.overview.what} />
          )
        ) : (
          <>
            {monitor.isError ? <Failure error={monitor.error} again={() => void monitor.refetch()} /> : null}
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

function RateSection({ view, isAll }: Pick<OverviewProps, 'view' | 'isAll'>) {
  const { spotChecks, suspensions, at } = view
  const { sampled, wrong, uncounted, openSpotChecks, rate } = spotChecks
  const all = view.periods.filter(({ history }) => history.length > 0)
  const last = view.periods.at(-1)
  const periods = isAll || all.length === 0 ? all : all.filter(({ number }) => number === (last?.number ?? 0))
  const beta = view.certificate?.budget.beta ?? last?.beta ?? null
  const shown = periods.length === 0 ? all.slice(-1) : periods
  return (
    <section className="section">
      <header>
        <h2>Wrong actions over time</h2>
        <span className="right">
          share of all questions,{' '}
          <Term name="spotCheck" opensLeft>
            spot checks
          </Term>{' '}
          only
        </span>
      </header>
      {beta === null || shown.length === 0 ? (
        <p className="blank">
          {rate === 0
            ? 'No question is chosen for a spot check, so wrong actions cannot be counted.'
            : 'No spot check is counted yet.'}
        </p>
      ) : (
        <>
          <RateChart periods={shown} suspensions={isAll ? suspensions : suspensions.slice(-1)} beta={beta} now={at} />
          <div className="legend" aria-hidden="true">
            <span>
              <i className="swatch is-line" /> rate in its period
            </span>
            <span>
              <i className="swatch is-band" /> holds at every moment
            </span>
            {suspensions.length === 0 ? null : (
              <span>
                <i className="swatch is-hatch" /> suspended
              </span>
            )}
            <span>
              <i className="swatch is-limit" /> beta
            </span>
          </div>
        </>
      )}
      <p className="small soft">
        {percentText(rate)} % of all questions are chosen for a spot check. {countText(sampled)} were chosen in this
        period: {addedUp(wrong?.of ?? 0, uncounted.count, openSpotChecks.count)}. They are counted in the order in which
        the questions arrived.
      </p>
      {view.periods.length === 0 ? null : (
        <details className="numbers">
          <summary>Show as a table</summary>
          <ul>
            {view.periods.map((period) => (
              <li key={period.number}>{sentenceOf(period)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Figures({ view }: Pick<OverviewProps, 'view'>) {
  const { automation, spotChecks, rounds, spend, queue, hidden, certificate, countedFor } = view
  const { acted } = automation
  const deferred = Object.values(automation.deferred).reduce((total, count) => total + count, 0)
  const { right } = spotChecks
  const isIdle = certificate?.canAct === false
  const decided = acted?.of ?? 0
  return (
    <section className="section">
      {certificate === null && countedFor !== null ? (
        <p className="small soft">
          Decided with certificate {countedFor.slice(0, 6)}, which is not active here, by runs of the command line.
        </p>
      ) : null}
      <dl className="kpis">
        <ShareTile name="Acted on" share={acted} unit="questions" none="nothing is decided yet">
          {hidden === 0 ? null : `${countText(hidden)} more are hidden until reviewed`}
        </ShareTile>
        <Tile name="To people" figure={countText(deferred)}>
          {decided === 0 ? 'nothing is decided yet' : `of ${countText(decided)} questions`}
          <br />
          {queue.waiting === 0
            ? 'nothing waits in Review'
            : `${countText(queue.waiting)} ${queue.waiting === 1 ? 'waits' : 'wait'} in Review`}
        </Tile>
        <ShareTile
          name="Right when it acts"
          share={right}
          unit="spot checks"
          none="no acted spot check is counted yet"
        />
        <Tile name="Rounds a question" figure={rounds.mean === null ? null : rounds.mean.toFixed(2)}>
          {rounds.mean === null
            ? 'nothing is debated yet'
            : isIdle || rounds.of === 0
              ? 'nothing is saved: it never acts'
              : `of ${rounds.of}`}
          <br />
          {rounds.saved === null || isIdle || rounds.of === 0 ? null : `${rounds.saved.toFixed(2)} saved`}
        </Tile>
        <Tile name="Cost" figure={spend.calls === 0 ? null : moneyText(spend.committedMicroUsd)}>
          {spend.calls === 0
            ? 'no call was paid here'
            : decided === 0 || hidden > 0
              ? `${countText(spend.calls)} calls`
              : `${moneyText(spend.committedMicroUsd / decided)} a question`}
          <br />
          {spend.unpricedCalls > 0
            ? `${countText(spend.unpricedCalls)} calls without a known price`
            : spend.savedMicroUsd === null || isIdle || spend.savedMicroUsd === 0
              ? null
              : `${moneyText(spend.savedMicroUsd)} saved by stopping early`}
        </Tile>
      </dl>
    </section>
  )
}

interface TileProps {
  readonly name: string
  /** Null: not known, and the words say why. */
  readonly figure: string | null
  readonly isFew?: boolean
  readonly children?: React.ReactNode
}

function Tile({ name, figure, isFew = false, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isFew ? 'is-few' : ''}>{figure ?? '–'}</dd>
      <dd className="small">{children}</dd>
    </div>
  )
}

interface ShareTileProps {
  readonly name: string
  readonly share: Share | null
  readonly unit: string
  readonly none: string
  readonly children?: React.ReactNode
}

/** Below 30 there is a count and no headline. */
function ShareTile({ name, share, unit, none, children }: ShareTileProps) {
  if (share === null) {
    return (
      <Tile name={name} figure={null}>
        {none}
        <br />
        {children}
      </Tile>
    )
  }
  const isFew = share.of < ENOUGH
  return (
    <Tile name={name} figure={isFew ? 'too few' : `${percentText(share.share)} %`} isFew={isFew}>
      {countText(share.count)} of {countText(share.of)} {unit}
      <br />
      {isFew ? `${ENOUGH} are needed` : `${percentText(share.lower)} to ${percentText(share.upper)} %`}
      {children === undefined || children === null ? null : <br />}
      {children}
    </Tile>
  )
}

function Reasons({ view }: Pick<OverviewProps, 'view'>) {
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
            ? 'What waits in Review is not counted until it is reviewed.'
            : 'No question went to people in these figures.'}
        </p>
      ) : (
        <table className="stack">
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <td>
                  <a href={linkTo('debates', [], { kind: 'defer', reason })}>
                    {sentence(TEXT.parts.reasons[reason] ?? reason)}
                  </a>
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
