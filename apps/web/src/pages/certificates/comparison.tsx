import type { CertificateView } from 'quorate/contract'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { ActiveMark } from './active-mark.tsx'
import { useCertificate } from './certificate-queries.ts'
import { comparedFields } from './compared-fields.ts'
import { FieldValue } from './field-value.tsx'

/** Two certificates field by field; what differs is marked with a word and a shape. */
export function Comparison({ left, right }: { readonly left: string; readonly right: string }) {
  const [first, second] = [useCertificate(left), useCertificate(right)]
  const error = first.error ?? second.error
  return (
    <article className="certificate">
      <PageHead
        title={TEXT.certificates.comparison}
        tools={<a href={linkTo('certificates')}>{TEXT.certificates.back}</a>}
      />
      <div className="body">
        {first.data !== undefined && second.data !== undefined ? (
          <Fields left={first.data} right={second.data} />
        ) : error === null ? (
          <Loading what={TEXT.certificates.what} />
        ) : (
          <Failure error={error} again={() => void Promise.all([first.refetch(), second.refetch()])} />
        )}
      </div>
    </article>
  )
}

function Fields({ left, right }: { readonly left: CertificateView; readonly right: CertificateView }) {
  const fields = comparedFields(left, right)
  const count = (wanted: keyof typeof MARKS) => fields.filter(({ kind }) => kind === wanted).length
  return (
    <>
      <p>{TEXT.certificates.differences(count('differs'), fields.length, count('unknown'))}</p>
      <table className="stacked comparison">
        <thead>
          <tr>
            <th scope="col">{TEXT.certificates.field}</th>
            <Side view={left} />
            <Side view={right} />
            <th scope="col">{TEXT.certificates.columns.compare}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{TEXT.certificates.columns.at}</th>
            <td data-name={left.id.slice(0, 6)}>
              <Moment at={left.at} />
            </td>
            <td data-name={right.id.slice(0, 6)}>
              <Moment at={right.at} />
            </td>
            <td />
          </tr>
          {fields.map(({ name, values, kind }) => (
            <tr key={name} className={kind}>
              <th scope="row">{TEXT.certificates.fields[name] ?? <DataText text={name} />}</th>
              <td data-name={left.id.slice(0, 6)}>
                <FieldValue value={values[0]} />
              </td>
              <td data-name={right.id.slice(0, 6)}>
                <FieldValue value={values[1]} />
              </td>
              <td className={kind === 'differs' ? '' : 'soft'}>
                <span aria-hidden="true">{MARKS[kind]}</span> {TEXT.certificates.compared[kind]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const MARKS = { same: '=', differs: '≠', unknown: '?' } as const

function Side({ view }: { readonly view: CertificateView }) {
  return (
    <th scope="col">
      <a href={linkTo('certificates', [view.id])}>
        <DataText text={view.id.slice(0, 6)} />
      </a>{' '}
      <ActiveMark row={view} />
    </th>
  )
}
