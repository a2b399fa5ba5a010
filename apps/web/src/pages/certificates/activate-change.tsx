import type { CertificateRow } from 'quorate/contract'
import { countText, exactTexts, probabilityText } from 'quorate/figures'
import { useMonitor } from '../../api/queries.ts'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'
import { useCertificate } from './certificate-queries.ts'

const WORDS = TEXT.certificates

/** What decides now beside what would: nobody should raise a budget unseen. */
export function ActivateChange({ row }: { readonly row: CertificateRow }) {
  const active = useMonitor().data?.certificate?.id
  return active === undefined ? <p>{WORDS.activateFirst}</p> : <Change row={row} active={active} />
}

function Change({ row, active }: { readonly row: CertificateRow; readonly active: string }) {
  const now = useCertificate(active).data
  if (now === undefined) return null
  const { columns } = WORDS
  return (
    <>
      <table className="activate-change">
        <caption>{WORDS.activateChange}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.field}</th>
            <Head title={WORDS.activateNow} id={now.id} />
            <Head title={WORDS.activateThen} id={row.id} />
          </tr>
        </thead>
        <tbody>
          <Line name={columns.beta} values={exactTexts([now.budget.beta, row.budget.beta])} />
          <Line name={columns.line} values={[now, row].map(({ budget }) => probabilityText(budget.threshold))} />
          <Line name={columns.profile} values={[now.profile, row.profile]} />
          <Line name={columns.labels} values={[countText(now.labels), countText(row.labels)]} />
          <Line name={columns.rounds} values={[`${now.rounds}`, `${row.rounds}`]} />
        </tbody>
      </table>
      {row.budget.beta > now.budget.beta ? <p className="bad">{WORDS.activateRaises}</p> : null}
      {row.feasible ? null : <p className="bad">{WORDS.noClaim}</p>}
      <p className="soft">{WORDS.activateConfig}</p>
    </>
  )
}

function Head({ title, id }: { readonly title: string; readonly id: string }) {
  return (
    <th scope="col">
      {title} <DataText text={id.slice(0, 6)} />
    </th>
  )
}

function Line({ name, values: [now = '', then = ''] }: { readonly name: string; readonly values: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <DataText text={now} />
      </td>
      <td>{now === then ? <DataText text={then} /> : <strong>≠ {<DataText text={then} />}</strong>}</td>
    </tr>
  )
}
