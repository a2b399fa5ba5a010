import type { CertificateView } from 'quorate/contract'
import { atLeastText, countText, exactTexts, percentText, probabilityText } from 'quorate/figures'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { useMonitor, useSession } from '../../api/queries.ts'
import { linkTo, usePlace } from '../../app/router.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Rate } from '../../parts/rate.tsx'
import { Term } from '../../parts/term.tsx'
import { PolicyButton } from '../overview/policy-dialog.tsx'
import { Activate } from './activate-dialog.tsx'
import { ActiveChip } from './active-mark.tsx'
import { useCertificate } from './certificate-queries.ts'
import { axisFrom, ClassTable } from './class-table.tsx'
import { FIELD_NAMES } from './compared-fields.ts'
import { FieldValue } from './field-value.tsx'
import { History } from './policy-history.tsx'

const WORDS = {
  kind: { knn: 'nearest neighbours', cells: 'debates that went the same way', total: 'a total and a floor' },
} as const

const TABS = [
  ['promise', 'Promise'],
  ['checks', 'Checks'],
  ['fingerprint', 'Fingerprint'],
  ['history', 'History'],
] as const
type Tab = (typeof TABS)[number][0]

/** The dials bring the code that decides stored debates again, so they are loaded only where they are shown. */
const OperatingPoint = lazy(() =>
  import('../operating-point/operating-point-page.tsx').then(({ OperatingPointPage }) => ({
    default: OperatingPointPage,
  })),
)
const Checks = lazy(() => import('../audit/audit-page.tsx').then(({ AuditPage }) => ({ default: AuditPage })))

/** Answers: what does this certificate promise, and which dial limits it? */
export function CertificatePage({ id, tab: wanted }: { readonly id: string; readonly tab: string | undefined }) {
  const certificate = useCertificate(id)
  const session = useSession()
  const monitor = useMonitor().data
  const isAdmin = session.data?.role === 'admin' && session.data.kind === 'human'
  const { rest } = usePlace()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const tab: Tab = TABS.find(([name]) => name === wanted)?.[0] ?? 'promise'
  const isMissing = certificate.error instanceof ApiError && certificate.error.status === 404
  const view = certificate.data
  const [place = id] = rest
  return (
    <article className="certificate">
      <div className="head">
        <h1 ref={heading} tabIndex={-1}>
          <a href={linkTo('certificates')}>Certificates</a> / <code>{id.slice(0, 6)}</code>
        </h1>
        {view === undefined ? null : <ActiveChip row={view} />}
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
            {isAdmin && view.isActive && monitor !== undefined ? <PolicyButton view={monitor} /> : null}
            <Activate row={view} isAdmin={isAdmin} />
          </div>
        )}
      </div>
      <div className="body">
        {view === undefined ? (
          isMissing ? (
            <p className="blank">There is no such certificate</p>
          ) : certificate.isError ? (
            <Failure error={certificate.error} again={() => void certificate.refetch()} />
          ) : (
            <Loading what="certificates" />
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
      <Suspense fallback={<Loading what="the audit" />}>
        <Checks />
      </Suspense>
    )
  }
  return (
    <>
      <Headline view={view} />
      {view.isActive ? (
        <Suspense fallback={<Loading what="the stored debates" />}>
          <OperatingPoint />
        </Suspense>
      ) : (
        <p className="soft">
          Its dials can be tried once it is active: they decide the stored debates of the active certificate again.
        </p>
      )}
      {view.promise === null ? null : <Classes promise={view.promise} />}
      <section className="section">
        <h2>What is promised</h2>
        <Claim
          sentences={
            view.feasible
              ? view.claim
              : ['Nothing: its budget is too small to act on anything, so every question is deferred.']
          }
        />
      </section>
      <History id={view.id} />
    </>
  )
}

/** How many of the labels set aside for counting it would have acted on, and how often it was wrong. */
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
          {all === undefined ? declaredText(budget.beta) : isFew ? 'too few' : percentText(all.acted / all.counted)}
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
            allows {declaredText(budget.beta)}&nbsp;%.{' '}
            {weakest === null || weakest === undefined ? null : (
              <>
                Its weakest <Term name="class">class</Term> was right{' '}
                <strong>{percentText(weakest.right / weakest.rows)} %</strong> of the time, at least{' '}
                <strong>{atLeastText(weakest.lower)} %</strong>
                {promise?.floor === null || promise === null ? '.' : ` (floor ${declaredText(promise.floor)} %).`}
              </>
            )}
          </p>
        )}
        <p className="small soft">
          {countText(view.labels)} labels, {view.rounds} rounds, profile <DataText text={view.profile} /> (
          {WORDS.kind[view.kind]}). Made on <Moment at={view.at} />.{' '}
          {promise === null || promise.attempt === 1 ? null : `Attempt ${promise.attempt} on these labels. `}
          Acted on with it: <Rate share={view.decisions.acted} why="nothing was decided with it" />
          {view.decisions.acted === null
            ? ''
            : `, ${countText(view.decisions.acted.count)} of ${countText(view.decisions.acted.of)} questions`}
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
            <> of {outcome.group === '' ? 'questions without a group' : <DataText text={outcome.group} />}</>
          )}
        </h2>
        <span className="right">
          {promise.floor === null
            ? 'No floor: a class may be wrong far more often than the total.'
            : `bar: share right with its interval, from ${declaredText(axisFrom(outcome, promise.floor))} %. Upright mark: floor ${declaredText(promise.floor)} %.`}
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
        <h2>Fingerprint</h2>
      </header>
      <p className="soft">
        The promise covers this panel. If one of these fields changes, the promise is void and the policy is suspended.
      </p>
      <dl className="certificate-facts">
        <Fact name="Certificate">
          <code>
            <DataText text={view.id} />
          </code>
        </Fact>
        {Object.entries(view.fingerprint).map(([name, value]) => (
          <Fact key={name} name={FIELD_NAMES[name] ?? <DataText text={name} />}>
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
