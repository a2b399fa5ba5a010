import type { CertificateRow, CertificateView, MonitorView } from 'quorate/contract'
import { countText, exactTexts, percentText, probabilityText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useMonitor, useSession } from '../../api/queries.ts'
import { goTo, linkTo, usePlace } from '../../app/router.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { ENOUGH } from '../../parts/enough.ts'
import { Mark } from '../../parts/mark.tsx'
import { Modal } from '../../parts/modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { NoteForm } from '../../parts/note-form.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Rate } from '../../parts/rate.tsx'
import { Term } from '../../parts/term.tsx'
import { TEXT } from '../../text/english.ts'
import { sentenceOf } from '../overview/rate-chart.tsx'
import { ActivateChange } from './activate-change.tsx'
import { useActivate, useCertificate } from './certificate-queries.ts'
import { ClassTable } from './class-table.tsx'
import { FieldValue } from './field-value.tsx'

const TABS = [
  ['promise', 'Promise'],
  ['checks', 'Checks'],
  ['fingerprint', 'Fingerprint'],
  ['history', 'History'],
] as const
type Tab = (typeof TABS)[number][0]

/** The dials decide stored debates again in a worker: they are loaded where they are shown. */
const OperatingPoint = lazy(() =>
  import('../operating-point/operating-point-page.tsx').then(({ OperatingPointPage }) => ({
    default: OperatingPointPage,
  })),
)
const Checks = lazy(() => import('../audit/audit-page.tsx').then(({ AuditPage }) => ({ default: AuditPage })))

