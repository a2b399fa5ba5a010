import type { CertificateView } from 'quorate/contract'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { ActiveMark } from './active-mark.tsx'
import { useCertificate } from './certificate-queries.ts'
import { comparedFields, FIELD_NAMES } from './compared-fields.ts'
import { FieldValue } from './field-value.tsx'

const WORDS = {
  differences: (count: number, of: number, unknown: number) =>
    unknown > 0
      ? `${count} of ${of} fields differ, ${unknown} cannot be compared.`
      : count === 0
        ? `All ${of} fields are the same.`
        : `${count} of ${of} fields differ.`,
  compared: { same: 'same', differs: 'differs', unknown: 'cannot be compared: not known' },
} as const

/** Two certificates, field by field. A difference is marked with a word and a symbol. */
export function Comparison({ left, right }: { readonly left: string; readonly right: string }) {
  const [first, second] = [useCertificate(left), useCertificate(right)]
  const error = first.error ?? second.error
  return (
    <article className="certificate">
      <PageHead title="Two certificates compared" tools={<a href={linkTo('certificates')}>All certificates</a>} />
      <div className="body">
        {first.data !== undefined && second.data !== undefined ? (
          <Fields left={first.data} right={second.data} />
        ) : error === null ? (
          <Loading what="certificates" />
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
      <p>{WORDS.differences(count('differs'), fields.length, count('unknown'))}</p>
      <table className="stacked comparison">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <Side view={left} />
            <Side view={right} />
            <th scope="col">Compare</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Made</th>
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
              <th scope="row">{FIELD_NAMES[name] ?? <DataText text={name} />}</th>
              <td data-name={left.id.slice(0, 6)}>
                <FieldValue value={values[0]} />
              </td>
              <td data-name={right.id.slice(0, 6)}>
                <FieldValue value={values[1]} />
              </td>
              <td className={kind === 'differs' ? '' : 'soft'}>
                <span aria-hidden="true">{MARKS[kind]}</span> {WORDS.compared[kind]}
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
