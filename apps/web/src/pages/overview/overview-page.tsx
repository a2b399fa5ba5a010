import '../../style/blocks.css'
import './overview.css'
import type { MonitorView } from 'quorate/contract'
import { budgetGauge, countText, percentText, rateHistoryFigure } from 'quorate/figures'
import { useMonitor, useSession } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Figure } from '../../parts/figure.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { budgetStanding } from './budget-standing.ts'
import { Deferrals } from './deferrals.tsx'
import { PolicyPanel } from './policy-panel.tsx'
import { noneText, Tiles } from './tiles.tsx'
import { Watch } from './watch.tsx'

export function OverviewPage() {
  const monitor = useMonitor()
  const session = useSession()
  return (
    <>
      <h1>{TEXT.overview.title}</h1>
      {monitor.data === undefined ? (
        monitor.isError ? (
          <Failure error={monitor.error} again={() => void monitor.refetch()} />
        ) : (
          <Loading what={TEXT.overview.what} />
        )
      ) : (
        <Overview view={monitor.data} isAdmin={session.data?.role === 'admin' && session.data.kind === 'human'} />
      )}
    </>
  )
}

function Overview({ view, isAdmin }: { readonly view: MonitorView; readonly isAdmin: boolean }) {
  return (
    <div className="overview">
      <BudgetSentence view={view} />
      <PolicyPanel policy={view.policy} certificate={view.certificate} warnings={view.warnings} isAdmin={isAdmin} />
      <Tiles view={view} />
      <div className="pair">
        <BudgetUsed view={view} />
        <History view={view} />
      </div>
      {view.certificate === null ? null : <Watch view={view} />}
      {view.classes.length === 0 ? null : <Classes classes={view.classes} />}
      <div className="pair">
        <Deferrals deferred={view.automation.deferred} none={noneText(view, 'noDeferrals')} />
        <AlarmLog alarms={view.alarms} />
      </div>
      {view.claim.length === 0 ? null : (
        <section>
          <h2>{TEXT.overview.claim}</h2>
          <Claim sentences={view.certificate?.canAct === false ? [TEXT.overview.noClaim] : view.claim} />
        </section>
      )}
    </div>
  )
}

function BudgetUsed({ view }: { readonly view: MonitorView }) {
  const { certificate, spotChecks } = view
  const { wrong } = spotChecks
  return (
    <section>
      <h2>{TEXT.overview.gauge}</h2>
      <p className="reading">{TEXT.overview.gaugeReading}</p>
      {certificate === null || wrong === null ? (
        <p className="blank">{certificate === null ? TEXT.overview.none : TEXT.overview.gaugeEmpty}</p>
      ) : (
        <Figure
          draw={(width) =>
            budgetGauge(
              {
                ...certificate.budget,
                wrongActions: { value: wrong.share, low: wrong.lower, high: wrong.upper },
              },
              width,
            )
          }
        />
      )}
    </section>
  )
}

function History({ view: { certificate, spotChecks } }: { readonly view: MonitorView }) {
  const { history, uniform, rate, sampled, labelled } = spotChecks
  return (
    <section>
      <h2>{TEXT.overview.history}</h2>
      <p className="reading">
        {TEXT.overview.spotChecks(percentText(rate), sampled.toLocaleString('en'), labelled.toLocaleString('en'))}{' '}
        {TEXT.overview.historyReading}
      </p>
      {certificate === null || uniform === null || history.length === 0 ? (
        <p className="blank">{rate === 0 ? TEXT.overview.nothingSampled : TEXT.overview.wrongWhy}</p>
      ) : (
        <Figure
          minHeight="high"
          draw={(width) =>
            rateHistoryFigure({ beta: certificate.budget.beta, level: uniform.level, points: history }, width)
          }
        />
      )}
    </section>
  )
}

/** The floor of each class, as far as spot checks say. */
function Classes({ classes }: { readonly classes: MonitorView['classes'] }) {
  const columns = TEXT.overview.classColumns
  return (
    <section>
      <h2>{TEXT.overview.classes}</h2>
      <p className="reading">{TEXT.overview.classesReading}</p>
      <table className="stacked">
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.right}</th>
            <th scope="col" className="number">
              {columns.floor}
            </th>
            <th scope="col">{columns.state}</th>
          </tr>
        </thead>
        <tbody>
          {classes.map(({ name, floor, right, uniform, sampled, alarm }) => (
            <tr key={name}>
              <th scope="row">
                <DataText text={name} />
              </th>
              <td>
                {right === null
                  ? TEXT.overview.classUnseen(countText(sampled))
                  : TEXT.overview.classShare(percentText(right.share))}{' '}
                {right === null || uniform === null ? null : (
                  <span className="interval">
                    {TEXT.overview.classInterval({
                      count: countText(right.count),
                      of: countText(right.of),
                      lower: percentText(uniform.lower),
                      upper: percentText(uniform.upper),
                    })}
                  </span>
                )}
              </td>
              <td className="number">{TEXT.overview.classShare(percentText(floor))}</td>
              <td>{alarm.isAlarm ? TEXT.overview.alarm : TEXT.overview.quiet}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function AlarmLog({ alarms }: { readonly alarms: MonitorView['alarms'] }) {
  return (
    <section>
      <h2>{TEXT.overview.log}</h2>
      {alarms.length === 0 ? (
        <p className="blank">{TEXT.overview.noLog}</p>
      ) : (
        <ol className="log">
          {alarms.map((alarm, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may say the same at the same moment
            <li key={`${alarm.at} ${alarm.kind} ${index}`}>
              <Event alarm={alarm} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Event({ alarm: { at, kind, by, text, certificate } }: { readonly alarm: MonitorView['alarms'][number] }) {
  return (
    <>
      <Moment at={at} /> <strong>{TEXT.overview.events[kind] ?? <DataText text={kind} />}</strong>{' '}
      {certificate === null ? null : (
        <>
          <a href={linkTo('certificates', [certificate])}>
            <DataText text={certificate.slice(0, 8)} />
          </a>{' '}
        </>
      )}
      {TEXT.overview.by} {by === null ? TEXT.overview.program : <DataText text={by} />}
      {text === '' ? null : (
        <>
          <br />
          <DataText text={text} />
        </>
      )}
    </>
  )
}

const MARKS = { within: '●', over: '✕', open: '○', idle: '■' } as const

/** The first thing an owner asks: does the budget hold? */
function BudgetSentence({ view }: { readonly view: MonitorView }) {
  const said = budgetStanding(view)
  if (said === null) return null
  return (
    <p className={`budget-sentence is-${said.state}`}>
      <span aria-hidden="true">{MARKS[said.state]}</span> {said.text}
    </p>
  )
}
