import type { CertificateRow, CertificateView } from 'quorate/contract'
import { countText, exactTexts, probabilityText } from 'quorate/figures'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useSession } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { NoteForm } from '../../parts/note-form.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Rate } from '../../parts/rate.tsx'
import { TEXT } from '../../text/english.ts'
import { ActivateChange } from './activate-change.tsx'
import { ActiveMark } from './active-mark.tsx'
import { useActivate, useCertificate } from './certificate-queries.ts'
import { FieldValue } from './field-value.tsx'

export function CertificatePage({ id }: { readonly id: string }) {
  const certificate = useCertificate(id)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const isMissing = certificate.error instanceof ApiError && certificate.error.status === 404
  return (
    <article className="certificate">
      <p className="back">
        <a href={linkTo('certificates')}>← {TEXT.certificates.back}</a>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {TEXT.certificates.one} <DataText text={id.slice(0, 8)} />
      </h1>
      {certificate.data === undefined ? (
        isMissing ? (
          <p className="blank">{TEXT.certificates.missing}</p>
        ) : certificate.isError ? (
          <Failure error={certificate.error} again={() => void certificate.refetch()} />
        ) : (
          <Loading what={TEXT.certificates.what} />
        )
      ) : (
        <Shown view={certificate.data} />
      )}
    </article>
  )
}

function Shown({ view }: { readonly view: CertificateView }) {
  const session = useSession()
  const { budget } = view
  const [beta = '', alpha = '', delta = '', epsilon = ''] = exactTexts([
    budget.beta,
    budget.alpha,
    budget.delta,
    budget.epsilon,
  ])
  return (
    <>
      <p>
        <ActiveMark row={view} />
      </p>
      {view.isActive ? null : <Activate row={view} isAdmin={session.data?.role === 'admin'} />}
      <dl className="certificate-facts">
        <Fact name={TEXT.certificates.columns.id}>
          <code>
            <DataText text={view.id} />
          </code>
        </Fact>
        <Fact name={TEXT.certificates.columns.at}>
          <Moment at={view.at} />
        </Fact>
        <Fact name={TEXT.certificates.columns.profile}>
          <DataText text={view.profile} /> ({TEXT.certificates.kind[view.kind]})
        </Fact>
        <Fact name={TEXT.certificates.columns.labels}>{countText(view.labels)}</Fact>
        <Fact name={TEXT.certificates.columns.rounds}>{view.rounds}</Fact>
        <Fact name={TEXT.certificates.columns.beta}>
          {beta} ({partsOf(view, TEXT.certificates.budgetParts(alpha, delta, epsilon))})
        </Fact>
        {view.promise === null ? (
          <Fact name={TEXT.certificates.columns.line}>{probabilityText(budget.threshold)}</Fact>
        ) : null}
        <Fact name={TEXT.certificates.acted}>
          <Rate share={view.decisions.acted} why={TEXT.certificates.actedWhy} />
        </Fact>
      </dl>
      {view.promise === null ? null : <PromiseSection promise={view.promise} />}
      <section>
        <h2>{TEXT.certificates.fingerprint}</h2>
        <p className="reading">{TEXT.certificates.fingerprintReading}</p>
        <dl className="certificate-facts">
          {Object.entries(view.fingerprint).map(([name, value]) => (
            <Fact key={name} name={TEXT.certificates.fields[name] ?? <DataText text={name} />}>
              <FieldValue value={value} />
            </Fact>
          ))}
        </dl>
      </section>
      <section>
        <h2>{TEXT.certificates.claim}</h2>
        <Claim sentences={view.feasible ? view.claim : [TEXT.certificates.noClaim]} />
      </section>
    </>
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

/** For `total` its other dial, its confidence and its attempt; for the others the parts of beta. */
function partsOf({ promise }: CertificateView, otherwise: string): string {
  if (promise === null) return otherwise
  const floor = promise.floor === null ? TEXT.certificates.noFloor : probabilityText(promise.floor)
  return TEXT.certificates.promiseParts(floor, probabilityText(promise.delta), promise.attempt)
}

/** What was counted for both promises: each class with its limit and its state, and the kinds within. */
function PromiseSection({ promise }: { readonly promise: NonNullable<CertificateView['promise']> }) {
  const { classColumns, classStates } = TEXT.operating
  return (
    <section>
      <h2>{TEXT.operating.classes}</h2>
      <p className="reading">{TEXT.operating.classesLead}</p>
      {promise.outcomes.map(({ group, counted, acted, wrong, classes, kinds, blocked, silence }) => (
        <div key={group ?? ''}>
          {group === null ? null : (
            <h3>
              <DataText text={group} />
            </h3>
          )}
          <p>{TEXT.certificates.counted(countText(acted), countText(wrong), countText(counted))}</p>
          <CountTable
            columns={[classColumns.name, classColumns.right, classColumns.lower, classColumns.state]}
            rows={classes.map(({ name, right, rows, lower, state }) => ({
              name,
              cells: [
                TEXT.operating.rightOf(countText(right), countText(rows)),
                probabilityText(lower),
                classStates[state],
              ],
            }))}
          />
          {silence.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <h3>{TEXT.certificates.kinds}</h3>
          <p className="reading">{TEXT.certificates.kindsLead}</p>
          <CountTable
            columns={[classColumns.name, classColumns.right, classColumns.state]}
            rows={kinds.map(({ name, right, rows, state }) => ({
              name,
              cells: [TEXT.operating.rightOf(countText(right), countText(rows)), TEXT.certificates.kindStates[state]],
            }))}
          />
          {blocked.length === 0 ? null : <p>{TEXT.certificates.blocked(blocked.join('; '))}</p>}
        </div>
      ))}
    </section>
  )
}

interface CountTableProps {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[]
}

function CountTable({ columns, rows }: CountTableProps) {
  if (rows.length === 0) return null
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={columns[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const WORDS = TEXT.certificates

/** Two steps and a note: what decides from now on is not changed by one slip. */
function Activate({ row, isAdmin }: { readonly row: CertificateRow; readonly isAdmin: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const activate = useActivate(row.id)
  if (!isAdmin) return <p className="soft">{WORDS.adminOnly}</p>
  if (!isAsking) {
    return (
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          {WORDS.activate} …
        </button>
      </p>
    )
  }
  return (
    <div className="activate">
      <ActivateChange row={row} />
      <NoteForm
        label={WORDS.activateNote}
        action={WORDS.activateYes}
        sending={WORDS.activating}
        send={activate}
        close={() => setAsking(false)}
      />
    </div>
  )
}
