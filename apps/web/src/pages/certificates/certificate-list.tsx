import type { CertificateRow } from 'quorate/contract'
import { countText, exactTexts, probabilityText } from 'quorate/figures'
import { useState } from 'react'
import { goTo, linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { ActiveMark } from './active-mark.tsx'
import { useCertificates } from './certificate-queries.ts'
import { MakeOne } from './make-one.tsx'

export function CertificateList() {
  const certificates = useCertificates()
  const rows = certificates.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <PageHead title={TEXT.certificates.title} />
      <div className="body">
        {rows === undefined ? (
          certificates.isError ? (
            <Failure error={certificates.error} again={() => void certificates.refetch()} />
          ) : (
            <Loading what={TEXT.certificates.what} />
          )
        ) : rows.length === 0 ? (
          <Empty title={TEXT.certificates.empty}>
            <p>{TEXT.certificates.emptyNext}</p>
            <MakeOne />
          </Empty>
        ) : (
          <>
            <Marked rows={rows} />
            {certificates.hasNextPage ? (
              <p>
                <button type="button" onClick={() => void certificates.fetchNextPage()}>
                  {TEXT.certificates.more}
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

/** Two can be marked; a third takes the place of the first. */
function Marked({ rows }: { readonly rows: readonly CertificateRow[] }) {
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
            {TEXT.certificates.compare}
          </button>{' '}
          {right === undefined ? <span className="soft">{TEXT.certificates.compareHint}</span> : null}
        </p>
      )}
    </>
  )
}

interface CertificateTableProps {
  readonly rows: readonly CertificateRow[]
  readonly marked: readonly string[]
  readonly toggle: (id: string) => void
}

function CertificateTable({ rows, marked, toggle }: CertificateTableProps) {
  const { columns } = TEXT.certificates
  return (
    <table className="stacked certificate-table">
      <caption>{TEXT.certificates.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.compare}</th>
          <th scope="col">{columns.id}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.at}</th>
          <th scope="col">{columns.profile}</th>
          {[columns.labels, columns.rounds, columns.beta, columns.line].map((title) => (
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

interface RowProps {
  readonly row: CertificateRow
  readonly isMarked: boolean
  readonly toggle: () => void
}

function Row({ row, isMarked, toggle }: RowProps) {
  const { columns } = TEXT.certificates
  const [beta = ''] = exactTexts([row.budget.beta])
  return (
    <tr className={row.isActive ? 'is-active' : ''}>
      <td>
        <input
          type="checkbox"
          checked={isMarked}
          onChange={toggle}
          aria-label={TEXT.certificates.compareThis(row.id.slice(0, 6))}
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
      <td data-name={columns.profile}>
        <DataText text={row.profile} />
      </td>
      <td className="number" data-name={columns.labels}>
        {countText(row.labels)}
      </td>
      <td className="number" data-name={columns.rounds}>
        {row.rounds}
      </td>
      <td className="number" data-name={columns.beta}>
        {beta}
      </td>
      <td className="number" data-name={columns.line}>
        {probabilityText(row.budget.threshold)}
      </td>
    </tr>
  )
}