/** What does it promise, and which dial holds it back? */
export function CertificatePage({ id, tab: asked }: { readonly id: string; readonly tab: string | undefined }) {
  const certificate = useCertificate(id)
  const session = useSession()
  const { rest } = usePlace()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const tab: Tab = TABS.find(([name]) => name === asked)?.[0] ?? 'promise'
  const isMissing = certificate.error instanceof ApiError && certificate.error.status === 404
  const view = certificate.data
  const [place = id] = rest
  return (
    <article className="certificate">
      <div className="head">
        <h1 ref={heading} tabIndex={-1}>
          <a href={linkTo('certificates')}>Certificates</a> / <code>{id.slice(0, 6)}</code>
        </h1>
        {view === undefined ? null : <StateChip row={view} />}
        {view === undefined ? null : (
          <nav className="tabs" aria-label="Of this certificate">
            {TABS.map(([name, title]) => (
              <a
                key={name}
                href={linkTo('certificates', name === 'promise' ? [place] : [place, name])}
                aria-current={name === tab ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
        )}
        {view === undefined ? null : (
          <div className="tools">
            <Activate row={view} isAdmin={session.data?.role === 'admin' && session.data.kind === 'human'} />
          </div>
        )}
      </div>
      <div className="body">
        {view === undefined ? (
          isMissing ? (
            <p className="blank">{TEXT.certificates.missing}</p>
          ) : certificate.isError ? (
            <Failure error={certificate.error} again={() => void certificate.refetch()} />
          ) : (
            <Loading what={TEXT.certificates.what} />
          )
        ) : (
          <Shown view={view} tab={tab} />
        )}
      </div>
    </article>
  )
}

function Shown({ view, tab }: { readonly view: CertificateView; readonly tab: Tab }) {
  if (tab === 'fingerprint') return <Fingerprint view={view} />
  if (tab === 'history') return <History id={view.id} />
  if (tab === 'checks') {
    return (
      <Suspense fallback={<Loading what={TEXT.audit.what} />}>
        <Checks />
      </Suspense>
    )
  }
  return (
    <>
      <Headline view={view} />
      {view.isActive ? (
        <Suspense fallback={<Loading what={TEXT.operating.data} />}>
          <OperatingPoint />
        </Suspense>
      ) : (
        <p className="soft">
          Its dials can be tried once it is active: they decide the stored debates of the active certificate again.
        </p>
      )}
      {view.promise === null ? null : <Classes promise={view.promise} />}
      <section className="section">
        <h2>{TEXT.certificates.claim}</h2>
        <Claim sentences={view.feasible ? view.claim : [TEXT.certificates.noClaim]} />
      </section>
      <History id={view.id} />
    </>
  )
}

function StateChip({ row }: { readonly row: CertificateRow }) {
  const monitor = useMonitor().data
  const since = monitor?.periods.findLast(({ certificate }) => certificate === row.id)?.from
  if (!row.feasible) return <span className="chip is-wrong">{TEXT.certificates.infeasible}</span>
  if (!row.isActive) return <span className="chip">not active</span>
  return (
    <span className="chip is-act">
      <Mark name="act" /> Active{since === undefined ? '' : ` since ${dayText(since)}`}
    </span>
  )
}

/** How much it acted on of the labels kept for counting, and how often it was wrong. */
function Headline({ view }: { readonly view: CertificateView }) {
  const { promise, budget } = view
  const all = promise?.outcomes.find(({ group }) => group === null)
  const weakest = all?.classes
    .filter(({ state }) => state === 'acts')
    .reduce<(typeof all.classes)[number] | null>(
      (least, one) => (least === null || one.lower < least.lower ? one : least),
      null,
    )
  const isFew = all === undefined || all.counted < ENOUGH
  const [beta = '', alpha = '', delta = '', epsilon = ''] = exactTexts([
    budget.beta,
    budget.alpha,
    budget.delta,
    budget.epsilon,
  ])
  return (
    <section className="claim-head">
      <div>
        <span className={`big ${all !== undefined && isFew ? 'few' : ''}`}>
          {all === undefined ? percentText(budget.beta) : isFew ? 'too few' : percentText(all.acted / all.counted)}
          {all !== undefined && isFew ? '' : ' %'}
        </span>
        <span className="small soft">
          {all === undefined
            ? 'beta: may be acted on and wrong'
            : `acted on, ${countText(all.acted)} of ${countText(all.counted)} labelled questions`}
        </span>
      </div>
      <div>
        {all === undefined ? (
          <p>
            It acts where a bound reaches {probabilityText(budget.threshold)} (alpha {alpha}, delta {delta}, epsilon{' '}
            {epsilon} of beta {beta}).
          </p>
        ) : (
          <p>
            Of those {countText(all.counted)} questions this certificate would have been wrong on{' '}
            <strong>{countText(all.wrong)}</strong>
            {isFew ? '' : ` (${percentText(all.wrong / Math.max(1, all.counted))} %)`}; <Term name="beta">beta</Term>{' '}
            allows {percentText(budget.beta)} %.{' '}
            {weakest === null || weakest === undefined ? null : (
              <>
                Its weakest <Term name="class">class</Term> was right{' '}
                <strong>{percentText(weakest.right / weakest.rows)} %</strong> of the time, at least{' '}
                <strong>{percentText(weakest.lower)} %</strong>
                {promise?.floor === null || promise === null ? '.' : ` (floor ${percentText(promise.floor)} %).`}
              </>
            )}
          </p>
        )}
        <p className="small soft">
          {countText(view.labels)} labels, {view.rounds} rounds, profile <DataText text={view.profile} /> (
          {TEXT.certificates.kind[view.kind]}). Made on <Moment at={view.at} />.{' '}
          {promise === null || promise.attempt === 1 ? null : `Attempt ${promise.attempt} on these labels. `}
          {TEXT.certificates.acted}: <Rate share={view.decisions.acted} why={TEXT.certificates.actedWhy} />
        </p>
      </div>
    </section>
  )
}

function Classes({ promise }: { readonly promise: NonNullable<CertificateView['promise']> }) {
  return promise.outcomes.map((outcome) => (
    <section key={outcome.group ?? ''} className="section">
      <header>
        <h2>
          Classes
          {outcome.group === null ? null : (
            <>
              {' '}
              of <DataText text={outcome.group} />
            </>
          )}
        </h2>
        <span className="right">
          {promise.floor === null
            ? 'No floor: a class may be wrong far more often than the total.'
            : `bar: share right with its interval, from 55 %. Upright line: floor ${percentText(promise.floor)} %.`}
        </span>
      </header>
      <ClassTable outcome={outcome} floor={promise.floor} />
      {outcome.silence.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  ))
}

function Fingerprint({ view }: { readonly view: CertificateView }) {
  return (
    <section className="section">
      <header>
        <h2>{TEXT.certificates.fingerprint}</h2>
      </header>
      <p className="soft">{TEXT.certificates.fingerprintReading}</p>
      <dl className="certificate-facts">
        <Fact name={TEXT.certificates.columns.id}>
          <code>
            <DataText text={view.id} />
          </code>
        </Fact>
        {Object.entries(view.fingerprint).map(([name, value]) => (
          <Fact key={name} name={TEXT.certificates.fields[name] ?? <DataText text={name} />}>
            <FieldValue value={value} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What happened to the policy, latest first, with the figures of every period. */
function History({ id }: { readonly id: string }) {
  const monitor = useMonitor().data
  const entries = monitor === undefined ? [] : entriesOf(monitor)
  return (
    <section className="section">
      <header>
        <h2>History</h2>
        <span className="right">figures of every period stay</span>
      </header>
      {entries.length === 0 ? (
        <p className="soft">Nothing has happened yet.</p>
      ) : (
        <ol className="history">
          {entries.map(({ key, at, what, certificate, by, note, figures }) => (
            <li key={key} className={certificate === null || certificate === id ? '' : 'soft'}>
              <time dateTime={new Date(at).toISOString()}>{dayText(at)}</time>
              <span>
                <strong>{what}</strong>
                {certificate === null ? null : (
                  <>
                    {' '}
                    <a href={linkTo('certificates', [certificate])}>{certificate.slice(0, 6)}</a>
                  </>
                )}
                {by === null ? null : (
                  <>
                    {' '}
                    by <DataText text={by} />
                  </>
                )}
                .{' '}
                {note === null || note === '' ? null : (
                  <>
                    “<DataText text={note} />”{' '}
                  </>
                )}
                {figures}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

interface Entry {
  readonly key: string
  readonly at: number
  readonly what: string
  readonly certificate: string | null
  readonly by: string | null
  readonly note: string | null
  readonly figures: string | null
}

const CAUSES = {
  monitor: 'Suspended by the spot checks',
  drift: 'Suspended by the drift check',
  fingerprint: 'Suspended by the fingerprint check',
  admin: 'Suspended',
} as const

function entriesOf({ periods, suspensions }: MonitorView): readonly Entry[] {
  const began = periods.map((period) => ({
    key: `period ${period.number}`,
    at: period.from,
    what: period.start.kind === 'release' ? 'Released' : 'Activated',
    certificate: period.certificate,
    by: period.start.by,
    note: period.start.note,
    figures: sentenceOf(period),
  }))
  const ended = suspensions.map(({ from, cause, by, note }) => ({
    key: `suspension ${from}`,
    at: from,
    what: CAUSES[cause ?? 'admin'],
    certificate: null,
    by,
    note,
    figures: null,
  }))
  return [...began, ...ended].sort((left, right) => right.at - left.at)
}

const WORDS = TEXT.certificates

/** A dialog and a note: what decides from now on is not changed by one slip. */
function Activate({ row, isAdmin }: { readonly row: CertificateRow; readonly isAdmin: boolean }) {
  const { query, rest } = usePlace()
  const isWanted = query.get('activate') === 'yes'
  const [isOpen, setOpen] = useState(isWanted)
  const monitor = useMonitor().data
  const activate = useActivate(row.id)
  if (row.isActive) return null
  if (!isAdmin) return <span className="small soft">{WORDS.adminOnly}</span>
  const close = () => {
    setOpen(false)
    if (isWanted) goTo(linkTo('certificates', rest))
  }
  const last = monitor?.periods.at(-1)?.number ?? 0
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {WORDS.activate}…
      </button>
      <Modal title={`Activate ${row.id.slice(0, 6)}?`} isOpen={isOpen} onClose={close}>
        <ActivateChange row={row} />
        <p className="small soft">
          Period {last + 1} begins. Tests start anew.{last === 0 ? '' : ` Periods 1 to ${last} stay in the charts.`}
        </p>
        <NoteForm
          label="Why? (goes into the ledger)"
          action={WORDS.activate}
          sending={WORDS.activating}
          send={async (note) => {
            await activate(note)
            close()
          }}
          close={close}
        />
      </Modal>
    </>
  )
}
