import type { CertificateRow } from 'quorate/contract'
import { countText, probabilityText } from 'quorate/figures'
import { useState } from 'react'
import { goTo, linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { ActiveMark } from './active-mark.tsx'
import { useCertificates } from './certificate-queries.ts'
import { MakeOne } from './make-one.tsx'

const WORDS = {
  compareThis: (id: string) => `Compare ${id}`,
} as const

export function CertificateList() {
  const certificates = useCertificates()
  const rows = certificates.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <PageHead title="Certificates" />
      <div className="body">
        {rows === undefined ? (
          certificates.isError ? (
            <Failure error={certificates.error} again={() => void certificates.refetch()} />
          ) : (
            <Loading what="certificates" />
          )
        ) : rows.length === 0 ? (
          <Empty title="There is no certificate yet">
            <p>Until one is active, new questions are refused with 503, so nothing is decided by accident.</p>
            <MakeOne />
          </Empty>
        ) : (
          <>
            <ComparableCertificates rows={rows} />
            {certificates.hasNextPage ? (
              <p>
                <button type="button" onClick={() => void certificates.fetchNextPage()}>
                  More
                </button>
              </p>
            ) : null}
            <MakeOne />
          </>
        )}
      </div>
    </>
  )
}

/** Two certificates can be marked for comparison. A third replaces the first. */
function ComparableCertificates({ rows }: { readonly rows: readonly CertificateRow[] }) {
  const [marked, setMarked] = useState<readonly string[]>([])
  const toggle = (id: string) =>
    setMarked(marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id].slice(-2))
  const [left, right] = rows.filter(({ id }) => marked.includes(id)).map(({ id }) => id)
  return (
    <>
      <CertificateTable rows={rows} marked={marked} toggle={toggle} />
      {rows.length < 2 ? null : (
        <p className="compare">
          <button
            type="button"
            disabled={left === undefined || right === undefined}
            onClick={() => goTo(linkTo('certificates', [], { left: right ?? '', right: left ?? '' }))}
          >
            Compare the two marked
          </button>{' '}
          {right === undefined ? <span className="soft">Mark two certificates to compare them.</span> : null}
        </p>
      )}
    </>
  )
}

function CertificateTable({
  rows,
  marked,
  toggle,
}: {
  readonly rows: readonly CertificateRow[]
  readonly marked: readonly string[]
  readonly toggle: (id: string) => void
}) {
  return (
    <table className="stacked certificate-table">
      <caption>Latest first. Mark two to compare them.</caption>
      <thead>
        <tr>
          <th scope="col">Compare</th>
          <th scope="col">Certificate</th>
          <th scope="col">State</th>
          <th scope="col">Made</th>
          <th scope="col">Profile</th>
          {['Labels', 'Rounds', 'Beta', 'Floor'].map((title) => (
            <th key={title} scope="col" className="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} isMarked={marked.includes(row.id)} toggle={() => toggle(row.id)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  row,
  isMarked,
  toggle,
}: {
  readonly row: CertificateRow
  readonly isMarked: boolean
  readonly toggle: () => void
}) {
  const { threshold } = row.budget
  return (
    <tr className={row.isActive ? 'is-active' : ''}>
      <td>
        <input
          type="checkbox"
          checked={isMarked}
          onChange={toggle}
          aria-label={WORDS.compareThis(row.id.slice(0, 6))}
        />
      </td>
      <th scope="row">
        <a href={linkTo('certificates', [row.id])}>
          <DataText text={row.id.slice(0, 6)} />
        </a>
      </th>
      <td>
        <ActiveMark row={row} />
      </td>
      <td>
        <Moment at={row.at} />
      </td>
      <td data-name="Profile">
        <DataText text={row.profile} />
      </td>
      <td className="number" data-name="Labels">
        {countText(row.labels)}
      </td>
      <td className="number" data-name="Rounds">
        {row.rounds}
      </td>
      <td className="number" data-name="Beta">
        {declaredText(row.budget.beta)} %
      </td>
      <td className="number" data-name="Floor">
        {row.kind !== 'total'
          ? `bound ${probabilityText(threshold)}`
          : threshold === 0
            ? 'none'
            : `${declaredText(threshold)} %`}
      </td>
    </tr>
  )
}
