import '../../style/blocks.css'
import './audit.css'
import type { Audit, Measure } from '@quorate/certificate'
import { useQuery } from '@tanstack/react-query'
import type { AuditView } from 'quorate/contract'
import { countText, exactTexts } from 'quorate/figures'
import { ask } from '../../api/client.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { CheckCard } from './check-card.tsx'
import { figureText } from './figure-text.ts'
import { VerdictMark } from './verdict-mark.tsx'

/** Each assumption, its check and the verdict. */
export function AuditPage() {
  const audit = useQuery({
    queryKey: ['audit'],
    queryFn: ({ signal }) => ask<AuditView>('/v1/audit', { signal }),
    // It takes seconds to compute and changes with labels only.
    staleTime: 60_000,
  })
  return (
    <section className="section">
      <h2>{TEXT.audit.title}</h2>
      <p className="reading">{TEXT.audit.lead}</p>
      {audit.data === undefined ? (
        audit.isError ? (
          <Failure error={audit.error} again={() => void audit.refetch()} />
        ) : (
          <Loading what={TEXT.audit.what} />
        )
      ) : (
        <Shown view={audit.data} />
      )}
    </section>
  )
}

function Shown({ view: { audit, missing, at } }: { readonly view: AuditView }) {
  if (audit === null || audit === undefined) {
    return (
      <Empty title={TEXT.audit.missing}>
        {missing === null ? null : <p>{missing}</p>}
        <p>{TEXT.audit.missingNext}</p>
        <pre>{TEXT.audit.missingCommand}</pre>
      </Empty>
    )
  }
  return <Audited audit={audit as Audit} at={at} /> // the contract says so: GET /v1/audit holds an Audit
}

function Audited({ audit, at }: { readonly audit: Audit; readonly at: number }) {
  const { verdict } = audit
  const [beta = ''] = exactTexts([audit.beta])
  return (
    <div className="audit">
      <section className={`audit-verdict ${verdict === 'falsified' ? 'is-falsified' : ''}`}>
        <h2>
          <VerdictMark verdict={verdict} words={TEXT.audit.verdicts[verdict]} />
        </h2>
        <p>{TEXT.audit.meanings[verdict]}</p>
        <p className="soft">
          {TEXT.audit.basis(countText(audit.calibration), countText(audit.heldOut))} {TEXT.audit.rule}
        </p>
        <p className="soft facts">
          <span>
            {TEXT.audit.at} <Moment at={at} />
          </span>
          <span>
            {TEXT.audit.profile} {audit.profile}
          </span>
          <span>beta {beta}</span>
        </p>
      </section>
      {audit.checks
        .toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
        .map((check) => (
          <CheckCard key={check.name} check={check} />
        ))}
      <Measures measures={audit.measures} />
    </div>
  )
}

/** What is contradicted comes first. */
const ORDER: readonly Audit['verdict'][] = ['falsified', 'not falsified', 'not enough data']

const MOST_ROWS = 100

/** Figures that the paper reports: shown, never judged. */
function Measures({ measures }: { readonly measures: readonly Measure[] }) {
  if (measures.length === 0) return null
  return (
    <details className="measures">
      <summary>{TEXT.audit.measures}</summary>
      {measures.map(({ name, meaning, rows }) => (
        <table key={name}>
          <caption>
            <strong>{name}</strong>: {meaning}
          </caption>
          <thead>
            <tr>
              <th scope="col">{TEXT.audit.place}</th>
              <th scope="col" className="number">
                {TEXT.audit.n}
              </th>
              <th scope="col" className="number">
                {TEXT.audit.value}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names come from files and may repeat
              <tr key={index}>
                <th scope="row">
                  <DataText text={row.name} />
                </th>
                <td className="number">{row.n === null ? '–' : countText(row.n)}</td>
                <td className="number">{figureText(row.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </details>
  )
}
